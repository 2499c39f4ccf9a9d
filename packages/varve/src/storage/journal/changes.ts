import { sql } from 'kysely'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { shown } from '../../errors/shown.ts'
import type { MessageId } from '../../messages/message.ts'
import type { PartitionId, ProjectName } from '../../scope/partition.ts'
import { type JournalPlace, PlaceSeal, placeLengths } from '../../signing/place.ts'
import type { JournalTable } from '../door-tables.ts'
import { messageIdOf } from '../log/messages.ts'
import { findPartition, ownerKinds, projectNumber } from '../partitions.ts'
import { all, allEach, type Program } from '../program.ts'
import type { MessageTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'
import { journalEnds } from './ends.ts'
import { kindOfNumber, type LayerByHand, type ToldKind } from './kinds.ts'

/** The kind of a change. `changed` is a layer that a person or an agent changed by hand. */
export type ChangeType = ToldKind | 'changed'

/** Something that happened in a project: ids and times, never a word. */
export interface Change {
  /** The place after it: the `after` of a call that goes on from here. */
  readonly id: string
  readonly type: ChangeType
  /** UTC milliseconds. */
  readonly at: number
  /** The user in whose memory it happened, `~` for the anonymous one; absent for the project as a whole. */
  readonly user?: string
  readonly session?: string
  /** The ids of appended messages, those that were forgotten since left out. */
  readonly messages?: readonly MessageId[]
  /** The place in its session of the last of `messages`, or of `message`. */
  readonly seq?: number
  /** The id of a replaced message. */
  readonly message?: MessageId
  readonly receipt?: string
  /** The layer that was changed by hand. */
  readonly layer?: LayerByHand
}

/** Changes in the order of storing, and the place after the last one. */
export interface Changes {
  readonly changes: readonly Change[]
  /** The `after` of the next call. */
  readonly place: string
  /** True when changes after the given place are no longer known: the reader must read anew what it keeps. */
  readonly missed: boolean
}

/** The wanted changes: at most `limit`, after the `place` of an earlier answer. */
export interface ChangesRequest {
  readonly limit: number
  readonly after?: string | undefined
}

/** Whose changes are read. */
export interface ChangesOf {
  readonly project: ProjectName
  /** Only those of one user's partition. */
  readonly partition?: PartitionId | undefined
}

export const expectedChangesPlace = 'the `place` or an `id` of an earlier call'

export const [shortestChangesPlace, longestChangesPlace] = placeLengths

/** The most ids of messages in one answer. Changes beyond them come with the next one. */
const mostIds = 10_000

/** The name of the anonymous user in a change. */
const anonymous = '~'

const columns = ['journal.id', 'journal.kind', 'journal.at', 'journal.partition_id', 'session_id', 'first_ord', 'last_ord', 'ref'] as const

interface After {
  readonly project: number
  readonly after: number
  readonly limit: number
}

const inProject = statement<After>()((db, p, d) =>
  db
    .selectFrom('journal')
    .leftJoin('partition', 'partition.id', 'journal.partition_id')
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'journal.session_id').$call(d.beside('session', 'journal')))
    .select(columns)
    .select(['partition.owner', 'partition.owner_kind', 'session.external_id as session'])
    .where('journal.project_id', '=', p('project'))
    .where('journal.id', '>', p('after'))
    .where(d.settled())
    .orderBy('journal.id')
    .limit(p('limit')),
)

const inPartition = statement<After & { partition: number }>()((db, p, d) =>
  db
    .selectFrom('journal')
    .leftJoin('partition', 'partition.id', 'journal.partition_id')
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'journal.session_id').$call(d.joined('session', p('partition'))))
    .select(columns)
    .select(['partition.owner', 'partition.owner_kind', 'session.external_id as session'])
    .where('journal.project_id', '=', p('project'))
    .where('journal.id', '>', p('after'))
    .where(d.settled())
    // The unary plus keeps SQLite on the index by id: the other one would sort the partition's rows at each look.
    .where(sql<number>`+journal.partition_id`, '=', p('partition'))
    .orderBy('journal.id')
    .limit(p('limit')),
)

const messagesWithin = statement<{ partition: number; session: number; from: number; to: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['uuid', 'seq'])
    .where('partition_id', '=', p('partition'))
    .where('ord', '>=', p('from'))
    .where('ord', '<=', p('to'))
    .where('session_id', '=', p('session'))
    .orderBy('ord'),
)

type Row = Pick<JournalTable, 'kind' | 'at' | 'partition_id' | 'session_id' | 'first_ord' | 'last_ord' | 'ref'> & {
  readonly id: number
  readonly owner: string | null
  readonly owner_kind: number | null
  readonly session: string | null
}

/** Returns what happened in a project, or in one user's memory, after a place. Messages are looked up as they are now. */
export function* changesAfter(of: ChangesOf, { limit, after }: ChangesRequest, secret: string): Program<Changes> {
  const seal = new PlaceSeal(secret)
  const here = yield* placeOfNow(of)
  if (after === undefined) return { changes: [], place: seal.ofNow(here), missed: false }
  const from = seal.opened(after)
  if (from === undefined) throw new InvalidOption({ option: 'after', received: shown(after), expected: expectedChangesPlace })
  if (isPast(from, here, of)) return { changes: [], place: seal.ofNow(here), missed: true }
  const isNothing = from.id === here.id || here.project === 0 || (of.partition !== undefined && here.partition === 0)
  const rows = isNothing ? [] : yield* rowsAfter(here, from.id, limit)
  const fit = fitting(rows)
  const changes = yield* told(fit, (id) => seal.ofRow({ ...here, id }))
  const last = fit.at(-1)
  const isMore = fit.length < rows.length || rows.length === limit
  return { changes, place: isMore && last !== undefined ? seal.ofRow({ ...here, id: last.id }) : seal.ofNow(here), missed: false }
}

interface Now extends JournalPlace {
  /** The newest row that is no longer kept. */
  readonly pruned: number
}

function* placeOfNow({ project, partition }: ChangesOf): Program<Now> {
  const owner = partition === undefined ? undefined : yield* findPartition(partition)
  const number = owner?.project_id ?? (yield* projectNumber(project)) ?? 0
  const { newest, pruned } = yield* journalEnds()
  return { id: newest, project: number, partition: owner?.id ?? 0, pruned }
}

/**
 * Tells whether changes after a place are unknown: their rows were pruned; the project, or the user's memory, was
 * forgotten as a whole; or the store is an older copy.
 */
function isPast(from: JournalPlace, { id, project, partition, pruned }: Now, of: ChangesOf): boolean {
  if (from.id < pruned || from.id > id) return true
  const isOther = of.partition !== undefined && from.partition !== 0 && from.partition !== partition
  return isOther || (from.project !== 0 && from.project !== project)
}

function rowsAfter({ project, partition }: JournalPlace, after: number, limit: number): Program<readonly Row[]> {
  return partition === 0 ? all(inProject, { project, after, limit }) : all(inPartition, { project, partition, after, limit })
}

function fitting(rows: readonly Row[]): readonly Row[] {
  let ids = 0
  const end = rows.findIndex(({ first_ord: from, last_ord: to }, at) => {
    ids += to - from + 1
    return at > 0 && ids > mostIds
  })
  return end === -1 ? rows : rows.slice(0, end)
}

function* told(rows: readonly Row[], placeOf: (id: number) => string): Program<readonly Change[]> {
  const withMessages = rows.filter(({ first_ord: from }) => from > 0)
  const found = yield* allEach(
    messagesWithin,
    withMessages.map((row) => ({ partition: row.partition_id, session: row.session_id, from: row.first_ord, to: row.last_ord })),
  )
  const foundOf = new Map(withMessages.map((row, at) => [row.id, found[at] ?? []]))
  return rows.flatMap((row) => changeOf(row, placeOf(row.id), foundOf.get(row.id)))
}

/** Makes the change of a row. A message that was forgotten or replaced since is told by nothing. */
function changeOf(row: Row, id: string, found: readonly Pick<MessageTable, 'uuid' | 'seq'>[] | undefined): readonly Change[] {
  const kind = kindOfNumber(row.kind)
  if (kind === undefined || found?.length === 0) return []
  const messages = found?.map(({ uuid }) => messageIdOf(uuid))
  const { at, session, ref } = row
  const [message] = messages ?? []
  return [
    {
      id,
      ...kind,
      at,
      ...userOf(row),
      ...(session === null ? {} : { session }),
      ...(kind.type === 'appended' && messages !== undefined ? { messages } : {}),
      ...(found === undefined ? {} : { seq: Math.max(...found.map(({ seq }) => seq)) }),
      ...(kind.type === 'replaced' && message !== undefined ? { message } : {}),
      ...((kind.type === 'forgotten' || kind.type === 'erased') && ref.length > 0 ? { receipt: uuidText(ref) } : {}),
    },
  ]
}

function userOf({ owner, owner_kind: kind }: Row): { readonly user?: string } {
  if (kind === ownerKinds.user && owner !== null) return { user: owner }
  return kind === ownerKinds.anonymous ? { user: anonymous } : {}
}
