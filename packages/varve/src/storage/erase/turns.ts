import { dropDeedsOfSessions } from '../deeds/deeds.ts'
import type { Needles } from '../needles.ts'
import type { NewReceipt } from './erases.ts'
import { pageState } from '../pages/page-state.ts'
import { pageIdsOf } from '../pages/pages.ts'
import { revisionOutlines } from '../pages/page-revisions.ts'
import { derivedKind, findPartition, nearTo, partitionById, type PartitionRow, projectParts, savePartition } from '../partitions.ts'
import { abreast, type Program } from '../program.ts'
import type { PartitionId } from '../../scope/partition.ts'
import {
  countsOfPages,
  type DoomedPage,
  eraseOlderLines,
  erasePageLines,
  erasePages,
  eraseSpans,
  pagesFrom,
  tells,
} from './page-erasure.ts'
import { type Counts, eraseMessages, eraseParts, eraseSession } from './erasure.ts'
import { type DoomedFacts, eraseFacts, factsUnder, withOrphans } from './fact-erasure.ts'
import { type ForgetSelection, isWholeSession } from './forget-selection.ts'
import { addedByHand, saidIn, someEmptySessions } from './selected.ts'
import { type Doomed, type Search, stillThere } from './meant.ts'
import { noteTurn } from './receipts.ts'
import type { PageFactTable } from '../page-tables.ts'
import type { SessionTable } from '../schema.ts'

/** The most that one transaction of an erasure takes out: some 5 to 30 ms of a processor each. */
export interface ErasureBounds {
  readonly messages: number
  /** Bytes of messages and of everything erased with them. A larger message goes alone. */
  readonly bytes: number
  readonly facts: number
  readonly pages: number
  readonly contexts: number
  readonly sessions: number
  /** Partitions of an erased project. */
  readonly partitions: number
}

export const turnBounds: ErasureBounds = {
  messages: 250,
  bytes: 2 * 1024 * 1024,
  facts: 200,
  pages: 4,
  contexts: 500,
  sessions: 250,
  partitions: 10,
}

/**
 * The bounds on a full disk: one transaction. Each transaction writes the pages of indexes anew, and several need three
 * times the space.
 */
export const wholeBounds: ErasureBounds = {
  messages: Number.MAX_SAFE_INTEGER,
  bytes: Number.MAX_SAFE_INTEGER,
  facts: Number.MAX_SAFE_INTEGER - 1,
  pages: Number.MAX_SAFE_INTEGER,
  contexts: Number.MAX_SAFE_INTEGER - 1,
  sessions: Number.MAX_SAFE_INTEGER - 1,
  partitions: Number.MAX_SAFE_INTEGER,
}

/** One erasure that takes several transactions: its partition, receipt and bounds. */
export interface ErasureInTurns {
  readonly partition: PartitionId
  /** The number of the partition when it was found. A partition that is forgotten and made anew has another. */
  readonly owner: number
  readonly selection: ForgetSelection
  readonly receipt: NewReceipt
  readonly now: number
  readonly needles: Needles
  readonly bounds: ErasureBounds
}

/** A page that loses lines, as it was read. */
export interface PageSeen {
  readonly page: DoomedPage
  readonly revision: number
}

/** A session, and the places of its messages to erase; undefined when all of it goes. */
export type SaidIn = readonly [session: number, seqs: readonly number[] | undefined]

/** Returns the sessions of the messages that a search found. */
export function* sessionsUnder({ owner, selection, session }: Search, doomed: readonly Doomed[]): Program<readonly SaidIn[]> {
  return [...(yield* saidIn(owner, { doomed, session: isWholeSession(selection) ? session : undefined }, selection))]
}

/** Pages, and the facts that wait to be worked into them. */
export interface PagesSeen {
  readonly pages: readonly PageSeen[]
  readonly facts: readonly PageFactTable[]
}

/**
 * Returns the pages that lose lines to messages of some sessions, or go. With `hasOwn`, adds all pages of an owner who
 * is forgotten.
 */
export function* pagesUnder({ owner, selection }: Search, said: readonly SaidIn[], hasOwn: boolean, around?: string): Program<PagesSeen> {
  const { pages, facts } = yield* pagesFrom(owner.id, around ?? (yield* nearTo(owner.id)), new Map(said))
  const own = selection.all === true && hasOwn ? (yield* pageIdsOf(owner.id)).map((page) => ({ ...page, doomed: undefined })) : []
  const all = [...new Map([...pages, ...own].map((page) => [page.id, page])).values()]
  const states = yield* abreast(all.map((page) => pageState(page.partition_id, page.id)))
  return { pages: all.map((page, place) => ({ page, revision: states[place]?.revision ?? 0 })), facts }
}

/**
 * Returns lists of a page's older revisions that have lines to erase, each list for one transaction. Returns undefined
 * when one transaction can change the whole page.
 */
export function* olderUnder(
  { page, revision }: PageSeen,
  { bytes: most }: ErasureBounds,
): Program<readonly (readonly number[])[] | undefined> {
  const { doomed } = page
  if (doomed === undefined) return undefined
  const changed = (yield* revisionOutlines(page)).filter((one) => doomed.has(one.revision) || tells(one, doomed))
  if (changed.length < 2 || changed.reduce((sum, one) => sum + one.bytes, 0) <= most) return undefined
  const groups: number[][] = [[]]
  let bytes = 0
  for (const one of changed.filter((older) => older.revision < revision && tells(older, doomed))) {
    if (bytes > 0 && bytes + one.bytes > most) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(one.revision)
    bytes += one.bytes
  }
  return groups.filter((group) => group.length > 0)
}

/** Merges the pages seen under several sessions: for each page all lines to erase. */
export function togetherSeen(seen: readonly PagesSeen[]): PagesSeen {
  const pages = [
    ...Map.groupBy(
      seen.flatMap((one) => one.pages),
      ({ page }) => page.id,
    ).values(),
  ].flatMap((some) =>
    some.slice(0, 1).map((one) => {
      const doomed = some.map(({ page }) => page.doomed)
      const isWhole = doomed.includes(undefined)
      return { ...one, page: { ...one.page, doomed: isWhole ? undefined : new Set(doomed.flatMap((revisions) => [...(revisions ?? [])])) } }
    }),
  )
  return { pages, facts: seen.flatMap((one) => one.facts) }
}

/** Erases the facts that wait for pages: from then on no new page takes its name from them. */
export function* erasePageFacts({ receipt, now, needles }: ErasureInTurns, facts: readonly PageFactTable[]): Program<void> {
  yield* erasePageLines({ near: '', pages: [], facts }, needles)
  yield* noteTurn(receipt, { message: 0 }, now)
}

/** Takes lines out of some older revisions of a page, if the page is as it was seen. */
export function* eraseOlder(
  { receipt, now, needles }: ErasureInTurns,
  { page, revision }: PageSeen,
  revisions: readonly number[],
): Program<void> {
  const state = yield* pageState(page.partition_id, page.id)
  if (page.doomed === undefined || state?.revision !== revision) return
  yield* eraseOlderLines(page, page.doomed, revisions, needles)
  yield* raise(state.partition_id)
  yield* noteTurn(receipt, { message: 0 }, now)
}

/**
 * Takes lines out of the pages that are as they were seen, and returns those pages. The last transaction does the
 * others. eraseSomeSpans() blanks the spans of long pages.
 */
export function* erasePagesAhead(
  { partition, receipt, now, needles, bounds }: ErasureInTurns,
  seen: readonly PageSeen[],
): Program<readonly DoomedPage[]> {
  const states = yield* abreast(seen.map(({ page }) => pageState(page.partition_id, page.id)))
  const pages = seen.flatMap(({ page, revision }, place) => (states[place]?.revision === revision ? [page] : []))
  const owner = yield* findPartition(partition)
  if (pages.length === 0 || owner === undefined) return []
  yield* erasePages({ near: yield* nearTo(owner.id), pages, facts: [] }, needles, bounds.bytes)
  // A reader that was shown a page and has not noted it yet must not note it.
  for (const id of new Set([owner.id, ...states.flatMap((state) => state?.partition_id ?? [])])) yield* raise(id)
  yield* noteTurn(receipt, { message: 0, ...countsOfPages({ pages }) }, now)
  return pages
}

/** Blanks the spans of some revisions without a remaining line. Returns whether there are more. */
export function* eraseSomeSpans({ receipt, now, bounds }: ErasureInTurns, page: DoomedPage): Program<boolean> {
  const isMore = page.doomed !== undefined && (yield* eraseSpans(page, page.doomed, bounds.bytes))
  yield* noteTurn(receipt, { message: 0 }, now)
  return isMore
}

function* raise(id: number): Program<void> {
  const row = yield* partitionById(id)
  if (row !== undefined) yield* savePartition({ ...row, epoch: row.epoch + 1 })
}

/**
 * Takes some messages out with everything that rests on them. When that is more facts than one transaction takes, it
 * takes some facts only. Returns whether the messages are gone.
 */
export function* eraseSome(
  { partition, owner: known, receipt, now, needles, bounds }: ErasureInTurns,
  some: readonly Doomed[],
): Program<boolean> {
  const owner = yield* findPartition(partition)
  const doomed = owner?.id === known ? yield* stillThere(owner, some) : []
  if (owner === undefined || doomed.length === 0) return true
  const found = { doomed, session: undefined }
  const facts = someOf(yield* factsUnder(owner.id, yield* saidIn(owner, found, {}), bounds.facts + 1), bounds)
  const counts =
    facts === undefined ? yield* eraseMessages(owner, found, {}, needles) : { message: 0, ...(yield* eraseOnly(facts, needles)) }
  yield* noteTurn(receipt, counts, now)
  return facts === undefined
}

/** Tells whether more facts rest on some messages than one transaction takes. */
export function* isMuchUnder({ partition, bounds }: ErasureInTurns, doomed: readonly Doomed[]): Program<boolean> {
  const owner = yield* findPartition(partition)
  return (
    owner !== undefined &&
    someOf(yield* factsUnder(owner.id, yield* saidIn(owner, { doomed, session: undefined }, {}), bounds.facts + 1), bounds) !== undefined
  )
}

/** Returns as many facts as one transaction takes; undefined when it can take all of them. */
function someOf({ assertions, citations }: DoomedFacts, { facts }: ErasureBounds): DoomedFacts | undefined {
  if (assertions.length + citations.length <= facts) return undefined
  return { assertions: assertions.slice(0, facts), citations: citations.slice(0, Math.max(0, facts - assertions.length)) }
}

function* eraseOnly(facts: DoomedFacts, needles: Needles): Program<Counts> {
  const count = yield* eraseFacts(yield* withOrphans(facts), needles)
  return count > 0 ? { fact: count } : {}
}

/** The step that erases some of a selection's content beyond messages and pages, when the last transaction cannot take it all. */
type Leftover = (needles: Needles) => Program<Counts>

function* leftoverOf({ partition, selection, bounds }: ErasureInTurns): Program<Leftover | undefined> {
  const owner = yield* findPartition(partition)
  return owner === undefined ? undefined : yield* leftoverIn(owner, selection, bounds)
}

function* leftoverIn(owner: PartitionRow, selection: ForgetSelection, bounds: ErasureBounds): Program<Leftover | undefined> {
  const byHand = yield* addedByHand(owner, selection, bounds.facts + 1)
  if (byHand.length > bounds.facts) return (needles) => eraseOnly({ assertions: byHand.slice(0, bounds.facts), citations: [] }, needles)
  if (selection.all !== true) return undefined
  const sessions = yield* someEmptySessions(owner.id, bounds.sessions + 1)
  return sessions.length <= bounds.sessions ? undefined : (needles) => dropSessions(owner.id, sessions, needles)
}

function* dropSessions(partition: number, sessions: readonly SessionTable[], needles: Needles): Program<Counts> {
  yield* dropDeedsOfSessions(
    yield* nearTo(partition),
    sessions.map(({ id }) => id),
  )
  yield* abreast(sessions.map((session) => eraseSession(session, needles)))
  return { session: sessions.length }
}

/** Tells whether more content remains, beside messages and pages, than the last transaction takes. */
export function* isMuchLeft(turns: ErasureInTurns): Program<boolean> {
  return (yield* leftoverOf(turns)) !== undefined
}

/** Tells the same of a partition that was found. */
export function* isMuchLeftIn(owner: PartitionRow, selection: ForgetSelection, bounds: ErasureBounds): Program<boolean> {
  return (yield* leftoverIn(owner, selection, bounds)) !== undefined
}

/** Erases some of that remaining content. */
export function* eraseLeftover(turns: ErasureInTurns): Program<void> {
  const erase = yield* leftoverOf(turns)
  if (erase !== undefined) yield* noteTurn(turns.receipt, { message: 0, ...(yield* erase(turns.needles)) }, turns.now)
}

/** Erases some partitions of a project that has more than one transaction takes. Returns whether there may be more. */
export function* eraseSomeParts(
  project: string,
  receipt: NewReceipt,
  now: number,
  needles: Needles,
  { partitions }: ErasureBounds,
): Program<boolean> {
  const owned = ((yield* projectParts(project))?.partitions ?? []).filter((part) => part.owner_kind < derivedKind)
  if (owned.length <= partitions) return false
  yield* noteTurn(receipt, yield* eraseParts(owned.slice(0, partitions), needles), now)
  return true
}
