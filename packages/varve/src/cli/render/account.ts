import type { UserMemory } from '../../memory/user-memory.ts'
import { counted, harmlessLine, paint } from '../terminal.ts'
import { shell } from '../shell.ts'

export type AssembledContext = Awaited<ReturnType<UserMemory['context']>>

const mostOmissions = 5

/** Lists the items of a context with their reasons, and the omissions. For stderr. */
export function accountLines(context: AssembledContext): string[] {
  const left = context.omitted.length > 0
  const head =
    context.text === ''
      ? `0 tokens: ${left ? 'nothing that matches fits.' : 'nothing in this memory matches.'}`
      : `${counted(context.tokens, 'token')}, ${itemCounts(context)}, context ${context.id}`
  return [
    paint('bold', head, shell().stderr),
    ...context.sections.flatMap((section) => [
      `${section.tier}: ${counted(section.tokens, 'token')}`,
      ...section.items.map(({ id, tokens, reason }) => dim(`  ${String(tokens).padStart(5)}  ${id}  ${harmlessLine(reason)}`)),
    ]),
    ...omissionLines(context),
    ...context.degraded.map((degraded) => `varve: warning: ${degraded}`),
  ]
}

type Tier = AssembledContext['sections'][number]['tier']

/** The names of a tier's items, where they differ from the tier's name. */
const others: { readonly [Name in Tier]?: string } = {
  persona: 'message',
  recent: 'message',
  details: 'message',
  profile: 'fact',
  bank: 'bank entry',
  notes: 'section of notes',
}
const plurals: Readonly<Record<string, string>> = { 'bank entry': 'bank entries', 'section of notes': 'sections of notes' }

/** Counts the items of a context by name: `12 messages, 3 gists`. */
export function itemCounts({ sections }: AssembledContext): string {
  const counts = new Map([['message', 0]])
  for (const { tier, items } of sections) {
    const name = others[tier] ?? tier.replace(/s$/, '')
    counts.set(name, (counts.get(name) ?? 0) + items.length)
  }
  const there = [...counts].filter(([, count]) => count > 0)
  return (there.length === 0 ? [...counts] : there).map(([name, count]) => counted(count, name, plurals[name])).join(', ')
}

function omissionLines({ omitted }: AssembledContext): string[] {
  if (omitted.length === 0) return []
  const count = omitted.reduce((sum, omission) => sum + omission.count, 0)
  const shown = omitted
    .slice(0, mostOmissions)
    .map(({ tier, id, reason }) => dim(`  ${tier}${id === undefined ? '' : ` ${id}`}: ${reason}`))
  const rest = omitted.length - shown.length
  return [`left out: ${count.toLocaleString('en')}`, ...shown, ...(rest > 0 ? [dim(`  and ${rest} more: --json has all of them`)] : [])]
}

function dim(line: string): string {
  return paint('dim', line, shell().stderr)
}
