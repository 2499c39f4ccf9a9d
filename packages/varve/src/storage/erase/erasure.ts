import { ordinalOf } from '../../ids/message-id.ts'
import type { NewReceipt } from './erases.ts'
import { NotFound } from '../../errors/not-found.ts'
import type { Message } from '../../messages/message.ts'
import { type PartitionId, partitionId, projectName } from '../../scope/partition.ts'
import { countBlocksOf, dropBlocksOf } from '../derived/blocks.ts'
import { contextsOf, contextsThatShowed, dropContexts, takeFromContexts } from '../log/contexts.ts'
import { countsOfPages, erasePageLines, erasePagesOf } from './page-erasure.ts'
import { countsOfDerived, derivedFrom, dropTraces, eraseAllItems, eraseDerived, eraseWithLines } from './derived.ts'
import { eraseDeedsOf } from '../deeds/deed-erasure.ts'
import { pageIdsOf } from '../pages/pages.ts'
import { deleteEmbeddings } from '../segment/embeddings.ts'
import { type ForgottenMessage, replacedWords } from '../log/forgotten-hashes.ts'
import { type OwnBook, ownBook, rememberForgotten, rememberingSteps } from '../log/forgotten-ids.ts'
import { forgetAppendsOfPartition, forgetAppendsOfSession } from '../log/append-keys.ts'
import { findMessageRow, insertions, messageAt, messageOf } from '../log/messages.ts'
import {
  derivedKind,
  type PartitionRow,
  dropProject,
  findDerivedOf,
  findKnownOf,
  findPartition,
  partitionChange,
  type ProjectPart,
  projectParts,
  savePartition,
  nearTo,
} from '../partitions.ts'
import type { PreparedMessage } from '../log/prepared-message.ts'
import { dropAuditOf } from '../doors/audit.ts'
import { dropKeysOf } from '../doors/caller-keys.ts'
import { dropLedger } from '../log/ledger.ts'
import { dropRuns } from '../log/runs.ts'
import { eraseKnown } from './fact-erasure.ts'
import { type ForgetSelection, isWholeSession, nothingHere } from './forget-selection.ts'
import { affectedContexts, allSessions, derivedFromAll, selectMessages, type Selected } from './selected.ts'
import { dropChangesOfPartition, dropChangesOfProject, dropChangesOfSession, erasureSteps } from '../journal/erasures.ts'
import { noteChange } from '../journal/note.ts'
import { lost } from '../lost.ts'
import { type Doomed, type FoundBefore, messagesGoingWith, lookForAll, withGoing } from './meant.ts'
import { leastTelling, Needles } from '../needles.ts'
import { abreast, all, answer, change, first, type Program, run, runList, type SingleStep } from '../program.ts'
import { type Receipt, savedBy, saveReceipt, summed } from './receipts.ts'
import { foundFor } from './found.ts'
import type { MessageTable, SessionTable } from '../schema.ts'
import { countersChange, nameDrop, sessionRowById } from '../log/sessions.ts'
import { statement } from '../statement.ts'
import { indexedAt, indexedDrops, ordinalsAt } from '../segment/erasing.ts'
import { type Ordinals, termsHeaderBytes } from '../segment/terms.ts'
import { uuidText } from '../uuid-bytes.ts'
import { dropAllImports, dropImportsUnder, importsUnder } from '../transfer/drop-imports.ts'
import { dropWorkOf } from '../work.ts'

/**
 * The result of an erasure: the receipt, and the erased words. The words stay in memory only until the files were
 * searched for them.
 */
export interface Erasure {
  readonly receipt: Receipt
  /** The bytes to search the files for; undefined when they are too many to keep. */
  readonly needles: readonly Uint8Array[] | undefined
}

/** The text fields of a message that the files are searched for, and its id. */
const wordsAt = statement<Ordinals>()((db, p, d) =>
  db
    .selectFrom('message')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'message.session_id').$call(d.beside('session', 'message')))
    .select(['ord', 'uuid', 'content', 'parts', 'message.metadata', 'message.external_id', 'message.name', 'thread'])
    .select('session.external_id as session')
    .where('message.partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const deleteMessages = statement<Ordinals>()((db, p, d) =>
  db
    .deleteFrom('message')
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const insertMoved = statement<{ partition: number; uuid: Uint8Array; ord: number }>()((db, p) =>
  db.insertInto('message_moved').values({ partition_id: p('partition'), uuid: p('uuid'), ord: p('ord') }),
)

const deleteMoved = statement<{ partition: number; uuid: Uint8Array }>()((db, p) =>
  db.deleteFrom('message_moved').where('partition_id', '=', p('partition')).where('uuid', '=', p('uuid')),
)

const deleteTombstones = statement<{ partition: number }>()((db, p) =>
  db.deleteFrom('tombstone').where('partition_id', '=', p('partition')),
)

const sessionTimes = statement<{ partition: number; session: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select((e) => [e.fn.countAll<number>().as('messages'), e.fn.min('said_at').as('first'), e.fn.max('said_at').as('last')])
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition'))),
)

const deleteSessionRow = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .deleteFrom('session')
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const deletePartitionRow = statement<{ id: number }>()((db, p) => db.deleteFrom('partition').where('id', '=', p('id')))

/** Counts what a selection would erase, without erasing it. */
export function* previewForget(partition: PartitionId, selection: ForgetSelection): Program<Readonly<Record<string, number>>> {
  const owner = yield* findPartition(partition)
  if (owner === undefined) return nothingHere(selection)
  const [given, near] = yield* abreast([selectMessages(owner, selection), nearTo(owner.id)])
  const selected = selection.all === true ? given : yield* withThoseGoing(owner, given)
  const { doomed, session } = selected
  const sessions = selection.all === true ? (yield* allSessions(owner.id)).length : Number(session !== undefined)
  const derived = yield* derivedFromAll(owner, near, selected, selection)
  const contexts = yield* affectedContexts(owner, selected, derived, selection)
  const block = selection.all === true || session !== undefined ? yield* countBlocksOf(owner.id, session?.id) : 0
  // Pages written by hand rest on no message.
  const pages = selection.all === true ? countsOfPages({ pages: yield* pageIdsOf(owner.id) }) : {}
  return countsOf({
    message: doomed.length,
    session: sessions,
    ...(yield* countsOfDerived(derived)),
    ...pages,
    block,
    context: contexts.own.length + contexts.showed.length,
  })
}

/**
 * Erases the selected messages and everything that rests on them in one transaction, and raises the epochs.
 *
 * `needles` holds the bytes that earlier transactions erased. `before` holds earlier findings that are not erased yet.
 */
export function* forget(
  partition: PartitionId,
  selection: ForgetSelection,
  receiptId: NewReceipt,
  now: number,
  needles = new Needles(),
  before?: FoundBefore,
): Program<Erasure> {
  const { erasure, steps } = yield* forgetBeforeReceipt({ partition, selection, receipt: receiptId, now, needles }, before)
  yield* runList(steps)
  return erasure
}

/** A forget: the receipt that it writes, and the bytes that it and earlier transactions erased. */
export interface AskedToForget {
  readonly partition: PartitionId
  readonly selection: ForgetSelection
  readonly receipt: NewReceipt
  readonly now: number
  readonly needles: Needles
}

/** The same, but for the steps that write the receipt: the caller runs them, as its last ones where it can. */
export function* forgetBeforeReceipt(
  { partition, selection, receipt, now, needles }: AskedToForget,
  before?: FoundBefore,
): Program<{ readonly erasure: Erasure; readonly steps: readonly SingleStep[] }> {
  const { owner, near, selected: found, standing } = yield* foundFor({ partition, selection, receipt, now }, before)
  const asked = { receipt, now, owner: partition }
  if (owner === undefined) {
    const { saved, steps } = savedBy(standing, { ...asked, counts: nothingHere(selection), physical: 'done' })
    return { erasure: { receipt: saved, needles: needles.all }, steps }
  }
  // A session that got messages after it was shown stays, with these.
  const isPart = before?.isShown === true && (found.session?.messages ?? 0) > found.doomed.length
  const [selected, meant] = isPart
    ? [
        { ...found, session: undefined },
        { ...selection, messages: [] },
      ]
    : [found, selection]
  const counts =
    selection.all === true
      ? yield* erasePartition(owner, near, selected, needles)
      : yield* eraseMessages(owner, selected, meant, needles, near)
  // When a whole partition goes, its owner's name goes too.
  const name = selection.all === true && partition.owner.kind === 'user' ? [text(partition.owner.name)] : []
  needles.add(name)
  const erased = name.length > 0 || Object.values(counts).some((count) => count > 0)
  // What is told of a partition that is gone is told of its project.
  const told = selection.all === true ? { ...standing, telling: yield* erasureSteps(receipt, now) } : standing
  const { saved, steps } = savedBy(told, { ...asked, counts, physical: erased ? 'pending' : 'done' })
  return { erasure: { receipt: saved, needles: needles.all }, steps }
}

/** Erases whole partitions of a project, with the names of their owners. */
export function* eraseParts(parts: readonly ProjectPart[], needles: Needles): Program<Counts> {
  let counts: Counts = { message: 0, session: 0, partition: parts.filter((part) => part.owner_kind < derivedKind).length }
  for (const part of parts) {
    const doomed = yield* lookForAll({ selection: { all: true }, owner: part, session: undefined })
    counts = summed(counts, yield* erasePartition(part, yield* nearTo(part.id), { doomed, session: undefined }, needles))
    needles.add([text(part.owner)])
  }
  return counts
}

/** Erases a project: all its partitions and its own row. `needles` holds the bytes that earlier transactions erased. */
export function* eraseProject(name: string, receiptId: NewReceipt, now: number, needles = new Needles()): Program<Erasure> {
  const project = yield* projectParts(name)
  if (project === undefined) throw new NotFound({ kind: 'project', id: name })
  needles.add([text(name)])
  const counts = yield* eraseParts(project.partitions, needles)
  yield* dropKeysOf(name, needles)
  yield* abreast([dropLedger(project.id), dropRuns(project.id), dropAuditOf(project.id)])
  yield* abreast([dropProject(project.id), dropChangesOfProject(project.id, now)])
  const owner = partitionId(projectName(name), { kind: 'shared' })
  return { receipt: yield* saveReceipt(receiptId, counts, 'pending', now, owner), needles: needles.all }
}

/** Puts new words in a message's place: the same id and seq, a new ordinal. Erases the old words. */
export function* replaceMessage(
  partition: PartitionId,
  id: string,
  prepare: (old: MessageTable, session: SessionTable) => Program<PreparedMessage>,
  receiptId: NewReceipt,
  now: number,
  needles = new Needles(),
): Program<Erasure & { message: Message }> {
  const owner = yield* findPartition(partition)
  const old = yield* findMessageRow(owner, id)
  // What goes with the message holds its old words.
  const going = owner === undefined ? [] : yield* messagesGoingWith(owner, [old])
  const gone =
    owner === undefined || going.length === 0 ? {} : yield* eraseMessages(owner, { doomed: going, session: undefined }, {}, needles)
  const session = yield* sessionRowById(old.partition_id, old.session_id)
  if (owner === undefined || session === undefined) throw new NotFound({ kind: 'message', id })
  const prepared = yield* prepare(old, session)
  const near = yield* nearTo(owner.id)
  yield* dropImportsUnder(owner, near, needles)
  owner.epoch += 1
  const counts = yield* eraseDerived(
    yield* derivedFrom(owner.id, near, new Map([[session.id, [old.seq]]]), { facts: [], instructions: [] }),
    needles,
  )
  yield* eraseMessagesAt(owner, [old.ord], needles)
  if (old.external_id !== null) yield* rememberForgotten(owner.id, [replacedWords(session.external_id, old.external_id)])
  const replaced = new Set([uuidText(old.uuid)])
  yield* takeFromContexts(yield* contextsThatShowed({ partition: owner.id }, replaced, needles.contexts), replaced, replaced)
  owner.seq += 1
  owner.messages += 1
  owner.term_bytes += prepared.terms.length
  yield* runList([
    ...insertions(owner, session, { uuid: old.uuid, seq: old.seq, recordedAt: old.recorded_at }, prepared),
    change(insertMoved, { partition: owner.id, uuid: old.uuid, ord: owner.seq }),
    partitionChange(owner),
    countersChange({ ...session, epoch: session.epoch + 1 }),
  ])
  const { id: number, project_id: project, seq } = owner
  yield* noteChange({ kind: 'replaced', project, partition: number, session: session.id, ords: [seq, seq], ref: old.uuid, at: now })
  const message = yield* messageAt(owner.id, owner.seq)
  if (message === undefined) throw lost('message')
  const receipt = yield* saveReceipt(receiptId, summed({ message: 1, ...counts }, gone), 'pending', now, partition)
  return { message: messageOf(message, session.external_id), receipt, needles: needles.all }
}

/** The number of erased things, by kind. */
export type Counts = Record<string, number>

/** Adds the messages that go with the selected ones. They stand in the same session: one that goes whole has them. */
function* withThoseGoing(owner: PartitionRow, { doomed, session }: Selected): Program<Selected> {
  if (session !== undefined) return { doomed, session }
  return { session, doomed: withGoing<Doomed>(yield* messagesGoingWith(owner, doomed), doomed) }
}

/** Erases messages, or a whole session, with everything that rests on them. */
export function* eraseMessages(
  owner: PartitionRow,
  given: Selected,
  selection: ForgetSelection,
  needles: Needles,
  around?: string,
): Program<Counts> {
  const near = around ?? (yield* nearTo(owner.id))
  owner.epoch += 1
  const selected = yield* withThoseGoing(owner, given)
  const { doomed, session } = selected
  const derived = yield* derivedFromAll(owner, near, selected, selection)
  const [contexts, counts, block, book, imports] = yield* abreast([
    affectedContexts(owner, selected, derived, selection, needles.contexts),
    countsOfDerived(derived),
    session === undefined ? answer(undefined) : dropBlocksOf(owner.id, session.id, near, needles),
    ownBook(owner.id),
    importsUnder(owner, near),
  ])
  // A session that only contexts name has no row whose name would be searched for.
  if (session === undefined && isWholeSession(selection) && selection.session !== undefined) needles.add([text(selection.session)])
  yield* abreast([dropContexts(contexts.own), takeFromContexts(contexts.showed, contexts.gone)])
  // Lines of pages go while the messages stand: notes that take some in again count their tokens.
  const pages = yield* erasePageLines(derived.doomedPages, needles)
  const isChanged = doomed.length > 0 || isWholeSession(selection) || derived.instructions.length > 0
  yield* abreast([
    eraseWithLines(derived, pages, needles, block?.items),
    eraseAsSelected(owner, selected, { book, isChanged }, needles),
    dropAllImports(imports, needles),
  ])
  return countsOf({
    message: doomed.length,
    session: Number(session !== undefined),
    ...counts,
    block: block?.count ?? 0,
    context: contexts.own.length + contexts.showed.length,
  })
}

interface OwnerBooks {
  readonly book: OwnBook
  /** True when the partition's row is to be saved. */
  readonly isChanged: boolean
}

/** Takes the selected messages out, and their session or their share of its counters. Saves the partition's row. */
function* eraseAsSelected(
  owner: PartitionRow,
  { doomed, session }: Selected,
  { book, isChanged }: OwnerBooks,
  needles: Needles,
): Program<void> {
  const gone = yield* eraseMessagesAt(
    owner,
    doomed.map(({ ord }) => ord),
    needles,
  )
  const left = session === undefined ? new Set(doomed.map((message) => message.session_id)) : []
  yield* abreast([
    runList(rememberingSteps(book, gone)),
    ...[...left].map((id) => recount(owner.id, id, needles)),
    session === undefined ? answer(undefined) : eraseSession(session, needles),
    isChanged ? savePartition(owner) : answer(undefined),
  ])
}

function* erasePartition(owner: PartitionRow, near: string, selected: Selected, needles: Needles): Program<Counts> {
  const { doomed } = selected
  const sessions = yield* allSessions(owner.id)
  const contexts = yield* contextsOf({ partition: owner.id })
  yield* dropContexts(contexts)
  const pages = yield* erasePagesOf(owner.id, needles)
  const block = yield* dropBlocksOf(owner.id, undefined, near, needles)
  const counts = summed(pages, yield* eraseDerived(yield* derivedFromAll(owner, near, selected, { all: true }), needles, block.items))
  const gone = yield* eraseMessagesAt(
    owner,
    doomed.map(({ ord }) => ord),
    needles,
    false,
  )
  yield* rememberForgotten(owner.id, gone)
  yield* dropImportsUnder(owner, near, needles)
  yield* abreast(sessions.map((session) => eraseSession(session, needles)))
  const own = yield* findDerivedOf(owner.id)
  const left = own === undefined ? undefined : yield* eraseAllItems(own.id, needles)
  if (own !== undefined) yield* dropChanged(own.id, needles)
  const known = yield* findKnownOf(owner.id)
  const facts = (known === undefined ? 0 : yield* eraseKnown(known.id, needles)) + (yield* eraseKnown(owner.id, needles))
  if (known !== undefined) yield* dropChanged(known.id, needles)
  yield* eraseAllItems(owner.id, needles)
  yield* dropChanged(owner.id, needles)
  return countsOf({
    message: doomed.length,
    session: sessions.length,
    ...summed(summed(counts, left ?? {}), { fact: facts }),
    block: block.count,
    context: contexts.length,
  })
}

/** Erases the changes by hand in a partition, and drops its row. */
function* dropChanged(id: number, needles: Needles): Program<void> {
  yield* eraseDeedsOf(id, needles)
  yield* dropPartition(id)
}

/** Drops the partition's own row, and its rows without words. */
function* dropPartition(id: number): Program<void> {
  yield* forgetAppendsOfPartition(id)
  yield* abreast([
    run(deleteTombstones, { partition: id }),
    dropWorkOf(id),
    deleteEmbeddings(id),
    dropChangesOfPartition(id),
    run(deletePartitionRow, { id }),
  ])
}

/** The number of messages that are read together to be erased: each may have some MiB. */
const erasedAtOnce = 32

/**
 * Takes messages out with all their index data, and returns their ids. Changes `owner`, whose epoch is already
 * raised; the caller saves it.
 */
function* eraseMessagesAt(
  owner: PartitionRow,
  ords: readonly number[],
  needles: Needles,
  isTold = true,
): Program<readonly ForgottenMessage[]> {
  const gone: ForgottenMessage[] = []
  for (let at = 0; at < ords.length; at += erasedAtOnce) {
    const some = ords.slice(at, at + erasedAtOnce)
    const ordinals = ordinalsAt(owner, some)
    const [messages, indexed] = yield* abreast([all(wordsAt, ordinals), indexedAt(ordinals)])
    const moved = messages
      .filter(({ ord, uuid }) => ordinalOf(uuid) !== ord)
      .map(({ uuid }) => change(deleteMoved, { partition: owner.id, uuid }))
    yield* runList([change(deleteMessages, ordinals), ...moved, ...indexedDrops(owner, some, indexed, isTold)])
    owner.messages -= some.length
    for (const message of messages) {
      needles.add(needlesOf(message, indexed.terms.get(message.ord)))
      gone.push({ session: message.session, externalId: message.external_id, id: uuidText(message.uuid) })
    }
    for (const vectors of indexed.vectors.values()) needles.add(vectors)
  }
  return gone
}

type Words = Pick<MessageTable, 'content' | 'parts' | 'metadata' | 'external_id' | 'name' | 'thread'>

function needlesOf(message: Words, terms: Uint8Array | undefined): Uint8Array[] {
  const details = [message.parts, message.metadata, message.external_id, message.name, message.thread]
  const telling = details.flatMap((value) => (value === null ? [] : [text(value)])).filter((bytes) => bytes.length >= leastTelling)
  const name = text(message.name ?? '').length
  return [text(message.content), ...telling, ...(terms === undefined ? [] : [terms.subarray(termsHeaderBytes + name)])]
}

export function* eraseSession(row: SessionTable, needles: Needles): Program<void> {
  yield* abreast([
    dropTraces(row.partition_id, row.id),
    dropChangesOfSession(row.partition_id, row.id),
    forgetAppendsOfSession(row.partition_id, row.id),
    run(deleteSessionRow, { partition: row.partition_id, id: row.id }),
  ])
  needles.add([row.external_id, row.name, row.metadata].flatMap((value) => (value === null ? [] : [text(value)])))
}

/**
 * Counts a session's messages anew. A session without a message loses its name, because the name came from its messages
 * or describes them.
 */
function* recount(partition: number, id: number, needles: Needles): Program<void> {
  const [row, times] = yield* abreast([sessionRowById(partition, id), first(sessionTimes, { partition, session: id })])
  if (row === undefined || times === undefined) return
  const isNameless = times.messages > 0 || row.name === null
  const counters = countersChange({
    ...row,
    epoch: row.epoch + 1,
    messages: times.messages,
    first_said_at: times.first,
    last_said_at: times.last,
  })
  yield* runList([counters, ...(isNameless ? [] : [nameDrop(row)])])
  if (!isNameless) needles.add([text(row.name ?? '')])
}

/** Keeps the count of messages always, and other counts when they are above 0. */
function countsOf({ message = 0, ...others }: Counts): Counts {
  return { message, ...Object.fromEntries(Object.entries(others).filter(([, count]) => count > 0)) }
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}
