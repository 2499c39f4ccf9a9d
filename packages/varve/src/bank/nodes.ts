import { childrenOf, countUncoveredLeaves, digestsAt, entriesOnRung, type NamedItem, oldestUncoveredEntries, periodsAbove, pinnedEntries, topRung, uncoveredEntries } from '../storage/items.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { BankNode, NodeVersion } from './bank-node.ts'
import { granularities } from './granularity.ts'
import { granularityOf, periodOfPath } from './path.ts'

/** No entry is rendered in fewer tokens: a label and a short bullet. */
const leastTokensPerEntry = 12
const spareEntries = 10

/** A bank's entries as far as a budget can show them: the newest of each rung, what no digest covers, and pins. */
export interface LoadedNodes {
  readonly nodes: readonly BankNode[]
  /** Older leaves that are neither among the nodes nor covered by one. */
  readonly omittedBefore: number
}

/** Uncovered entries of a rung that are digested in one go. */
const mostOld = 2_000

/** Loads what digests may be made of: what a budget may show, and the oldest entries that no digest covers, by whole periods. */
export function* nodesToDigest(partition: number, maxTokens: number): Program<readonly BankNode[]> {
  // Titles are not digested.
  const { nodes } = yield* bankNodes(partition, maxTokens, true)
  const found = new Map(nodes.map((node) => [node.version, node]))
  const periods = new Set<string>()
  for (const [rung] of granularities.entries()) {
    const old = yield* oldestUncoveredEntries(partition, rung, mostOld)
    // The last period may go on beyond what was read: it is another time's.
    const cut = old.length < mostOld ? undefined : old.at(-1)?.period
    for (const item of old) {
      if (item.period === cut) continue
      found.set(item.ord, nodeOf(item))
      periods.add(item.period)
    }
  }
  // A digest of an old period may stand that does not cover all of it any more.
  for (const digest of yield* digestsAt(partition, placesAbove(periods))) found.set(digest.ord, nodeOf({ ...digest, session: null, name: null }))
  return [...found.values()]
}

/** What a project shares does not tell whose session it was, nor how that one is named. */
export function unnamed(item: NamedItem): NamedItem {
  return { ...item, session: null, name: null }
}

/** The digests of all periods in which some paths lie, each once. */
function placesAbove(paths: Iterable<string>): { rung: number; period: string }[] {
  const places = new Map<string, { rung: number; period: string }>()
  for (const period of paths) for (const place of periodsAbove({ rung: topRung - period.split('/').length, period })) places.set(place.period, place)
  return [...places.values()]
}

/** Loads what a budget of tokens may show. */
export function* bankNodes(partition: number, maxTokens: number, isShared: boolean): Program<LoadedNodes> {
  const limit = Math.ceil(maxTokens / leastTokensPerEntry) + spareEntries
  const items = new Map<number, NamedItem>()
  const add = (some: readonly NamedItem[]): void => some.forEach((item) => void items.set(item.ord, item))
  for (const [rung] of granularities.entries()) {
    add(yield* entriesOnRung(partition, rung, limit))
    add(yield* uncoveredEntries(partition, rung, limit))
  }
  add(yield* pinnedEntries(partition))
  const nodes = [...items.values()].map((item) => nodeOf(isShared ? unnamed(item) : item))
  const loaded = [...items.values()].filter(({ rung, covered_by: coveredBy }) => rung === 0 && coveredBy === 0).length
  return { nodes, omittedBefore: (yield* countUncoveredLeaves(partition)) - loaded }
}

export function nodeOf(item: NamedItem): BankNode {
  const title = item.name ?? item.session
  return {
    id: uuidText(item.uuid), version: item.ord, granularity: granularityOf(item.rung), period: periodOfPath(item.period), ...(title === null ? {} : { title }),
    bullets: item.content === '' ? [] : item.content.split('\n'), conversations: item.conversations, firstAt: item.first_at, lastAt: item.said_at,
    pinned: item.pinned === 1, children: versionsOf(item),
  }
}

/** A digest's children as they were when it was made. */
function versionsOf(item: NamedItem): readonly NodeVersion[] {
  return childrenOf(item).map(([version, id]) => ({ id, version }))
}
