import { NotFound } from '../../errors/not-found.ts'
import type { SessionName } from '../../scope/partition.ts'
import { addedBefore } from '../known/assertions.ts'
import { allContexts, contextsThatShowed } from '../log/contexts.ts'
import { type Derived, derivedFrom } from './derived.ts'
import type { AssertionTable } from '../known-tables.ts'
import { findMessageRow } from '../log/messages.ts'
import { findKnownOf, type PartitionRow } from '../partitions.ts'
import { type Program, all } from '../program.ts'
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

export function wholeSession(selection: ForgetSelection): boolean {
  return selection.session !== undefined && selection.before === undefined && selection.messages === undefined
}

/** The session that is forgotten by its name, with all that is of it. */
export function* sessionThatGoes(owner: PartitionRow, selection: ForgetSelection): Program<SessionTable | undefined> {
  return selection.session === undefined || !wholeSession(selection) ? undefined : yield* findSessionRow(owner.id, selection.session)
}

/** The messages that a selection means. */
export function* selectedMessages(owner: PartitionRow, selection: ForgetSelection): Program<readonly Doomed[]> {
  if (selection.all === true) return yield* allMessages(owner.id)
  let session: SessionTable | undefined
  if (selection.session !== undefined) {
    session = yield* findSessionRow(owner.id, selection.session)
    if (session === undefined) throw new NotFound({ kind: 'session', id: selection.session })
  }
  if (selection.messages !== undefined) {
    const doomed = new Map<number, Doomed>()
    for (const id of selection.messages) {
      const row = yield* findMessageRow(owner, id)
      const matches = (session === undefined || row.session_id === session.id) && (selection.before === undefined || row.said_at < selection.before)
      if (matches) doomed.set(row.ord, row)
    }
    return [...doomed.values()]
  }
  if (selection.before !== undefined) {
    const rows = yield* all(saidBefore, { partition: owner.id, before: selection.before })
    return session === undefined ? rows : rows.filter((row) => row.session_id === session.id)
  }
  return session === undefined ? [] : yield* all(ofSession, { partition: owner.id, session: session.id })
}

/** What rests on the messages that are to be erased; on a session that is to go, whatever is of it. */
export function* derivedFromAll(owner: PartitionRow, doomed: readonly Doomed[], selection: ForgetSelection): Program<Derived> {
  const said = new Map<number, readonly number[] | undefined>()
  for (const [session, some] of Map.groupBy(doomed, ({ session_id: id }) => id)) said.set(session, some.map(({ seq }) => seq))
  const session = yield* sessionThatGoes(owner, selection)
  const whole = selection.all === true ? yield* allSessions(owner.id) : session === undefined ? [] : [session]
  for (const { id } of whole) said.set(id, undefined)
  return yield* derivedFrom(said, yield* addedByHand(owner, selection))
}

/** Facts that a person added before the time, or all of them: they go by when they were added. */
function* addedByHand(owner: PartitionRow, { all: everything, session, messages, before }: ForgetSelection): Program<readonly AssertionTable[]> {
  const isMeant = everything === true || (before !== undefined && session === undefined && messages === undefined)
  const known = isMeant ? yield* findKnownOf(owner.id) : undefined
  return known === undefined ? [] : yield* addedBefore(known.id, before ?? Number.MAX_SAFE_INTEGER)
}

/** Contexts that go with what is erased: those that showed some of it, and those of a session that goes. */
export function* affectedContexts(owner: PartitionRow, doomed: readonly Doomed[], { items, assertions, doomedPages: { pages } }: Derived, selection: ForgetSelection): Program<readonly number[]> {
  if (selection.all === true) return yield* allContexts(owner.id)
  const gone = new Set([...[...doomed, ...items, ...pages].map(({ uuid }) => uuidText(uuid)), ...assertions.map(({ fact }) => uuidText(fact))])
  return yield* contextsThatShowed({ partition: owner.id }, gone, wholeSession(selection) ? selection.session : undefined)
}
