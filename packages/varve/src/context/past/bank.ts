import { nearTo } from '../../storage/partitions.ts'
import { entryText } from '../../bank/render.ts'
import type { LoadedNodes } from '../../bank/nodes.ts'
import type { ShownBanks } from '../../bank/shown-banks.ts'
import type { Tokenizer } from '../../models/tokenizer.ts'
import { findItem } from '../../storage/derived/items.ts'
import type { ShownItem } from '../../storage/log/past-contexts.ts'
import type { Program } from '../../storage/program.ts'
import { type BankMarks, markedNodes } from '../bank-marks.ts'
import { BankBlocks, banksOf, type LoadedBank } from '../banks.ts'
import type { Candidate } from '../candidates.ts'
import { shownLineHash } from '../shown-record.ts'
import { type PastInput, type Remade, remade } from './remade.ts'

/** The means to render banks again. */
export interface BankMeans {
  readonly tokenizer: Tokenizer
  readonly banks: ShownBanks
  readonly marks: BankMarks
}

/** The entries of the banks in a context, and the blocks that are byte for byte as they were, by group. */
export interface RemadeBank {
  readonly items: readonly Remade[]
  readonly whole: ReadonlyMap<number, string>
}

/**
 * Renders the banks again, of the entries that there were: a later entry has a higher ordinal. An entry that was written
 * anew since has lost its old words; then the block is made of the single entries.
 */
export function* remadeBank(input: PastInput, means: BankMeans, items: readonly ShownItem[]): Program<RemadeBank> {
  const { shown, key } = input
  const { room = 0, hashes = [] } = shown.banks ?? {}
  const [loaded, candidates]: [LoadedBank[], Candidate[]] = [[], []]
  for (const asOf of [input.at, Number.POSITIVE_INFINITY]) {
    const banks = yield* banksThen(input, means, asOf)
    loaded.push(...banks)
    candidates.push(...new BankBlocks(banks, input.at, means.tokenizer).within(room))
  }
  const whole = new Map<number, string>()
  for (const [place, hash] of hashes.entries()) {
    const same = candidates.find((candidate) => shownLineHash(key, candidate) === hash)
    if (same !== undefined) whole.set(place + 1, same.line)
  }
  const made: Remade[] = []
  for (const item of items) made.push(yield* remadeEntry(input, item, candidates, loaded))
  return { items: made, whole }
}

function* banksThen({ partition, shown, at }: PastInput, { banks, marks }: BankMeans, asOf: number): Program<readonly LoadedBank[]> {
  const { upTo = [0, 0], excluded, running } = shown.banks ?? {}
  const as = function* ({ nodes, omittedBefore }: LoadedNodes, isShared: boolean): Program<LoadedNodes> {
    const then = nodes.filter(({ version }) => version <= upTo[isShared ? 1 : 0])
    return { nodes: isShared ? then : yield* markedNodes(partition, then, at, asOf), omittedBefore }
  }
  const limit = shown.tiers['bank']?.[1] ?? 0
  return yield* banksOf({ banks, marks }, partition, { maxTokens: Math.min(limit, shown.maxTokens), now: at, excluded, running, as })
}

function* remadeEntry(input: PastInput, item: ShownItem, candidates: readonly Candidate[], banks: readonly LoadedBank[]): Program<Remade> {
  const { id } = item
  if (id === undefined) return remade(input, item, undefined)
  const rendered = candidates.flatMap(({ parts = [] }) => parts.filter((part) => part.id === id))
  const nodes = banks.flatMap((bank) => bank.nodes.filter((node) => node.id === id))
  const forms = [...nodes, ...rendered].map((one) => ({ line: 'line' in one ? one.line : entryText(one) }))
  const stored = yield* findItem(yield* nearTo(input.owner.id), id)
  return remade(input, item, forms.length === 0 ? undefined : { forms, recordedAt: stored?.recorded_at })
}
