import { NotFound } from '../errors/not-found.ts'
import type { Tokenizer } from '../models/tokenizer.ts'
import type { PartitionId } from '../scope/partition.ts'
import { itemKinds, itemsAt, type NamedItem, pinnedEntries } from '../storage/derived/items.ts'
import { itemOf } from '../storage/derived/distilled.ts'
import { findDerived, projectSettings } from '../storage/partitions.ts'
import type { Listed, ListRequest } from '../storage/listed.ts'
import type { Program } from '../storage/program.ts'
import type { BankRecord, BankStats, RenderedBank } from './bank-entry.ts'
import type { BankNode } from './bank-node.ts'
import type { Granularity } from './granularity.ts'
import { nodeOf, sharedNodeOf } from './stored-node.ts'
import { type PinnedTokens, pinsFit } from './pins.ts'
import { countEntries, listEntries } from './read-bank.ts'
import { bankSettings } from './settings.ts'
import type { Marking, ShownBanks } from './shown-banks.ts'

/** Lists a partition's own bank, or with the owner `shared` its project's. */
export function* listBank(partition: PartitionId, granularity: Granularity | undefined, request: ListRequest): Program<Listed<BankRecord>> {
  return yield* listEntries(yield* findDerived(partition), granularity, request, partition.owner.kind === 'shared')
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
    { ...settings, maxTokens: budget, now, isShared: partition.owner.kind === 'shared' },
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
  const { node, budget, others } = yield* pinsBeside(partition, id, tokenizer)
  return pinsFit([...others, node], budget)
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
  const { node, item, budget, others } = yield* pinsBeside(partition, id, tokenizer)
  return item.pinned === 1 ? pinsFit([...others, { ...node, bullets: lines }], budget) : undefined
}

/** Reads an entry, the other pinned entries, and the budget and counter of pins. */
function* pinsBeside(partition: PartitionId, id: string, tokenizer: Tokenizer) {
  const owner = yield* findDerived(partition)
  const found = owner === undefined ? undefined : yield* itemOf(owner.id, id)
  const [item] = owner === undefined || found?.kind !== itemKinds.bank ? [] : yield* itemsAt(owner.id, [found.ord])
  if (owner === undefined || item === undefined) throw new NotFound({ kind: 'bank entry', id })
  const { maxTokens } = bankSettings(yield* projectSettings(partition.project))
  const others: BankNode[] = []
  for (const pinned of yield* pinnedEntries(owner.id)) if (pinned.ord !== item.ord) others.push(yield* shownNode(partition, pinned))
  return { item, node: yield* shownNode(partition, item), budget: { maxTokens, count: tokenizer.count }, others }
}

/** Makes the node as the bank shows it. The bullets of a project's bank begin with their members. */
function* shownNode({ owner }: PartitionId, item: NamedItem): Program<BankNode> {
  return owner.kind === 'shared' ? yield* sharedNodeOf(item) : nodeOf(item)
}
