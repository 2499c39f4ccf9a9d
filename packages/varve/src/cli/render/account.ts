import type { UserMemory } from '../../user-memory.ts'
import { counted, harmless, paint } from '../terminal.ts'
import { shell } from '../shell.ts'

export type Context = Awaited<ReturnType<UserMemory['context']>>

const mostOmissions = 5

/** What a context is made of and why, and what was left out. For stderr. */
export function accountLines(context: Context): string[] {
  const left = context.omitted.length > 0
  const head =
    context.text === ''
      ? `0 tokens: ${left ? 'nothing that matches fits.' : 'nothing in this memory matches.'}`
      : `${counted(context.tokens, 'token')}, ${itemsOf(context)}, context ${context.id}`
  return [
    paint('bold', head, shell().stderr),
    ...context.sections.flatMap((section) => [
      `${section.tier}: ${counted(section.tokens, 'token')}`,
      ...section.items.map(({ id, tokens, reason }) => dim(`  ${String(tokens).padStart(5)}  ${id}  ${harmless(reason)}`)),
    ]),
    ...omissionLines(context),
    ...context.degraded.map((degraded) => `varve: warning: ${degraded}`),
  ]
}

type Tier = Context['sections'][number]['tier']

/** What the items of a tier are called; messages, where nothing else is said. */
const others: { readonly [Name in Tier]?: readonly [one: string, many: string] } = {
  blocks: ['block', 'blocks'],
  profile: ['fact', 'facts'],
  bank: ['bank entry', 'bank entries'],
  gists: ['gist', 'gists'],
  documents: ['document', 'documents'],
  notes: ['section of notes', 'sections of notes'],
}

/** `12 messages, 3 gists`: how much of what a context is made of. */
export function itemsOf({ sections }: Context): string {
  const messages = sections.filter(({ tier }) => others[tier] === undefined).flatMap(({ items }) => items).length
  const derived = sections.flatMap(({ tier, items }) => {
    const names = others[tier]
    return names === undefined || items.length === 0 ? [] : [counted(items.length, ...names)]
  })
  return [...(messages > 0 || derived.length === 0 ? [counted(messages, 'message')] : []), ...derived].join(', ')
}

function omissionLines({ omitted }: Context): string[] {
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
