/** Lists counts by kind: `3 messages, 1 session`. */
export function countedKinds(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.length === 0 ? 'nothing' : some.map(([kind, count]) => `${figure(count)} ${nameOf(kind, count)}`).join(', ')
}

function nameOf(kind: string, count: number): string {
  if (kind === 'bank') return count === 1 ? 'bank entry' : 'bank entries'
  return count === 1 ? kind : `${kind}s`
}

/** Groups digits. Under a thousand there is nothing to group, and the first call of toLocaleString takes 4 ms. */
function figure(count: number): string {
  return count < 1_000 ? String(count) : count.toLocaleString('en')
}
