import { type Kysely, sql } from 'kysely'
import { byHand } from '../../models/writer.ts'
import type { DeedSourceTable, DeedTable, DeedTextTable } from '../deed-tables.ts'
import type { Sized } from '../listed.ts'
import { lost } from '../lost.ts'
import { all, change, first, type Program, run, runList } from '../program.ts'
import type { Schema } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidBytes } from '../uuid-bytes.ts'

/** The time for which a change by hand can be taken back: 30 days, in milliseconds. Then upkeep erases the words kept for it. */
export const deedsKeptMs = 30 * 86_400_000

/** The most changes by hand of a partition that are kept. Upkeep erases the oldest ones above that. */
export const deedsKept = 1_000

/** The most texts that one change keeps. A deletion of more entries than that cannot be taken back whole. */
export const mostTextsOfDeed = 20_000

/** The changes by hand, by the thing that they change. */
export const gistActs = ['write'] as const
export const bankActs = ['pin', 'unpin', 'correct', 'delete', 'clear'] as const
export const mergeAct = 'merge'
export const instructionActs = ['edit', 'withdraw'] as const

export type GistAct = (typeof gistActs)[number]
export type BankAct = (typeof bankActs)[number]
export type InstructionAct = (typeof instructionActs)[number]
export type Act = GistAct | BankAct | InstructionAct | typeof mergeAct

/** The kinds of kept texts. */
export const textKinds = { item: 0, part: 1, instruction: 2, names: 3 } as const

/** The number of a deed, and its partition. */
type DeedKey = Pick<DeedTable, 'id' | 'partition_id'>

/** A change that is about to be made. */
export interface NewDeed {
  readonly id: string
  readonly partition: number
  readonly act: Act
  /** The id of the changed thing, if it is one thing. */
  readonly ref?: Uint8Array
  readonly session?: number
  readonly place?: number
  readonly now: number
}

/** A text to keep for a deed, and the messages on which it rests. */
export interface KeptText extends Pick<DeedTextTable, 'kind' | 'ref' | 'hand' | 'content'> {
  readonly state: unknown
  readonly sources: readonly TextSource[]
}

export type TextSource = readonly [session: number, from: number, to: number]

/** The reference of a thing that has no id. */
export const noRef = new Uint8Array(0)

const insertDeed = statement<Omit<DeedTable, 'id'>>()((db, p, d) =>
  db
    .insertInto('deed')
    .values({
      uuid: p('uuid'),
      partition_id: p('partition_id'),
      act: p('act'),
      ref: p('ref'),
      session_id: p('session_id'),
      place: p('place'),
      writer: p('writer'),
      done_at: p('done_at'),
      undone_at: p('undone_at'),
    })
    .onConflict((c) => c.expression(d.key(['uuid'])).doUpdateSet({ undone_at: p('undone_at') })),
)

const insertText = statement<DeedTextTable & { partition: number }>()((db, p, d) =>
  db
    .insertInto('deed_text')
    .values(
      d.apart(
        { partition_id: p('partition') },
        {
          deed_id: p('deed_id'),
          place: p('place'),
          kind: p('kind'),
          ref: p('ref'),
          state: p('state'),
          hand: p('hand'),
          content: p('content'),
        },
      ),
    ),
)

const insertSource = statement<DeedSourceTable & { partition: number }>()((db, p, d) =>
  db
    .insertInto('deed_source')
    .values(
      d.apart(
        { partition_id: p('partition') },
        { session_id: p('session_id'), deed_id: p('deed_id'), place: p('place'), from_seq: p('from_seq'), to_seq: p('to_seq') },
      ),
    )
    .onConflict((c) => c.expression(d.key(['session_id', 'deed_id', 'place', 'from_seq'])).doUpdateSet({ to_seq: p('to_seq') })),
)

const byUuid = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('deed')
    .selectAll()
    .where('uuid', '=', p('uuid'))
    .$call(d.within(p('partition'))),
)

const lastPlace = statement<{ partition: number; deed: number }>()((db, p, d) =>
  db
    .selectFrom('deed_text')
    .select((e) => [e.fn.max('place').as('place'), e.fn.countAll<number>().as('texts')])
    .where('deed_id', '=', p('deed'))
    .$call(d.withinApart(p('partition'))),
)

const textsOf = statement<{ partition: number; deed: number }>()((db, p, d) =>
  db
    .selectFrom('deed_text')
    .selectAll()
    .where('deed_id', '=', p('deed'))
    .$call(d.withinApart(p('partition')))
    .orderBy('place'),
)

const undone = statement<{ partition: number; id: number; now: number }>()((db, p, d) =>
  db
    .updateTable('deed')
    .set({ undone_at: p('now') })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

function newestFirst(db: Kysely<Schema>) {
  return db
    .selectFrom('deed')
    .select(['id as key', sql<number>`200`.as('bytes')])
    .orderBy('id', 'desc')
}

const ofPartition = statement<{ partition: number; acts: string; before: number; limit: number }>()((db, p, d) =>
  newestFirst(db)
    .where('partition_id', '=', p('partition'))
    .where('id', '<', p('before'))
    .where('act', 'in', d.texts(p('acts')))
    .limit(p('limit')),
)

const ofThing = statement<{ partition: number; acts: string; ref: Uint8Array; before: number; limit: number }>()((db, p, d) =>
  newestFirst(db)
    .where('partition_id', '=', p('partition'))
    .where('id', '<', p('before'))
    .where('act', 'in', d.texts(p('acts')))
    .where((e) =>
      e.or([
        e('ref', '=', p('ref')),
        e(
          'id',
          'in',
          db
            .selectFrom('deed_text')
            .select('deed_id')
            .where('deed_text.ref', '=', p('ref'))
            .$call(d.withinApart(p('partition'), 'deed_text')),
        ),
      ]),
    )
    .limit(p('limit')),
)

const ofSession = statement<{ session: number; partition: number }>()((db, p) =>
  db
    .selectFrom('deed')
    .selectAll()
    .where('session_id', '=', p('session'))
    .where('session_id', '>', sql<number>`0`)
    .where('partition_id', '=', p('partition'))
    .orderBy('place', 'desc'),
)

const byIds = statement<{ partition: number; ids: string }>()((db, p, d) =>
  db
    .selectFrom('deed')
    .selectAll()
    .where('id', 'in', d.numbers(p('ids')))
    .$call(d.within(p('partition')))
    .orderBy('id', 'desc'),
)

const dropOfSessions = statement<{ near: string; sessions: string }>()((db, p, d) =>
  db
    .deleteFrom('deed')
    .where('session_id', 'in', d.numbers(p('sessions')))
    .$call(d.among(p('near')))
    .where('session_id', '>', sql<number>`0`),
)

/**
 * Notes a change by hand, and returns its number. A change in several transactions is noted once. If another call took it
 * back half way, it stands again: else what the rest takes away could never be taken back.
 */
export function* noteDeed({ id, partition, act, ref = noRef, session = 0, place = 0, now }: NewDeed): Program<number> {
  const uuid = uuidBytes(id)
  if (uuid === undefined) throw new TypeError(`not a uuid: ${id}`)
  yield* run(insertDeed, {
    uuid,
    partition_id: partition,
    act,
    ref,
    session_id: session,
    place,
    writer: byHand,
    done_at: now,
    undone_at: null,
  })
  const row = yield* first(byUuid, { partition, uuid })
  if (row === undefined) throw lost('deed')
  return row.id
}

/** Keeps texts that a deed takes away, as far as there is room. */
export function* keepTexts(partition: number, deed: number, texts: readonly KeptText[]): Program<void> {
  if (texts.length === 0) return
  const before = yield* first(lastPlace, { partition, deed })
  const begin = (before?.place ?? 0) + 1
  const room = Math.max(0, mostTextsOfDeed - (before?.texts ?? 0))
  yield* runList(
    texts.slice(0, room).flatMap(({ sources, state, kind, ref, hand, content }, at) => {
      const place = begin + at
      return [
        change(insertText, { partition, deed_id: deed, place, kind, ref, state: JSON.stringify(state), hand, content }),
        ...sources.map(([session, from, to]) =>
          change(insertSource, { partition, session_id: session, deed_id: deed, place, from_seq: from, to_seq: to }),
        ),
      ]
    }),
  )
}

/** Finds a deed of a partition by its id. */
export function* findDeed(partition: number, id: string): Program<DeedTable | undefined> {
  const uuid = uuidBytes(id)
  const row = uuid === undefined ? undefined : yield* first(byUuid, { partition, uuid })
  return row?.partition_id === partition ? row : undefined
}

/** Returns the texts that are still kept for a deed. */
export function keptTexts({ id: deed, partition_id: partition }: DeedKey): Program<readonly DeedTextTable[]> {
  return all(textsOf, { partition, deed })
}

/** Returns the places of a partition's deeds before one, the newest first; with an id, of those that changed the thing. */
export function deedsBefore(
  partition: number,
  { acts, before, limit, ref }: { acts: readonly Act[]; before: number; limit: number; ref: Uint8Array | undefined },
): Program<readonly Sized[]> {
  const asked = { partition, acts: JSON.stringify(acts), before, limit }
  return ref === undefined ? all(ofPartition, asked) : all(ofThing, { ...asked, ref })
}

export function deedsAt(partition: number, ids: readonly number[]): Program<readonly DeedTable[]> {
  return all(byIds, { partition, ids: JSON.stringify(ids) })
}

/** Returns the deeds on the gist of a session, the newest first. */
export function deedsOfSession(partition: number, session: number): Program<readonly DeedTable[]> {
  return all(ofSession, { session, partition })
}

/** Notes that a deed was taken back. */
export function noteUndone({ id, partition_id: partition }: DeedKey, now: number): Program<void> {
  return run(undone, { partition, id, now })
}

/** Drops the deeds on the gists of sessions that go. Their texts go by their sources. */
export function* dropDeedsOfSessions(near: string, sessions: readonly number[]): Program<void> {
  if (sessions.length > 0) yield* run(dropOfSessions, { near, sessions: JSON.stringify(sessions) })
}
