import { sql } from 'kysely'
import { NotFound } from '../../errors/not-found.ts'
import { beginningFor, beginningIn, namedIn } from '../../messages/goes-with.ts'
import type { PartitionId } from '../../scope/partition.ts'
import { contextKeys } from '../log/contexts.ts'
import { findMessageRow } from '../log/messages.ts'
import { findPartition, nearTo, type PartitionRow } from '../partitions.ts'
import { type Program, abreast, all, answer } from '../program.ts'
import type { MessageTable, SessionTable } from '../schema.ts'
import type { Ordinals } from '../segment/terms.ts'
import { ordinalsAt } from '../segment/erasing.ts'
import { findSessionRow } from '../log/sessions.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'
import { type ForgetSelection, isWholeSession } from './forget-selection.ts'

/** A message to be erased. */
export type Doomed = Pick<MessageTable, 'ord' | 'session_id' | 'seq' | 'uuid'>

/** A message with its size in bytes, measured without reading it. */
export interface Weighed extends Doomed {
  readonly bytes: number
}

type Row = Weighed & Pick<MessageTable, 'said_at' | 'recorded_at'>

/** A function, because the published package has no query builder. */
const bytes = () => sql<number>`octet_length(content) + coalesce(octet_length(parts), 0) + coalesce(octet_length(metadata), 0)`

const columns = ['ord', 'session_id', 'seq', 'uuid', 'said_at', 'recorded_at'] as const

const ofPartition = statement<{ partition: number; after: number; limit: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select([...columns, bytes().as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('ord', '>', p('after'))
    .orderBy('ord')
    .limit(p('limit')),
)

const ofSession = statement<{ partition: number; session: number; after: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select([...columns, bytes().as('bytes')])
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', '>', p('after'))
    .orderBy('seq')
    .limit(p('limit')),
)

const standingAt = statement<Ordinals>()((db, p, d) =>
  db
    .selectFrom('message')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const namesAt = statement<Ordinals>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['session_id', 'external_id'])
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords')))
    .where('external_id', 'is not', null),
)

/** Each asked: a session, and a range of its external ids. The order of the join is fixed. */
const namedBetween = statement<{ partition: number; asked: string }>()((db, p, d) =>
  db
    .selectFrom(d.entries(p('asked')).as('asked'))
    .crossJoin('message')
    .select([...columns, 'external_id', bytes().as('bytes')])
    .where('session_id', '=', sql<number>`${sql.raw(d.integer('asked.value ->> 0'))}`)
    .$call(d.within(p('partition')))
    .where(d.bytewise(sql.ref('external_id')), '>=', sql<string>`asked.value ->> 1`)
    .where(d.bytewise(sql.ref('external_id')), '<', sql<string>`asked.value ->> 2`)
    .where('role', '=', sql<string>`'system'`),
)

/** The search for a selection's messages, among those up to an ordinal. */
export interface Search {
  readonly selection: ForgetSelection
  readonly owner: PartitionRow
  readonly session: SessionTable | undefined
}

/** The messages that one step of a search found. */
export interface FoundMessages {
  readonly meant: readonly Weighed[]
  /** The place of the next step; undefined at the end. */
  readonly next: number | undefined
}

/** The number of rows that one step looks at. */
const rowsAtOnce = 2_000
const idsAtOnce = 200

/** The number of messages that are looked up together by id, each with all of its words. */
const foundAtOnce = 32

/** The messages that a person was shown: those of a partition up to an ordinal. */
export interface ShownUpTo {
  /** The number of the partition. */
  readonly owner: number
  readonly ord: number
}

/** Begins a search. Returns undefined in an empty partition. Throws NotFound for an unknown session. */
export function* searchFor(partition: PartitionId, selection: ForgetSelection): Program<Search | undefined> {
  const owner = yield* ownerFor(partition)
  return owner === undefined ? undefined : yield* searchIn(owner, selection)
}

/** Returns the partition of a search, as far as a person was shown it. Undefined where it is empty. */
export function* ownerFor(partition: PartitionId, shown?: ShownUpTo): Program<PartitionRow | undefined> {
  const owner = yield* findPartition(partition)
  // The partition was forgotten and made anew: nothing in it was shown.
  if (owner === undefined || (shown !== undefined && shown.owner !== owner.id)) return undefined
  return shown === undefined ? owner : { ...owner, seq: shown.ord }
}

export function* searchIn(owner: PartitionRow, selection: ForgetSelection): Program<Search> {
  const { session: name } = selection
  const session = name === undefined ? undefined : yield* findSessionRow(owner.id, name)
  if (name !== undefined && session === undefined && !(yield* isShownOnly(owner, selection)))
    throw new NotFound({ kind: 'session', id: name })
  return { selection, owner, session }
}

/** Tells whether a whole session is meant that only contexts name: nothing was ever stored in it. */
function* isShownOnly({ id }: PartitionRow, selection: ForgetSelection): Program<boolean> {
  const { session } = selection
  return session !== undefined && isWholeSession(selection) && (yield* contextKeys(id, session)).length > 0
}

/** Returns a page of the messages found from a place on; 0 is the first place. Throws NotFound for an unknown id. */
export function* lookOn({ selection, owner, session }: Search, from: number): Program<FoundMessages> {
  const { messages, all: everything, before } = selection
  if (messages !== undefined) {
    const asked = messages.slice(from, from + idsAtOnce)
    const rows = yield* abreast(
      asked.map((id) => found(owner, id)),
      foundAtOnce,
    )
    const next = from + idsAtOnce < messages.length ? from + idsAtOnce : undefined
    return { meant: rows.filter((row) => isMeant(row, selection, session?.id)), next }
  }
  if (everything !== true && before === undefined && session === undefined) return { meant: [], next: undefined }
  const rows =
    session === undefined
      ? yield* all(ofPartition, { partition: owner.id, after: from, limit: rowsAtOnce })
      : yield* all(ofSession, { partition: owner.id, session: session.id, after: from, limit: rowsAtOnce })
  const last = rows.at(-1)
  const place = session === undefined ? last?.ord : last?.seq
  const isLast = rows.length < rowsAtOnce || (last !== undefined && session === undefined && last.ord >= owner.seq)
  return { meant: rows.filter((row) => row.ord <= owner.seq && isMeant(row, selection, session?.id)), next: isLast ? undefined : place }
}

/** Returns all messages of a selection at once. */
export function* lookForAll(search: Search): Program<readonly Weighed[]> {
  const meant = new Map<number, Weighed>()
  for (let from: number | undefined = 0; from !== undefined;) {
    const found: FoundMessages = yield* lookOn(search, from)
    for (const one of found.meant) meant.set(one.ord, one)
    from = found.next
  }
  return [...meant.values()]
}

/** Puts messages that go with others before them: an erasure that ends early leaves none behind. */
export function withGoing<One extends Doomed>(going: readonly One[], meant: readonly One[]): readonly One[] {
  const ords = new Set(going.map(({ ord }) => ord))
  return [...going, ...meant.filter(({ ord }) => !ords.has(ord))]
}

/** Returns the messages that go with some others of their session: their ids name them. */
export function* messagesGoingWith(owner: PartitionRow, some: readonly Doomed[]): Program<readonly Weighed[]> {
  if (some.length === 0) return []
  const names = yield* all(
    namesAt,
    ordinalsAt(
      owner,
      some.map(({ ord }) => ord),
    ),
  )
  if (names.length === 0) return []
  const named = new Map<string, string[]>()
  const placeOf = (session: number, beginning: string): string => JSON.stringify([session, beginning, `${beginning.slice(0, -1)};`])
  for (const { session_id: session, external_id: id } of names) {
    const place = placeOf(session, beginningFor(id ?? ''))
    named.set(place, [...(named.get(place) ?? []), id ?? ''])
  }
  const going: Weighed[] = []
  for (const { external_id: own, ...row } of yield* all(namedBetween, { partition: owner.id, asked: `[${[...named.keys()].join(',')}]` })) {
    if (own === null) continue
    const ids = named.get(placeOf(row.session_id, beginningIn(own))) ?? []
    if (namedIn(own).some((id) => ids.includes(id))) going.push(row)
  }
  return going
}

/** The findings of a search before the transaction that are not erased yet. */
export interface FoundBefore {
  /** The number of the partition. */
  readonly owner: number
  /** The newest ordinal that the search looked at. */
  readonly upTo: number
  readonly meant: readonly Doomed[]
  /** True where a person was shown exactly these: later messages stay. */
  readonly isShown?: boolean
}

/** A partition by its earlier number, looked at once more for earlier findings. */
export interface SeenAgain {
  /** The partitions around it (nearTo). */
  readonly near: string
  readonly session: SessionTable | undefined
  /** The findings that still stand. */
  readonly standing: readonly Doomed[]
  /** Messages that came after the search; none where a person was shown the findings. */
  readonly since: readonly Row[]
}

/** Looks once more for the findings of an earlier search, in one step. */
export function* seeAgain({ session: name }: ForgetSelection, { owner, upTo, meant, isShown }: FoundBefore): Program<SeenAgain> {
  const [near, session, standing, since] = yield* abreast([
    nearTo(owner),
    name === undefined ? answer(undefined) : findSessionRow(owner, name),
    stillThere({ id: owner }, meant),
    isShown === true ? answer([]) : all(ofPartition, { partition: owner, after: upTo, limit: Number.MAX_SAFE_INTEGER }),
  ])
  return { near, session, standing, since }
}

/** Returns the findings that still stand, and later and changed messages of the selection. */
export function doomedAgain(selection: ForgetSelection, { session, standing, since }: SeenAgain): readonly Doomed[] {
  // A session that only contexts name has no message. Later ones are of other sessions.
  if (selection.session !== undefined && session === undefined) return standing
  return [...standing, ...since.filter((row) => isMeant(row, selection, session?.id) && isNamed(row, selection))]
}

export function* stillThere(owner: Pick<PartitionRow, 'id'>, meant: readonly Doomed[]): Program<readonly Doomed[]> {
  if (meant.length === 0) return []
  const ords = new Set(
    (yield* all(
      standingAt,
      ordinalsAt(
        owner,
        meant.map(({ ord }) => ord),
      ),
    )).map(({ ord }) => ord),
  )
  return meant.filter(({ ord }) => ords.has(ord))
}

function isMeant(row: Row, { before, recordedBy }: ForgetSelection, session: number | undefined): boolean {
  return (
    (session === undefined || row.session_id === session) &&
    (before === undefined || row.said_at < before) &&
    (recordedBy === undefined || row.recorded_at <= recordedBy)
  )
}

function isNamed({ uuid }: Doomed, { messages }: ForgetSelection): boolean {
  return messages === undefined || messages.includes(uuidText(uuid))
}

function* found(owner: PartitionRow, id: string): Program<Row> {
  const { ord, session_id, seq, uuid, said_at, recorded_at, content, parts, metadata } = yield* findMessageRow(owner, id)
  return { ord, session_id, seq, uuid, said_at, recorded_at, bytes: content.length + (parts?.length ?? 0) + (metadata?.length ?? 0) }
}
