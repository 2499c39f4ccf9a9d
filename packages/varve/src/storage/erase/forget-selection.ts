import { NotFound } from '../../errors/not-found.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { addedBefore } from '../known/assertions.ts'
import { allContexts, contextsThatShowed } from '../log/contexts.ts'
import { type Derived, derivedFrom } from './derived.ts'
import type { AssertionTable } from '../known-tables.ts'
import { findMessageRow } from '../log/messages.ts'
import { pageIdsOf } from '../pages/pages.ts'
import { pagesFrom } from './page-erasure.ts'
import { findKnownOf, findPartition, type PartitionRow } from '../partitions.ts'
import { type Program, abreast, all } from '../program.ts'
import type { MessageTable, SessionTable } from '../schema.ts'
import { findSessionRow } from '../log/sessions.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'

/** What to forget. Exactly one of `all` or any of the others; `before` is strict and goes by when it was said. */
export interface ForgetSelection {
  readonly session?: SessionName
  readonly before?: number
  readonly messages?: readonly string[]
  readonly all?: true
}

/** A message that goes. */
export type Doomed = Pick<MessageTable, 'ord' | 'session_id' | 'seq' | 'uuid'>

const allOfPartition = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('message').select(['ord', 'session_id', 'seq', 'uuid']).where('partition_id', '=', p('partition')))

const ofSession = statement<{ partition: number; session: number }>()((db, p) =>
  db.selectFrom('message').select(['ord', 'session_id', 'seq', 'uuid']).where('partition_id', '=', p('partition')).where('session_id', '=', p('session')))

const saidBefore = statement<{ partition: number; before: number }>()((db, p) =>
  db.selectFrom('message').select(['ord', 'session_id', 'seq', 'uuid']).where('partition_id', '=', p('partition')).where('said_at', '<', p('before')))

const sessionsOf = statement<{ partition: number }>()((db, p) => db.selectFrom('session').selectAll().where('partition_id', '=', p('partition')))

export function allMessages(partition: number): Program<readonly Doomed[]> {
  return all(allOfPartition, { partition })
}

export function allSessions(partition: number): Program<readonly SessionTable[]> {
  return all(sessionsOf, { partition })
}

/** In a partition that holds nothing, what is named is not found, as it would be in one that holds something. */
export function nothingHere({ session, messages }: ForgetSelection): Readonly<Record<string, number>> {
  if (session !== undefined) throw new NotFound({ kind: 'session', id: session })
  const [id] = messages ?? []
  if (id !== undefined) throw new NotFound({ kind: 'message', id })
  return { message: 0 }
}

function wholeSession(selection: ForgetSelection): boolean {
  return selection.session !== undefined && selection.before === undefined && selection.messages === undefined
}

/** What a selection means: messages, and the session that is forgotten by its name with all that is of it. */
export interface Selected {
  readonly doomed: readonly Doomed[]
  readonly session: SessionTable | undefined
}

/** Messages that are looked up together by their ids, each with all of its words. */
const foundAtOnce = 32

export function* selectMessages(owner: PartitionRow, selection: ForgetSelection): Program<Selected> {
  if (selection.all === true) return { doomed: yield* allMessages(owner.id), session: undefined }
  const session = selection.session === undefined ? undefined : yield* findSessionRow(owner.id, selection.session)
  if (selection.session !== undefined && session === undefined) throw new NotFound({ kind: 'session', id: selection.session })
  return { doomed: yield* messagesMeant(owner, selection, session), session: wholeSession(selection) ? session : undefined }
}

function* messagesMeant(owner: PartitionRow, { messages, before }: ForgetSelection, session: SessionTable | undefined): Program<readonly Doomed[]> {
  if (messages !== undefined) {
    const meant = yield* abreast(messages.map((id) => messageMeant(owner, id, before, session)), foundAtOnce)
    return [...new Map(meant.flat().map((one) => [one.ord, one])).values()]
  }
  if (before !== undefined) {
    const rows = yield* all(saidBefore, { partition: owner.id, before })
    return session === undefined ? rows : rows.filter((row) => row.session_id === session.id)
  }
  return session === undefined ? [] : yield* all(ofSession, { partition: owner.id, session: session.id })
}

function* messageMeant(owner: PartitionRow, id: string, before: number | undefined, session: SessionTable | undefined): Program<readonly Doomed[]> {
  const { ord, session_id, seq, uuid, said_at: at } = yield* findMessageRow(owner, id)
  return (session === undefined || session_id === session.id) && (before === undefined || at < before) ? [{ ord, session_id, seq, uuid }] : []
}

/** What rests on the messages that are to be erased; on a session that is to go, whatever is of it. */
export function* derivedFromAll(owner: PartitionRow, selected: Selected, selection: ForgetSelection): Program<Derived> {
  return yield* derivedFrom(yield* saidIn(owner, selected, selection), yield* addedByHand(owner, selection))
}

/** Pages of which a selection takes lines, or all. */
export function* pagesUnder(partition: PartitionId, selection: ForgetSelection): Program<readonly number[]> {
  const owner = yield* findPartition(partition)
  if (owner === undefined) return []
  const { pages } = yield* pagesFrom(yield* saidIn(owner, yield* selectMessages(owner, selection), selection))
  const own = selection.all === true ? yield* pageIdsOf(owner.id) : []
  return [...new Set([...own, ...pages].map(({ id }) => id))]
}

/** The places of what was said, by session; undefined for a session that goes as a whole. */
function* saidIn(owner: PartitionRow, { doomed, session }: Selected, selection: ForgetSelection): Program<ReadonlyMap<number, readonly number[] | undefined>> {
  const said = new Map<number, readonly number[] | undefined>()
  for (const [id, some] of Map.groupBy(doomed, (message) => message.session_id)) said.set(id, some.map(({ seq }) => seq))
  const whole = selection.all === true ? yield* allSessions(owner.id) : session === undefined ? [] : [session]
  for (const { id } of whole) said.set(id, undefined)
  return said
}

/** Facts that a person added before the time, or all of them: they go by when they were added. */
function* addedByHand(owner: PartitionRow, { all: everything, session, messages, before }: ForgetSelection): Program<readonly AssertionTable[]> {
  const isMeant = everything === true || (before !== undefined && session === undefined && messages === undefined)
  const known = isMeant ? yield* findKnownOf(owner.id) : undefined
  return known === undefined ? [] : yield* addedBefore(known.id, before ?? Number.MAX_SAFE_INTEGER)
}

/** Contexts that go with what is erased: those that showed some of it, and those of a session that goes. */
export function* affectedContexts(owner: PartitionRow, { doomed, session }: Selected, { items, assertions, doomedPages: { pages } }: Derived, selection: ForgetSelection): Program<readonly number[]> {
  if (selection.all === true) return yield* allContexts(owner.id)
  const gone = new Set([...[...doomed, ...items, ...pages].map(({ uuid }) => uuidText(uuid)), ...assertions.map(({ fact }) => uuidText(fact))])
  return yield* contextsThatShowed({ partition: owner.id }, gone, session?.external_id)
}
