import type { BankNode } from '../bank/bank-node.ts'
import type { DigestAges, Frontier, FrontierOptions } from '../bank/frontier.ts'
import type { LoadedNodes } from '../bank/nodes.ts'
import { memberKey } from '../bank/member-label.ts'
import { frontierWithNewest, newestLineAlone, newestTalk } from '../bank/newest-line.ts'
import { entryText } from '../bank/render.ts'
import { bankSettings } from '../bank/settings.ts'
import type { BankEntry } from '../bank/show-frontier.ts'
import type { ShownBanks } from '../bank/shown-banks.ts'
import { withoutOwnTalk } from '../bank/told-once.ts'
import type { Tokenizer } from '../models/tokenizer.ts'
import { partitionId, type PartitionId, type SessionName } from '../scope/partition.ts'
import { itemsOfSession } from '../storage/derived/items.ts'
import { findSessionRow } from '../storage/log/sessions.ts'
import { findDerived, findPartition, type PartitionRow, projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { BankMarks } from './bank-marks.ts'
import type { Candidate } from './candidates.ts'
import type { Omission } from './context.ts'

/** A bank that may be shown. */
export interface LoadedBank extends LoadedNodes {
  readonly title: string
  readonly timeZone: string
  readonly isShared: boolean
  /** The last ordinal of its partition. */
  readonly upTo: number
  /** The most tokens that its project allows. */
  readonly maxTokens: number
  readonly memberShare: number
  readonly ages: DigestAges
  /** The entries of the session whose newest turns the context shows. */
  readonly running: ReadonlySet<number>
}

/** The banks that a context wants: their room, and the number of the session whose conversations are left out. */
interface WantedBanks {
  readonly maxTokens: number
  readonly now: number
  readonly excluded: number | undefined
  /** The number of the session whose newest turns are shown, if any. */
  readonly running: number | undefined
  /** Gives a bank as it stood at another time. Default: as it stands. */
  readonly as?: (bank: LoadedNodes, isShared: boolean) => Program<LoadedNodes>
}

/** Loads the user's own bank and the project's shared one, where they hold something. Only in the own one states are marked. */
export function* banksOf(
  { banks: shown, marks }: { readonly banks: ShownBanks; readonly marks: BankMarks },
  partition: PartitionId,
  { maxTokens, now, excluded, running, as }: WantedBanks,
): Program<readonly LoadedBank[]> {
  const leaves = yield* leavesOf(partition, excluded)
  const ofRunning = yield* leavesOf(partition, running)
  const settings = bankSettings(yield* projectSettings(partition.project))
  const budget = Math.min(maxTokens, settings.maxTokens)
  const banks: LoadedBank[] = []
  for (const { owner, title, isShared } of [
    { owner: yield* findDerived(partition), title: '', isShared: false },
    {
      owner: yield* findDerived(partitionId(partition.project, { kind: 'shared' })),
      title: 'By all members of this project. A line begins with the member whose words it rests on:',
      isShared: true,
    },
  ]) {
    const loaded = owner === undefined ? undefined : yield* shown.nodes(owner, budget, isShared)
    if (loaded === undefined || owner === undefined || loaded.nodes.length === 0) continue
    const told =
      as === undefined ? (isShared ? loaded : (yield* marks.marking(partition, now)(loaded)).loaded) : yield* as(loaded, isShared)
    const all = told.nodes.filter(({ version }) => !leaves.has(leafKey(owner.id, version)))
    const nodes = isShared ? yield* toldOnce(shown, partition, owner, all) : all
    const shownAlready = new Set(nodes.flatMap(({ version }) => (ofRunning.has(leafKey(owner.id, version)) ? [version] : [])))
    if (nodes.length > 0)
      banks.push({ ...told, ...settings, nodes, title, isShared, upTo: owner.seq, maxTokens: budget, running: shownAlready })
  }
  return banks
}

/** Leaves out of the project's bank what the user's own bank tells. The same talk twice would take the room of others. */
function* toldOnce(
  shown: ShownBanks,
  partition: PartitionId,
  shared: PartitionRow,
  nodes: readonly BankNode[],
): Program<readonly BankNode[]> {
  const [own, source] = [yield* findDerived(partition), yield* findPartition(partition)]
  if (own === undefined || source === undefined) return nodes
  return withoutOwnTalk(nodes, memberKey(partition.owner), yield* shown.toldByShared(shared, source.id, own))
}

/** Finds the number of a session. */
export function* numberOfSession(partition: PartitionId, session: SessionName | undefined): Program<number | undefined> {
  const source = session === undefined ? undefined : yield* findPartition(partition)
  const row = session === undefined || source === undefined ? undefined : yield* findSessionRow(source.id, session)
  return row?.id
}

/** Finds the entries of a session in both banks. A digest that covers one of them is of other conversations too, and stays. */
function* leavesOf(partition: PartitionId, session: number | undefined): Program<ReadonlySet<string>> {
  const source = session === undefined ? undefined : yield* findPartition(partition)
  const items = session === undefined || source === undefined ? [] : yield* itemsOfSession(source.id, session)
  return new Set(items.map(({ partition_id: bank, ord }) => leafKey(bank, ord)))
}

function leafKey(bank: number | undefined, ord: number): string {
  return `${bank} ${ord}`
}

/** Gives the messages that ended states which an entry tells. A digest may tell those of any entry below it. */
function endedUnder({ nodes }: LoadedBank, { id, granularity }: BankEntry): readonly string[] {
  return nodes.filter((node) => granularity !== 'conversation' || node.id === id).flatMap((node) => node.endedBy ?? [])
}

/** The least room of a bank, in tokens. In less it has one line of the newest talk: the other tiers use the room better. */
const leastBlockTokens = 100

/** The room of that line, with its heading and label, and the part of a context's room that it may take. */
const lineTokens = 64
const mostOfRoom = 0.25

/** The banks' text for a room. Each call of `within` chooses anew. */
export class BankBlocks {
  readonly #banks: readonly LoadedBank[]
  readonly #now: number
  readonly #tokenizer: Tokenizer
  #shown: readonly Frontier[] = []
  #room = 0
  #isLine = false

  constructor(banks: readonly LoadedBank[], now: number, tokenizer: Tokenizer) {
    this.#banks = banks
    this.#now = now
    this.#tokenizer = tokenizer
  }

  /** The tokens of the last choice. */
  get room(): number {
    return this.#room
  }

  /** The last ordinals of the user's own and the shared bank; 0 for one that is not shown. */
  get upTo(): readonly [own: number, shared: number] {
    const of = (shared: boolean): number => this.#banks.find(({ isShared }) => isShared === shared)?.upTo ?? 0
    return [of(false), of(true)]
  }

  get isEmpty(): boolean {
    return this.#banks.length === 0
  }

  /** True when more room would add nothing. */
  get isWhole(): boolean {
    return (
      this.#shown.length === this.#banks.length &&
      this.#shown.every(
        ({ entries, omitted }) =>
          omitted === 0 && entries.every(({ granularity, bulletsDropped }) => granularity === 'conversation' && bulletsDropped === 0),
      )
    )
  }

  /** Conversations that were left out, and those that only a digest tells. */
  get omitted(): readonly Omission[] {
    const counted = (of: (shown: Frontier) => number): number => this.#shown.reduce((sum, shown) => sum + of(shown), 0)
    const out = counted(({ omitted }) => omitted)
    const inDigests = counted(({ entries }) =>
      entries.reduce(
        (sum, { granularity, besideDigest, conversations }) => (granularity === 'conversation' || besideDigest ? sum : sum + conversations),
        0,
      ),
    )
    return [
      { tier: 'bank' as const, count: out, reason: 'older conversations do not fit the budget' },
      { tier: 'bank' as const, count: inDigests, reason: 'older conversations are told by digests alone' },
    ].filter(({ count }) => count > 0)
  }

  /** True when there was room for one line of the newest talk alone. */
  get isLine(): boolean {
    return this.#isLine
  }

  /** Gives the least part of a context's room that lets the newest talk be told; 0 where the context shows that talk anyway. */
  leastShare(room: number): number {
    return room > 0 && this.#newest() !== undefined ? Math.min(mostOfRoom, lineTokens / room) : 0
  }

  /** Gives a block for each bank, each with an equal part of the room. */
  within(tokens: number): Candidate[] {
    this.#room = tokens
    const each = Math.floor(tokens / Math.max(1, this.#banks.length))
    this.#isLine = each < leastBlockTokens
    if (this.#isLine) return this.#line(tokens)
    this.#shown = this.#banks.map((bank) => frontierWithNewest(bank.nodes, this.#options(bank, each)))
    // The context has a preamble of its own.
    return this.#shown.flatMap((shown, place) => this.#candidates(place, shown, shown.text.slice(shown.text.indexOf('\n') + 1)))
  }

  #line(tokens: number): Candidate[] {
    const newest = this.#newest()
    const bank = this.#banks[newest ?? 0]
    const line = newest === undefined || bank === undefined ? undefined : newestLineAlone(bank.nodes, this.#options(bank, tokens))
    this.#shown = line === undefined ? [] : [line]
    return line === undefined ? [] : this.#candidates(newest ?? 0, line, line.text)
  }

  /** Finds the bank of the newest talk. Undefined when the context shows that talk by itself, as its newest turns. */
  #newest(): number | undefined {
    let [found, last]: [number | undefined, number] = [undefined, Number.NEGATIVE_INFINITY]
    for (const [place, { nodes, running }] of this.#banks.entries()) {
      const talk = newestTalk(nodes)
      if (talk === undefined || talk.lastAt <= last) continue
      found = running.has(talk.version) ? undefined : place
      last = talk.lastAt
    }
    return found
  }

  #options(bank: LoadedBank, tokens: number): FrontierOptions {
    return {
      maxTokens: Math.min(tokens - this.#tokenizer.count(`${bank.title}\n`), bank.maxTokens),
      now: this.#now,
      timeZone: bank.timeZone,
      count: this.#tokenizer.count,
      omittedBefore: bank.omittedBefore,
      memberShare: bank.memberShare,
      ages: bank.ages,
    }
  }

  #candidates(place: number, { text, entries }: Frontier, body: string): Candidate[] {
    const bank = this.#banks[place]
    if (bank === undefined || text === '') return []
    const parts = entries.map((entry) => ({
      id: entry.id ?? `${entry.granularity} ${entry.period}`,
      reason: `the bank's ${entry.granularity} of ${entry.period}`,
      line: entryText(entry),
      made: { by: endedUnder(bank, entry) },
    }))
    const line = bank.title === '' ? body : `${bank.title}\n${body}`
    return [{ tier: 'bank', id: `bank ${place}`, reason: 'the bank', parts, line, at: 0, seq: place, session: String(place) }]
  }
}
