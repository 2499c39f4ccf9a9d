import { type GoneWords, hasWrittenWords, wordsOfGone } from '../blocks/forget-sentences.ts'
import { passagesAtOnce } from '../pages/index-page.ts'
import { type ForgetSelection, isWholeSession } from '../storage/erase/forget-selection.ts'
import {
  lookOn,
  messagesGoingWith,
  ownerFor,
  type Search,
  searchIn,
  type ShownUpTo,
  type Weighed,
  withGoing,
} from '../storage/erase/meant.ts'
import { type ErasureBounds, isMuchLeftIn, olderUnder, pagesUnder, sessionsUnder } from '../storage/erase/turns.ts'
import { citationsOf } from '../storage/known/assertions.ts'
import { contextsOf } from '../storage/log/contexts.ts'
import { passageOrdinals } from '../storage/pages/page-state.ts'
import { findDerivedOf, findKnownOf, nearTo, type PartitionRow } from '../storage/partitions.ts'
import { abreast, type Program } from '../storage/program.ts'
import { hasManyTombstones } from '../storage/segment/tombstones.ts'
import { importsUnder } from '../storage/transfer/drop-imports.ts'
import type { PartitionId } from '../scope/partition.ts'

// Most forgets are small: one transaction takes all of it. One look before it, in few steps, tells so.

/** What one transaction takes: the messages, those that go with them included, and their words where they are compared. */
export interface Short {
  readonly meant: readonly Weighed[]
  readonly words: GoneWords | undefined
}

/** What a forget finds before it erases. */
export interface LookedAhead {
  readonly search: Search
  /** Undefined when something has to go in transactions of its own. */
  readonly short: Short | undefined
}

interface Asked {
  readonly partition: PartitionId
  readonly selection: ForgetSelection
  readonly bounds: ErasureBounds
}

/**
 * Looks for what a selection erases, and whether one transaction takes all of it. Undefined in an empty partition. All of
 * a user is never taken for short.
 */
export function* lookAhead({ partition, selection, bounds }: Asked, shown?: ShownUpTo): Program<LookedAhead | undefined> {
  const owner = yield* ownerFor(partition, shown)
  if (owner === undefined) return undefined
  if (selection.all === true) return { search: yield* searchIn(owner, selection), short: undefined }
  const [{ search, meant }, { near, isMuch, hasWords }] = yield* abreast([
    searchShort(owner, selection, bounds, shown !== undefined),
    lookAround(owner, selection, bounds),
  ])
  if (isMuch || meant === undefined || !(yield* isShortUnder(search, near, meant, bounds))) return { search, short: undefined }
  const ords = meant.map(({ ord }) => ord)
  return { search, short: { meant, words: hasWords ? yield* wordsOfGone(owner.id, ords) : undefined } }
}

/** What stands around a selection's messages. */
interface Around {
  readonly near: string
  /** True when something of it goes in transactions of its own. */
  readonly isMuch: boolean
  /** True when blocks or notes may have words of the messages. */
  readonly hasWords: boolean
}

function* lookAround(owner: PartitionRow, selection: ForgetSelection, bounds: ErasureBounds): Program<Around> {
  const { id: partition, project_id: project } = owner
  const most = bounds.contexts
  const [shared, tombstones, own, ofAll, isMuchLeft, hasWords] = yield* abreast([
    importsNear(owner),
    abreast([hasManyTombstones(partition), hasManyIn(findDerivedOf(partition)), hasManyIn(findKnownOf(partition))]),
    contextsOf({ partition }, most + 1),
    contextsOf({ project }, most + 1),
    isMuchLeftIn(owner, selection, bounds),
    hasWrittenWords(partition),
  ])
  const isMuch = shared.hasImports || tombstones.includes(true) || own.length > most || ofAll.length > most || isMuchLeft
  return { near: shared.near, isMuch, hasWords }
}

function* importsNear(owner: PartitionRow): Program<{ readonly near: string; readonly hasImports: boolean }> {
  const near = yield* nearTo(owner.id)
  return { near, hasImports: (yield* importsUnder(owner, near)).length > 0 }
}

function* hasManyIn(finding: Program<PartitionRow | undefined>): Program<boolean> {
  const partition = yield* finding
  return partition !== undefined && (yield* hasManyTombstones(partition.id))
}

interface SearchedShort {
  readonly search: Search
  /** Undefined when one look does not find all of them, or one transaction does not take them. */
  readonly meant: readonly Weighed[] | undefined
}

function* searchShort(owner: PartitionRow, selection: ForgetSelection, bounds: ErasureBounds, isShown: boolean): Program<SearchedShort> {
  const search = yield* searchIn(owner, selection)
  const { meant, next } = yield* lookOn(search, 0)
  if (next !== undefined || slicesOf(meant, bounds).length > 1) return { search, meant: undefined }
  // They stand in the same session: one that goes whole has them.
  if (isWholeSession(selection) && !isShown) return { search, meant }
  const all = withGoing(yield* messagesGoingWith(owner, meant), meant)
  return { search, meant: slicesOf(all, bounds).length > 1 ? undefined : all }
}

/** Tells whether one transaction takes everything that rests on some messages. */
function* isShortUnder(search: Search, near: string, meant: readonly Weighed[], bounds: ErasureBounds): Program<boolean> {
  const said = yield* sessionsUnder(search, meant)
  if (said.length > bounds.sessions) return false
  const places = new Map(Map.groupBy(meant, ({ session_id: session }) => session))
  const [{ pages }, citations] = yield* abreast([
    pagesUnder(search, said, false, near),
    abreast([...places.keys()].map((session) => citationsOf(near, session))),
  ])
  const seqs = [...places.values()].map((some) => new Set(some.map(({ seq }) => seq)))
  const cited = citations.map((some, place) => some.filter(({ seq }) => seqs[place]?.has(seq)).length)
  // A citation stands for one fact that goes, or for one source that a fact loses. So there are no more of these.
  if (cited.reduce((sum, count) => sum + count, 0) > bounds.facts || pages.length > bounds.pages) return false
  const [passages, older] = yield* abreast([
    abreast(pages.map(({ page }) => passageOrdinals(near, page.id))),
    abreast(pages.map((page) => olderUnder(page, bounds))),
  ])
  return passages.flat().length <= passagesAtOnce && older.every((groups) => groups === undefined)
}

/** Cuts messages into lists that one transaction takes each. */
export function slicesOf(meant: readonly Weighed[], { messages, bytes }: ErasureBounds): Weighed[][] {
  const slices: Weighed[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const one of meant) {
    size += one.bytes
    const last = slices.at(-1)
    if (last === undefined || last.length >= messages || size > bytes) {
      slices.push([one])
      size = one.bytes
    } else last.push(one)
  }
  return slices
}
