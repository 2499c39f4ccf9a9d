import type { HistoryEntry } from './history.ts'
import type { FunctionCallReplacement } from './history-changes.ts'

/** An item as it stands after the replacements, its place, and the stored items that it takes the place of. */
export interface ReplacedCall<Item> {
  readonly item: Item
  readonly place: number
  readonly drops: readonly number[]
}

type Standing = ReplacedCall<unknown>

/**
 * Replaces function calls one mutation after the other. The first call of an id is replaced, and others of the id go. Gives
 * the calls that are to be stored.
 */
export function replacedCalls<Item>(
  entries: readonly HistoryEntry[],
  mutations: readonly FunctionCallReplacement<Item>[],
): readonly ReplacedCall<Item>[] {
  const stands: Standing[] = entries.map(({ item, place, seq }) => ({ item, place, drops: [seq] }))
  const made = new Map<Standing, Item>()
  for (const { callId, replacement } of mutations) {
    const meant = stands.filter(({ item }) => isCallOf(item, callId))
    const [first] = meant
    if (first === undefined) continue
    const next = { item: replacement, place: first.place, drops: meant.flatMap(({ drops }) => drops) }
    stands.splice(stands.indexOf(first), 1, next)
    for (const other of meant.slice(1)) stands.splice(stands.indexOf(other), 1)
    made.set(next, replacement)
  }
  return [...made].flatMap(([standing, item]) => (stands.includes(standing) ? [{ ...standing, item }] : []))
}

function isCallOf(item: unknown, callId: string): boolean {
  const { type, callId: id } = Object(item)
  return type === 'function_call' && id === callId
}
