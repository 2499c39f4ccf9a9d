import { NotFound } from '../errors/not-found.ts'
import type { Tokenizer } from '../models/tokenizer.ts'
import type { PartitionId } from '../scope/partition.ts'
import { itemKinds, pinnedEntries } from '../storage/derived/items.ts'
import { itemOf } from '../storage/derived/distilled.ts'
import { findDerived, projectSettings } from '../storage/partitions.ts'
import type { Listed, ListRequest } from '../storage/listed.ts'
import type { Program } from '../storage/program.ts'
import type { BankRecord, BankStats, RenderedBank } from './bank-entry.ts'
import type { Granularity } from './granularity.ts'
import { nodeOf } from './stored-node.ts'
import { type PinnedTokens, pinsFit } from './pins.ts'
import { countEntries, listEntries } from './read-bank.ts'
import { bankSettings } from './settings.ts'
import type { Marking, ShownBanks } from './shown-banks.ts'

/** Lists a partition's own bank, or with the owner `shared` its project's. */
export function* listBank(partition: PartitionId, granularity: Granularity | undefined, request: ListRequest): Program<Listed<BankRecord>> {
  const { items, ...page } = yield* listEntries(yield* findDerived(partition), granularity, request)
  if (partition.owner.kind !== 'shared') return { ...page, items }
  return { ...page, items: items.map(({ session: _session, name: _name, lineage: _lineage, ...entry }) => ({ ...entry, lineage: [] })) }
}

/** Renders the block for a prompt, under a budget in exact tokens; by default the project's. */
export function* renderedBank(
  banks: ShownBanks,
  partition: PartitionId,
  { maxTokens, now }: { maxTokens: number | undefined; now: number },
  tokenizer: Tokenizer,
  marking: Marking,
): Program<RenderedBank> {
  const settings = bankSettings(yield* projectSettings(partition.project))
  const budget = maxTokens ?? settings.maxTokens
  const owner = yield* findDerived(partition)
  if (owner === undefined) return { text: '', tokens: 0, maxTokens: budget, entries: [], omitted: 0 }
  const { text, tokens, entries, omitted } = yield* banks.render(
    owner,
    { maxTokens: budget, now, timeZone: settings.timeZone, isShared: partition.owner.kind === 'shared' },
    tokenizer,
    marking,
  )
  return { text, tokens, maxTokens: budget, entries, omitted }
}

export function* bankStats(
  banks: ShownBanks,
  partition: PartitionId,
  now: number,
  tokenizer: Tokenizer,
  marking: Marking,
): Program<BankStats> {
  const counts = yield* countEntries(yield* findDerived(partition))
  const { tokens, maxTokens, omitted } = yield* renderedBank(banks, partition, { maxTokens: undefined, now }, tokenizer, marking)
  return { ...counts, tokens, maxTokens, omitted }
}

/** Tells whether an entry can be pinned beside the pinned ones. NotFound for an entry that is not there. */
export function* pinFits(partition: PartitionId, id: string, tokenizer: Tokenizer): Program<PinnedTokens> {
  const { item, budget, others } = yield* pinsBeside(partition, id, tokenizer)
  return pinsFit([...others, nodeOf(item)], budget)
}

/**
 * Tells whether a pinned entry's new lines fit beside the other pins; undefined for an unpinned entry. NotFound for an
 * id that is not there.
 */
export function* correctionFits(
  partition: PartitionId,
  id: string,
  lines: readonly string[],
  tokenizer: Tokenizer,
): Program<PinnedTokens | undefined> {
  const { item, budget, others } = yield* pinsBeside(partition, id, tokenizer)
  return item.pinned === 1 ? pinsFit([...others, { ...nodeOf(item), bullets: lines }], budget) : undefined
}

/** Reads an entry, the other pinned entries, and the budget and counter of pins. */
function* pinsBeside(partition: PartitionId, id: string, tokenizer: Tokenizer) {
  const owner = yield* findDerived(partition)
  const item = owner === undefined ? undefined : yield* itemOf(owner.id, id)
  if (owner === undefined || item?.kind !== itemKinds.bank) throw new NotFound({ kind: 'bank entry', id })
  const { maxTokens } = bankSettings(yield* projectSettings(partition.project))
  const others = (yield* pinnedEntries(owner.id)).filter(({ ord }) => ord !== item.ord)
  return { item: { ...item, session: null, name: null }, budget: { maxTokens, count: tokenizer.count }, others: others.map(nodeOf) }
}
