import { setImmediate as nextTurn } from 'node:timers/promises'
import { forgetSentences, type GoneWords, goneWords } from '../blocks/forget-sentences.ts'
import { forgetNotes } from './forget-notes.ts'
import { lookAhead, slicesOf } from './look-ahead.ts'
import { dropAllContexts, dropContextsUnder } from '../storage/erase/contexts-ahead.ts'
import { replaceIn } from '../log/replace.ts'
import { unindexInTurns } from '../pages/unindex.ts'
import { type PartitionId, partitionId, type ProjectName } from '../scope/partition.ts'
import { inChunks } from '../storage/chunks.ts'
import { dropSomeAudit } from '../storage/doors/audit.ts'
import { type Erasure, eraseProject, forgetBeforeReceipt } from '../storage/erase/erasure.ts'
import { newReceipt } from '../storage/erase/erases.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import {
  type FoundMessages,
  type FoundBefore,
  messagesGoingWith,
  lookOn,
  type Search,
  searchFor,
  type ShownUpTo,
  type Weighed,
  withGoing,
} from '../storage/erase/meant.ts'
import {
  eraseOlder,
  erasePageFacts,
  erasePagesAhead,
  eraseLeftover,
  eraseSome,
  eraseSomeParts,
  eraseSomeSpans,
  isMuchLeft,
  isMuchUnder,
  olderUnder,
  type PageSeen,
  type PagesSeen,
  pagesUnder,
  sessionsUnder,
  togetherSeen,
  type ErasureBounds,
  turnBounds,
  type ErasureInTurns,
} from '../storage/erase/turns.ts'
import { noteTurn, type Receipt, saveReceipt } from '../storage/erase/receipts.ts'
import type { WritingHere } from '../storage/here.ts'
import { Needles } from '../storage/needles.ts'
import { derivedKind, findDerivedOf, findKnownOf, ownerKinds, type ProjectPart, projectParts } from '../storage/partitions.ts'
import { abreast, type Program, runLast, runList } from '../storage/program.ts'
import { dropImportsAhead } from '../storage/transfer/drop-imports-ahead.ts'
import { dropTombstones, hasManyTombstones } from '../storage/segment/tombstones.ts'
import type { EditedById } from '../storage/versions.ts'

/**
 * Erases the selected messages, in as many transactions as needed. Each takes out some messages with everything that
 * rests on them; the last one takes out the rest, and later ones unless a person was shown what goes. When one fails,
 * the erasures before it stand, and their receipt tells of them.
 */
export async function forgetInTurns(
  here: WritingHere,
  partition: PartitionId,
  selection: ForgetSelection,
  bounds = turnBounds,
  shown?: ShownUpTo,
): Promise<Erasure> {
  const receipt = newReceipt(here.now, { what: 'messages', of: partition, selection })
  const asked = { partition, selection, receipt, now: here.now, needles: new Needles(), bounds }
  const { left, words } = await eraseAhead(here, asked, shown)
  return await here.write(() => eraseRest(asked, left, words), left?.meant.length)
}

function* eraseRest(asked: Omit<ErasureInTurns, 'owner'>, left: FoundBefore | undefined, words: GoneWords | undefined): Program<Erasure> {
  const { erasure, steps } = yield* forgetBeforeReceipt(asked, left)
  if (words === undefined) {
    yield* runLast(steps)
    return erasure
  }
  yield* runList(steps)
  const all = yield* eraseSentences(asked, words)
  return all === undefined ? erasure : { receipt: all, needles: asked.needles.all }
}

/** Erases sentences of blocks and notes of agents that rest on erased messages. Returns the counts when there were any. */
function* eraseWords(words: GoneWords, needles: Needles, now: number): Program<Receipt['counts'] | undefined> {
  const counts = { block: yield* forgetSentences(words, needles, now), ...(yield* forgetNotes(words, needles)) }
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.length === 0 ? undefined : { message: 0, ...Object.fromEntries(some) }
}

/** Erases sentences of blocks and notes of agents that rest on erased messages. Returns the receipt when there were any. */
function* eraseSentences(
  { receipt, now, needles }: Pick<ErasureInTurns, 'receipt' | 'now' | 'needles'>,
  words: GoneWords | undefined,
): Program<Receipt | undefined> {
  const counts = words === undefined ? undefined : yield* eraseWords(words, needles, now)
  return counts === undefined ? undefined : yield* saveReceipt(receipt, counts, 'pending', now)
}

/** Replaces the words of a message, also where a block has the old ones. */
export async function replaceInBlocksToo(here: WritingHere, partition: PartitionId, edited: EditedById, content: string) {
  const search = await here.read(searchFor(partition, { messages: [edited.id] }))
  const { meant } = search === undefined ? { meant: [] } : await here.read(lookOn(search, 0))
  const [one] = meant
  const words = search === undefined || one === undefined ? undefined : await here.read(goneWords(search.owner.id, [one.ord]))
  return replaceIn(here, partition, edited, content, (receipt, needles) => eraseSentences({ receipt, now: here.now, needles }, words))
}

/** Erases a project: the content of its partitions as a forget does, then the partitions, then its name. */
export async function deleteProjectInTurns(here: WritingHere, name: ProjectName, bounds = turnBounds): Promise<Erasure> {
  const [receipt, needles] = [newReceipt(here.now, { what: 'project', project: name }), new Needles()]
  const project = await here.read(projectParts(name))
  if (project !== undefined) await dropAllContexts(here, { project: project.id }, { receipt, now: here.now, bounds })
  const partitions = project?.partitions ?? []
  for (const part of partitions) {
    const partition = ownedBy(name, part)
    await nextTurn()
    if (partition !== undefined) await eraseAhead(here, { partition, selection: { all: true }, receipt, now: here.now, needles, bounds })
  }
  // Each turn takes out some partitions. After one turn for each partition, none is left.
  for (let turn = 0; turn < partitions.length; turn += 1) {
    if (!(await here.write(() => eraseSomeParts(name, receipt, here.now, needles, bounds), bounds.messages))) break
  }
  if (project !== undefined) await dropAudit(here, project.id, bounds)
  return await here.write(() => eraseProject(name, receipt, here.now, needles), bounds.messages)
}

/** Deletes what callers did in a project, some at a time. */
async function dropAudit(here: WritingHere, project: number, bounds: ErasureBounds): Promise<void> {
  while (await here.write(() => dropSomeAudit(project), bounds.messages)) await nextTurn()
}

function ownedBy(project: ProjectName, { owner, owner_kind: kind }: ProjectPart): PartitionId | undefined {
  if (kind >= derivedKind) return undefined
  return partitionId(
    project,
    kind === ownerKinds.user ? { kind: 'user', name: owner } : { kind: kind === ownerKinds.anonymous ? 'anonymous' : 'shared' },
  )
}

/** The part of an erasure that the last transaction takes. */
interface LeftOver {
  /** Its messages; undefined in a partition that holds nothing. */
  readonly left?: FoundBefore
  /** The words of all its messages, those before it included, where there are blocks that may have them. */
  readonly words?: GoneWords | undefined
}

/** Erases everything but the part that the last transaction takes, and gives that part. */
async function eraseAhead(here: WritingHere, asked: Omit<ErasureInTurns, 'owner'>, shown?: ShownUpTo): Promise<LeftOver> {
  const look = await here.read(lookAhead(asked, shown))
  if (look === undefined) return {}
  const { search, short } = look
  const looked = { owner: search.owner.id, upTo: search.owner.seq, isShown: shown !== undefined }
  if (short !== undefined) return { left: { ...looked, meant: short.meant }, words: short.words }
  const turns = { ...asked, owner: search.owner.id }
  await dropOldTombstones(here, turns.owner)
  const meant = await lookForAll(here, search)
  // A forget of a message that is not there ends above, and takes no import away.
  await dropImportsAhead(here, search.owner, turns.needles)
  const isAll = asked.selection.all === true
  const words = isAll
    ? undefined
    : await here.read(
        goneWords(
          turns.owner,
          meant.map(({ ord }) => ord),
        ),
      )
  if (isAll) await dropAllContexts(here, { partition: turns.owner }, turns)
  await dropContextsUnder(here, turns, search, meant)
  const slices = slicesOf(meant, turns.bounds)
  const isLong = slices.length > 1 || (await here.read(isMuchUnder(turns, meant)))
  await erasePages(here, turns, search, meant, isLong)
  // Ahead of the messages: a forget that ends early must not leave their words in blocks.
  if (isLong && words !== undefined) await here.write(() => eraseSentencesAhead(turns, words), turns.bounds.messages)
  if (isLong) for (const slice of slices) await eraseSlice(here, turns, slice)
  while (await here.read(isMuchLeft(turns))) await here.write(() => eraseLeftover(turns), turns.bounds.messages)
  return { left: { ...looked, meant: isLong ? [] : meant }, words }
}

function* eraseSentencesAhead(turns: ErasureInTurns, words: GoneWords): Program<void> {
  const counts = yield* eraseWords(words, turns.needles, turns.now)
  if (counts !== undefined) yield* noteTurn(turns.receipt, counts, turns.now)
}

/** Drops tombstones beyond the number that a partition keeps, so that the last transaction has few of them. */
async function dropOldTombstones(here: WritingHere, owner: number): Promise<void> {
  const partitions = [owner, ...(await here.read(derivedAndKnown(owner)))]
  for (const partition of partitions)
    while (await here.read(hasManyTombstones(partition))) await here.write(() => dropTombstones(partition))
}

function* derivedAndKnown(owner: number): Program<readonly number[]> {
  return (yield* abreast([findDerivedOf(owner), findKnownOf(owner)])).flatMap((row) => row?.id ?? [])
}

/** Takes the selected words out of pages. With many messages all pages go ahead: else each slice would change them once more. */
async function erasePages(
  here: WritingHere,
  turns: ErasureInTurns,
  search: Search,
  meant: readonly Weighed[],
  isLong: boolean,
): Promise<void> {
  const { pages, facts } = await seenPages(here, turns, search, meant)
  await unindexInTurns(
    here,
    pages.map(({ page }) => page),
    turns.needles,
  )
  const older = new Map<PageSeen, readonly (readonly number[])[] | undefined>()
  for (const page of pages) older.set(page, await here.read(olderUnder(page, turns.bounds)))
  const short = pages.filter((page) => older.get(page) === undefined)
  const ahead = isLong ? pages : [...pages.filter((page) => !short.includes(page)), ...short.slice(turns.bounds.pages)]
  if (ahead.length === 0) return
  for (const few of inChunks(facts, turns.bounds.messages)) await here.write(() => erasePageFacts(turns, few), turns.bounds.messages)
  for (const page of ahead) {
    for (const revisions of older.get(page) ?? []) await here.write(() => eraseOlder(turns, page, revisions), turns.bounds.messages)
    const [erased] = await here.write(() => erasePagesAhead(turns, [page]), turns.bounds.messages)
    // A page that was edited meanwhile is left to the last transaction, which finds it by its lineage.
    if (erased !== undefined && older.get(page) !== undefined)
      while (await here.write(() => eraseSomeSpans(turns, erased), turns.bounds.messages));
  }
}

async function seenPages(here: WritingHere, { bounds }: ErasureInTurns, search: Search, meant: readonly Weighed[]): Promise<PagesSeen> {
  const seen: PagesSeen[] = []
  for (const some of inChunks(await here.read(sessionsUnder(search, meant)), bounds.sessions)) {
    if (seen.length > 0) await nextTurn()
    seen.push(await here.read(pagesUnder(search, some, seen.length === 0)))
  }
  return togetherSeen(seen)
}

/** Searches for the messages in pages, so that others have their turn between them. */
async function lookForAll(here: WritingHere, search: Search): Promise<readonly Weighed[]> {
  const found = new Map<number, Weighed>()
  for (let from: number | undefined = 0; from !== undefined;) {
    const page: FoundMessages = await here.read(lookOn(search, from))
    for (const one of page.meant) found.set(one.ord, one)
    from = page.next
    if (from !== undefined) await nextTurn()
  }
  const meant = [...found.values()]
  const going: Weighed[] = []
  for (const some of inChunks(meant, turnBounds.messages)) going.push(...(await here.read(messagesGoingWith(search.owner, some))))
  return withGoing(going, meant)
}

async function eraseSlice(here: WritingHere, turns: ErasureInTurns, slice: readonly Weighed[]): Promise<void> {
  // A slice may have more facts than one transaction takes: each turn takes some, until none rests on it.
  while (!(await here.write(() => eraseSome(turns, slice), turns.bounds.messages)));
}
