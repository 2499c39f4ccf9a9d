import {
  countUncoveredLeaves,
  digestsOf,
  newestOnRung,
  oldestUncoveredOnRung,
  pinnedPlaces,
  titlesAt,
  uncoveredOnRung,
} from '../storage/derived/bank-places.ts'
import { periodsAbove, topRung } from '../storage/derived/items.ts'
import type { Program } from '../storage/program.ts'
import type { BankNode } from './bank-node.ts'
import { granularities } from './granularity.ts'
import { bankTokens } from './settings.ts'
import type { BankState, KeptNodes } from './kept-nodes.ts'

/** The least tokens of a rendered entry: a label and a short bullet. */
const leastTokensPerEntry = 12
const spareEntries = 10

/** The entries of a bank that a budget can show: the newest of each rung, entries that no digest covers, and pins. */
export interface LoadedNodes {
  readonly nodes: readonly BankNode[]
  /** Older leaves that are neither among the nodes nor covered by one. */
  readonly omittedBefore: number
}

/** The most uncovered entries of a rung that are digested in one go. */
const mostOld = 2_000

/** Loads the nodes for digests: nodes that a budget may show, and the oldest entries that no digest covers, by whole periods. */
export function* nodesToDigest(kept: KeptNodes, bank: BankState, maxTokens: number): Program<readonly BankNode[]> {
  const { ords, pins } = yield* placesWithin(bank.id, maxTokens)
  const periods = new Set<string>()
  for (const [rung] of granularities.entries()) {
    const old = yield* oldestUncoveredOnRung(bank.id, rung, mostOld)
    // The last period may go on beyond the nodes that were read: another turn digests it.
    const cut = old.length < mostOld ? undefined : old.at(-1)?.period
    for (const { ord, period } of old) {
      if (period === cut) continue
      ords.add(ord)
      periods.add(period)
    }
  }
  // An old period may have a digest that no longer covers all of it.
  for (const ord of yield* digestsOf(bank.id, placesAbove(periods))) ords.add(ord)
  return yield* kept.at(bank, ords, new Set(pins.map(({ ord }) => ord)))
}

/** Lists the digests of all periods in which some paths lie, each once. */
function placesAbove(paths: Iterable<string>): { rung: number; period: string }[] {
  const places = new Map<string, { rung: number; period: string }>()
  for (const period of paths)
    for (const place of periodsAbove({ rung: topRung - period.split('/').length, period })) places.set(place.period, place)
  return [...places.values()]
}

/** Loads the nodes that a budget of tokens may show. */
export function* bankNodes(kept: KeptNodes, bank: BankState, maxTokens: number): Program<LoadedNodes> {
  // One member's newest conversations would keep all others' from being loaded for a small room.
  const { ords, pins, uncovered } = yield* placesWithin(bank.id, bank.isShared ? Math.max(maxTokens, bankTokens.usual) : maxTokens)
  const nodes = yield* kept.at(bank, ords, new Set(pins.map(({ ord }) => ord)))
  const loaded = new Set([...uncovered, ...pins.filter(({ rung, isCovered }) => rung === 0 && !isCovered).map(({ ord }) => ord)]).size
  return { nodes: bank.isShared ? nodes : yield* titled(bank.id, nodes), omittedBefore: (yield* countUncoveredLeaves(bank.id)) - loaded }
}

/**
 * Finds the ordinals of the entries that a budget of tokens may show. Also gives the uncovered leaves among them, and
 * all pins.
 */
function* placesWithin(partition: number, maxTokens: number) {
  const limit = Math.ceil(maxTokens / leastTokensPerEntry) + spareEntries
  const pins = yield* pinnedPlaces(partition)
  const uncovered = yield* uncoveredOnRung(partition, 0, limit)
  const ords = new Set([...pins.map(({ ord }) => ord), ...uncovered])
  for (const [rung] of granularities.entries()) {
    for (const ord of yield* newestOnRung(partition, rung, limit)) ords.add(ord)
    for (const ord of rung === 0 ? [] : yield* uncoveredOnRung(partition, rung, limit)) ords.add(ord)
  }
  return { ords, pins, uncovered }
}

function* titled(partition: number, nodes: readonly BankNode[]): Program<readonly BankNode[]> {
  const titles = yield* titlesAt(
    partition,
    nodes.filter(({ granularity }) => granularity === 'conversation').map(({ version }) => version),
  )
  return nodes.map((node) => {
    const title = titles.get(node.version)
    return title === undefined ? node : { ...node, title }
  })
}
