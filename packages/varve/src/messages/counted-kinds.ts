/** Lists counts by kind, a kind in the singular or the plural: `3 messages, 1 session`. */
export function countedKinds(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.length === 0 ? 'nothing' : some.map(([kind, count]) => `${figure(count)} ${nameOf(kind, count)}`).join(', ')
}

/** Names that are no plain plurals. Counts of facts by their plural are those of a profile, which counts ended ones too. */
const names: Readonly<Record<string, readonly [one: string, many: string]>> = {
  bank: ['bank entry', 'bank entries'],
  entries: ['bank entry', 'bank entries'],
  notes: ['page of notes', 'pages of notes'],
  facts: ['fact ever known', 'facts ever known'],
}

function nameOf(kind: string, count: number): string {
  const one = kind.replace(/s$/, '')
  const [single, many] = names[kind] ?? [one, `${one}s`]
  return count === 1 ? single : many
}

/** Groups digits. Under a thousand there is nothing to group, and the first call of toLocaleString takes 4 ms. */
function figure(count: number): string {
  return count < 1_000 ? String(count) : count.toLocaleString('en')
}
