import { sql } from 'kysely'
import { NotFound } from '../../errors/not-found.ts'
import { ordinalOf } from '../../ids/message-id.ts'
import { isToolTrace } from '../../messages/tool-trace.ts'
import type { Message, MessageId, Metadata, Origin, RecalledRange, Role } from '../../messages/message.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { type PartitionRow, findPartition } from '../partitions.ts'
import type { PreparedMessage } from './prepared-message.ts'
import { type Program, type SingleStep, all, change, first, firstEach } from '../program.ts'
import type { MessageTable, SessionTable } from '../schema.ts'
import { findSessionRow } from './sessions.ts'
import { statement } from '../statement.ts'
import { termsChange } from '../segment/terms.ts'
import { uuidBytes, uuidText } from '../uuid-bytes.ts'

const insertMessage = statement<MessageTable>()((db, p) =>
  db
    .insertInto('message')
    .values({
      partition_id: p('partition_id'),
      ord: p('ord'),
      session_id: p('session_id'),
      seq: p('seq'),
      uuid: p('uuid'),
      external_id: p('external_id'),
      role: p('role'),
      origin: p('origin'),
      name: p('name'),
      thread: p('thread'),
      content: p('content'),
      parts: p('parts'),
      metadata: p('metadata'),
      recalled: p('recalled'),
      said_at: p('said_at'),
      recorded_at: p('recorded_at'),
      tokens: p('tokens'),
    }),
)

const byExternalIds = statement<{ partition: number; session: number; externalIds: string }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['uuid', 'seq', 'external_id'])
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('external_id', 'in', d.texts(p('externalIds'))),
)

const movedTo = statement<{ partition: number; uuid: Uint8Array }>()((db, p) =>
  db.selectFrom('message_moved').select('ord').where('partition_id', '=', p('partition')).where('uuid', '=', p('uuid')),
)

const page = statement<{ partition: number; session: number; before: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .selectAll()
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', '<', p('before'))
    .orderBy('seq', 'desc')
    .limit(p('limit')),
)

const pageWithoutTools = statement<{ partition: number; session: number; before: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .selectAll()
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', '<', p('before'))
    .where('role', '!=', 'tool')
    .orderBy('seq', 'desc')
    .limit(p('limit')),
)

const pageOfMainLine = statement<{ partition: number; session: number; before: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .selectAll()
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', '<', p('before'))
    .where('role', '!=', 'tool')
    .where('thread', 'is', null)
    .orderBy('seq', 'desc')
    .limit(p('limit')),
)

const between = statement<{ partition: number; session: number; from: number; to: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .selectAll()
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', '>=', p('from'))
    .where('seq', '<=', p('to'))
    .orderBy('seq'),
)

const byOrd = statement<{ partition: number; ord: number }>()((db, p) =>
  db.selectFrom('message').selectAll().where('partition_id', '=', p('partition')).where('ord', '=', p('ord')),
)

// The name in a sub-select: where PostgreSQL has no statistics yet, it would begin a join with all sessions of the partition.
const byOrds = statement<{ partition: number; ords: string }>()((db, p, d) =>
  db
    .selectFrom('message')
    .selectAll('message')
    .select(
      sql<string>`(select external_id from session where id = message.session_id and session.partition_id = ${p('partition')})`.as(
        'session',
      ),
    )
    .where('message.partition_id', '=', p('partition'))
    .where('message.ord', 'in', d.numbers(p('ords'))),
)

/** The fields of a message that the store sets and a replacement keeps. */
export interface Identity {
  readonly uuid: Uint8Array
  readonly seq: number
  readonly recordedAt: number
}

/** Returns the writes of a message and its terms at the partition's next ordinal. */
export function insertions(
  owner: PartitionRow,
  session: Pick<SessionTable, 'id'>,
  { uuid, seq, recordedAt }: Identity,
  message: PreparedMessage,
): readonly SingleStep[] {
  const place = { partition_id: owner.id, ord: owner.seq, session_id: session.id, seq, said_at: message.saidAt }
  const row = {
    ...place,
    uuid,
    external_id: message.externalId,
    role: message.role,
    origin: message.origin,
    name: message.name,
    thread: message.thread,
    content: message.content,
    parts: message.parts,
    metadata: message.metadata,
    recalled: message.recalled.length === 0 ? null : JSON.stringify(message.recalled),
    recorded_at: recordedAt,
    tokens: message.tokens,
  }
  return [change(insertMessage, row), termsChange({ ...place, body: message.terms, traits: message.traits })]
}

/** Returns a message by its id within a partition. Throws NotFound for another partition's message as for an unknown id. */
export function* findMessageRow(owner: PartitionRow | undefined, id: string): Program<MessageTable> {
  const uuid = uuidBytes(id)
  const row = owner === undefined || uuid === undefined ? undefined : yield* messageWithId(owner.id, uuid)
  if (row === undefined) throw new NotFound({ kind: 'message', id })
  return row
}

/** Returns a message of a partition by its id; undefined when it has none. */
export function* messageWithId(partition: number, uuid: Uint8Array): Program<MessageTable | undefined> {
  const standing = yield* messageAt(partition, ordinalOf(uuid))
  return isSame(standing, uuid) ? standing : yield* movedMessage(partition, uuid)
}

/** A message of a session that has an external id. */
export type NamedPlace = Pick<MessageTable, 'uuid' | 'seq' | 'external_id'>

/** Returns the messages of a session that have some external ids. */
export function messagesNamed(partition: number, session: number, externalIds: readonly string[]): Program<readonly NamedPlace[]> {
  return all(byExternalIds, { partition, session, externalIds: JSON.stringify(externalIds) })
}

/** Returns the messages with some ids, without those that are gone. */
export function* messagesWith(owner: PartitionRow, ids: readonly string[]): Program<ReadonlyMap<string, Message>> {
  const wanted = new Map(ids.flatMap((id) => uuidBytes(id) ?? []).map((uuid) => [uuidText(uuid), uuid]))
  const found = new Map<string, Message>()
  const take = (stored: ReadonlyMap<number, Stored>): void => {
    for (const { message } of stored.values()) if (wanted.has(message.id)) found.set(message.id, message)
  }
  take(yield* messagesAt(owner.id, [...wanted.values()].map(ordinalOf)))
  const moved = yield* firstEach(
    movedTo,
    [...wanted].filter(([id]) => !found.has(id)).map(([, uuid]) => ({ partition: owner.id, uuid })),
  )
  const ords = moved.flatMap((one) => one?.ord ?? [])
  if (ords.length > 0) take(yield* messagesAt(owner.id, ords))
  return found
}

function* movedMessage(partition: number, uuid: Uint8Array): Program<MessageTable | undefined> {
  const moved = yield* first(movedTo, { partition, uuid })
  return moved === undefined ? undefined : yield* messageAt(partition, moved.ord)
}

function isSame(row: MessageTable | undefined, uuid: Uint8Array): boolean {
  return row !== undefined && Buffer.compare(row.uuid, uuid) === 0
}

export interface PageRequest {
  readonly limit: number
  /** Only messages with a lower seq. */
  readonly before?: number
  /** False leaves out messages of role tool, and those that are only calls or results of tools. */
  readonly tools?: boolean
}

/** Returns the newest messages of a session's main line, or of its threads if it has no main line. Traces of tools are left out. */
export function* newestTurns(partition: PartitionId, session: SessionName, limit: number): Program<readonly Message[]> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (row === undefined) return []
  const own = yield* readTalk(row, Number.MAX_SAFE_INTEGER, limit, pageOfMainLine)
  return own.length > 0 ? own : yield* readTalk(row, Number.MAX_SAFE_INTEGER, limit)
}

/** Returns the newest messages of a session, oldest first; none for an unknown session. */
export function* readMessages(partition: PartitionId, session: SessionName, request: PageRequest): Program<readonly Message[]> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (row === undefined) return []
  const { before = Number.MAX_SAFE_INTEGER, limit } = request
  if (request.tools === false) return yield* readTalk(row, before, limit)
  const rows = yield* all(page, { partition: row.partition_id, session: row.id, before, limit })
  return rows.toReversed().map((message) => messageOf(message, session))
}

/** The least rows that are read at once where traces of tools are left out: a run of them may be long. */
const leastRead = 16

/** Reads the newest messages that are no traces of tools, oldest first. Their parts tell, which no query reads. */
function* readTalk(
  { id: session, partition_id: partition, external_id: name }: Pick<SessionTable, 'id' | 'partition_id' | 'external_id'>,
  newest: number,
  limit: number,
  pages = pageWithoutTools,
): Program<readonly Message[]> {
  const found: Message[] = []
  for (let before = newest; found.length < limit;) {
    const wanted = Math.max(leastRead, limit - found.length)
    const rows = yield* all(pages, { partition, session, before, limit: wanted })
    found.push(...rows.map((row) => messageOf(row, name)).filter((message) => !isToolTrace(message)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < wanted) break
    before = last.seq
  }
  return found.slice(0, limit).toReversed()
}

/** Returns a session's messages with seq in [from, to]. */
export function* messagesBetween(
  session: Pick<SessionTable, 'id' | 'partition_id' | 'external_id'>,
  from: number,
  to: number,
): Program<readonly Message[]> {
  const rows = yield* all(between, { partition: session.partition_id, session: session.id, from, to })
  return rows.map((row) => messageOf(row, session.external_id))
}

/** Returns the message at an ordinal of a partition; undefined when it is gone. */
export function messageAt(partition: number, ord: number): Program<MessageTable | undefined> {
  return first(byOrd, { partition, ord })
}

/** A message, and the numbers of its session and its partition. */
export interface Stored {
  readonly message: Message
  readonly session: number
  readonly partition: number
}

/** Returns the messages at some ordinals, by ordinal, without those that are gone. One query for all: a query a message took 15 µs. */
export function* messagesAt(partition: number, ords: readonly number[]): Program<ReadonlyMap<number, Stored>> {
  const rows = yield* all(byOrds, { partition, ords: JSON.stringify(ords) })
  return new Map(rows.map((row) => [row.ord, { message: messageOf(row, row.session), session: row.session_id, partition }]))
}

export function messageIdOf(uuid: Uint8Array): MessageId {
  return uuidText(uuid) as MessageId
}

export function messageOf(row: MessageTable, session: string): Message {
  return {
    id: messageIdOf(row.uuid),
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    session,
    seq: row.seq,
    // Stored values were validated when they came in.
    role: row.role as Role,
    origin: row.origin as Origin,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.thread === null ? {} : { thread: row.thread }),
    content: row.content,
    ...(row.parts === null ? {} : { parts: JSON.parse(row.parts) as readonly unknown[] }),
    ...(row.metadata === null ? {} : { metadata: JSON.parse(row.metadata) as Metadata }),
    at: row.said_at,
    recordedAt: row.recorded_at,
    tokens: row.tokens,
    ...(row.recalled === null ? {} : { recalled: JSON.parse(row.recalled) as readonly RecalledRange[] }),
  }
}
