import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Sentence } from '../../models/writer.ts'
import { countsOfWritten, itemNumbers, type WrittenCounts } from '../kinds.ts'
import { nearTo, type PartitionRow } from '../partitions.ts'
import type { Sized, TimedPlace } from '../listed.ts'
import type { Child } from './item-lineage.ts'
import { sentenceLines, sourcesOf } from './parts.ts'
import { type Program, type SingleStep, all, allEach, change, first, run, runList } from '../program.ts'
import type { ItemTable, Schema } from '../schema.ts'
import { statement } from '../statement.ts'
import { termsChange } from '../segment/terms.ts'
import { uuidBytes } from '../uuid-bytes.ts'

/** The kinds of items as they are stored. */
export const itemKinds = itemNumbers()

/** An item to be stored, with its index data. */
export interface NewItem {
  readonly id: string
  readonly kind: number
  readonly rung: number
  /** The path of a bank entry: year/month/week/day down to its rung. The path of a coarser period is its prefix. */
  readonly period: string
  /** The item's session; 0 for a digest. */
  readonly session: number
  /** The partition of its session, its page or its block. Absent without any. */
  readonly home?: number | undefined
  readonly sentences: readonly Sentence[]
  /** [from, to] places in its session. For a digest that a person corrected: the children that its words stand for. */
  readonly spans: readonly (readonly [number, number])[]
  /** The ids of its parts, or a digest's children as they were read. */
  readonly madeOf: readonly number[] | readonly Child[]
  readonly hand: string | null
  readonly handSeq: number
  readonly pinned: boolean
  readonly messages: number
  readonly conversations: number
  readonly firstAt: number
  readonly lastAt: number
  readonly tokens: number
  readonly writer: string
  readonly provisional: boolean
  readonly terms: Uint8Array
  readonly traits: number
  /** The page of a passage. */
  readonly page?: number
}

/** Stores a whole row. */
export const insertItem = statement<ItemTable>()((db, p, d) =>
  db
    .insertInto('item')
    .values(
      d.apart(
        { home_id: p('home_id') },
        {
          partition_id: p('partition_id'),
          ord: p('ord'),
          uuid: p('uuid'),
          kind: p('kind'),
          rung: p('rung'),
          period: p('period'),
          session_id: p('session_id'),
          content: p('content'),
          sources: p('sources'),
          spans: p('spans'),
          made_of: p('made_of'),
          covered_by: p('covered_by'),
          hand: p('hand'),
          hand_seq: p('hand_seq'),
          pinned: p('pinned'),
          messages: p('messages'),
          conversations: p('conversations'),
          first_at: p('first_at'),
          said_at: p('said_at'),
          recorded_at: p('recorded_at'),
          tokens: p('tokens'),
          writer: p('writer'),
          provisional: p('provisional'),
          page_id: p('page_id'),
        },
      ),
    ),
)

/** Selects items with the names of their sessions: of their one source, or each of its own, as on a shared bank. */
function named(db: Kysely<Schema>, d: Dialect, source?: number) {
  return db
    .selectFrom('item')
    .leftJoin('session', (join) =>
      join.onRef('session.id', '=', 'item.session_id').$call(source === undefined ? d.atHome('session') : d.joined('session', source)),
    )
    .leftJoin('partition as source', 'source.id', 'session.partition_id')
    .selectAll('item')
    .$call(d.withHome)
    .select(['session.external_id as session', 'session.name as name', 'source.owner as member'])
}

const byOrds = statement<{ partition: number; ords: string; source: number }>()((db, p, d) =>
  named(db, d, p('source'))
    .where('item.partition_id', '=', p('partition'))
    .where('item.ord', 'in', d.numbers(p('ords'))),
)

const byOrdsAtHome = statement<{ partition: number; ords: string }>()((db, p, d) =>
  named(db, d)
    .where('item.partition_id', '=', p('partition'))
    .where('item.ord', 'in', d.numbers(p('ords'))),
)

const byId = statement<{ near: string; uuid: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('uuid', '=', p('uuid'))
    .$call(d.among(p('near'))),
)

// Without statistics SQLite assumes ten rows a partition, and would scan the partition by the primary key instead of an
// index. So a covering index gives the ordinals first. The condition of a partial index is a literal, or SQLite does
// not use the index.

const ofSession = statement<{ near: string; session: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('session_id', '=', p('session'))
    .$call(d.among(p('near')))
    .where('session_id', '>', sql<number>`0`),
)

const inPeriod = statement<{ partition: number; rung: number; period: string }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('partition_id', '=', p('partition'))
    .where(
      'ord',
      'in',
      db
        .selectFrom('item')
        .select('ord')
        .where('partition_id', '=', p('partition'))
        .where('kind', '=', sql<number>`1`)
        .where('rung', '=', p('rung'))
        .where('period', '=', p('period')),
    ),
)

/** Gives the size of a text without reading it. A function, because the published package has no query builder. */
const bytes = () => sql<number>`octet_length(content) + octet_length(sources) + octet_length(spans) + octet_length(made_of)
  + coalesce(octet_length(hand), 0)`

const newest = statement<{ partition: number; kind: number; at: number; ord: number; limit: number }>()((db, p) =>
  db
    .selectFrom('item')
    .select(['ord as key', 'said_at as at', bytes().as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', p('kind'))
    .where(sql<boolean>`(said_at, ord) < (${p('at')}, ${p('ord')})`)
    .orderBy('said_at', 'desc')
    .orderBy('ord', 'desc')
    .limit(p('limit')),
)

const onRung = statement<{ partition: number; rung: number; period: string; ord: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .select(['ord as key', 'period', bytes().as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', itemKinds.bank)
    .where('rung', '=', p('rung'))
    .where(sql<boolean>`(${d.bytewise(sql.ref('period'))}, ord) < (${p('period')}, ${p('ord')})`)
    .orderBy(d.bytewise(sql.ref('period')), 'desc')
    .orderBy('ord', 'desc')
    .limit(p('limit')),
)

const counts = statement<{ partition: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .select((e) => [
      'rung',
      e.fn.countAll<number>().as('entries'),
      sql<number>`coalesce(${d.sum(sql.ref('provisional'))}, 0)`.as('provisional'),
      sql<number>`coalesce(${d.sum(sql.ref('pinned'))}, 0)`.as('pinned'),
    ])
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', itemKinds.bank)
    .groupBy('rung')
    .orderBy('rung'),
)

const kinds = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('item')
    .select((e) => ['kind', e.fn.countAll<number>().as('items')])
    .where('partition_id', '=', p('partition'))
    .groupBy('kind'),
)

// A path's next step begins with '/', and '0' comes right after it.
const under = statement<{ partition: number; path: string }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', itemKinds.bank)
    .where(d.bytewise(sql.ref('period')), '>=', p('path'))
    .where(d.bytewise(sql.ref('period')), '<', sql<string>`${p('path')} || '0'`),
)

const leavesIn = statement<{ partition: number; path: string; limit: number }>()((db, p, d) =>
  named(db, d)
    .where('item.partition_id', '=', p('partition'))
    .where(
      'item.ord',
      'in',
      db
        .selectFrom('item')
        .select('ord')
        .where('partition_id', '=', p('partition'))
        .where('kind', '=', sql<number>`1`)
        .where('rung', '=', sql<number>`0`)
        .where(d.bytewise(sql.ref('period')), '>=', p('path'))
        .where(d.bytewise(sql.ref('period')), '<', sql<string>`${p('path')} || '0'`)
        .orderBy(d.bytewise(sql.ref('period')), 'desc')
        .orderBy('ord', 'desc')
        .limit(p('limit')),
    )
    .orderBy(d.bytewise(sql.ref('item.period')), 'desc')
    .orderBy('item.ord'),
)

const pinnedOf = statement<{ partition: number }>()((db, p, d) =>
  named(db, d)
    .where('item.partition_id', '=', p('partition'))
    .where(
      'item.ord',
      'in',
      db
        .selectFrom('item')
        .select('ord')
        .where('partition_id', '=', p('partition'))
        .where('kind', '=', sql<number>`1`)
        .where('pinned', '=', sql<number>`1`),
    ),
)

const ordsOfKind = statement<{ partition: number; kind: number }>()((db, p) =>
  db.selectFrom('item').select('ord').where('partition_id', '=', p('partition')).where('kind', '=', p('kind')),
)

// The condition of a partial index is a literal.
const ofPage = statement<{ near: string; page: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('page_id', '=', p('page'))
    .$call(d.among(p('near')))
    .where('page_id', '>', sql<number>`0`),
)

// An `in` of the two kinds would scan the whole partition.
const ofKind = statement<{ partition: number; kind: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', db.selectFrom('item').select('ord').where('partition_id', '=', p('partition')).where('kind', '=', p('kind'))),
)

const byHand = statement<{ partition: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', itemKinds.bank)
    .where('rung', '=', 0)
    .where('hand', 'is not', null),
)

const allOf = statement<{ partition: number }>()((db, p, d) =>
  db.selectFrom('item').selectAll().$call(d.withHome).where('partition_id', '=', p('partition')),
)

const cover = statement<{ partition: number; digest: number; ords: string }>()((db, p, d) =>
  db
    .updateTable('item')
    .set({ covered_by: p('digest') })
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const setPinned = statement<{ partition: number; ord: number; pinned: number }>()((db, p) =>
  db
    .updateTable('item')
    .set({ pinned: p('pinned') })
    .where('partition_id', '=', p('partition'))
    .where('ord', '=', p('ord')),
)

/** An item with the caller's name of its session, its title, and the owner of its session. */
export type NamedItem = ItemTable & {
  readonly session: string | null
  readonly name: string | null
  /** The user whose session it is; '' for the anonymous user, null for a digest. */
  readonly member: string | null
}

/** Returns the partition of an item's session, page or block; 0 where none is left, which no partition has. */
export function homeOfItem({ home_id: home }: Pick<ItemTable, 'home_id'>): number {
  return home ?? 0
}

/** Stores an item at its partition's next ordinal, and marks a digest's children as covered. Changes `owner`; the caller saves it. */
export function* storeItem(owner: PartitionRow, item: NewItem, now: number): Program<number> {
  yield* runList(itemChanges(owner, item, now))
  return owner.seq
}

/** Returns the steps of storeItem(), to run in a list. */
export function itemChanges(owner: PartitionRow, item: NewItem, now: number): readonly SingleStep[] {
  const uuid = uuidBytes(item.id)
  if (uuid === undefined) throw new TypeError(`not a uuid: ${item.id}`)
  owner.seq += 1
  owner.messages += 1
  owner.term_bytes += item.terms.length
  const place = { partition_id: owner.id, ord: owner.seq, session_id: item.session, said_at: item.lastAt }
  const row = {
    ...place,
    uuid,
    kind: item.kind,
    rung: item.rung,
    period: item.period,
    content: sentenceLines(item.sentences),
    sources: sourcesOf(item.sentences),
    spans: JSON.stringify(item.spans),
    made_of: JSON.stringify(item.madeOf),
    covered_by: 0,
    hand: item.hand,
    hand_seq: item.handSeq,
    pinned: Number(item.pinned),
    messages: item.messages,
    conversations: item.conversations,
    first_at: item.firstAt,
    recorded_at: now,
    tokens: item.tokens,
    writer: item.writer,
    provisional: Number(item.provisional),
    page_id: item.page ?? 0,
    home_id: item.home ?? null,
  }
  // To the index, an item without a session is a talk of its own: it has no neighbours.
  const terms = termsChange({
    ...place,
    session_id: item.session === 0 ? -owner.seq : item.session,
    seq: owner.seq,
    body: item.terms,
    traits: item.traits,
  })
  const covered =
    item.kind === itemKinds.bank && item.rung > 0
      ? [change(cover, { partition: owner.id, digest: owner.seq, ords: JSON.stringify(digested(item.madeOf).map(([ord]) => ord)) })]
      : []
  return [change(insertItem, row), terms, ...covered]
}

function digested(madeOf: NewItem['madeOf']): Child[] {
  return madeOf.flatMap((one) => (typeof one === 'number' ? [] : [one]))
}

/** Returns the items at some ordinals, without those that are gone. `source` is the partition of all their sessions, if it is one. */
export function itemsAt(partition: number, ords: readonly number[], source?: number): Program<readonly NamedItem[]> {
  const asked = { partition, ords: JSON.stringify(ords) }
  return source === undefined ? all(byOrdsAtHome, asked) : all(byOrds, { ...asked, source })
}

/** Returns an item by its id, of any of some partitions. The caller checks the owner. */
export function* findItem(near: string, id: string): Program<ItemTable | undefined> {
  const uuid = uuidBytes(id)
  return uuid === undefined ? undefined : yield* first(byId, { near, uuid })
}

/** Returns a session's gist and its entries, private and shared. */
export function* itemsOfSession(partition: number, session: number): Program<readonly ItemTable[]> {
  return yield* itemsAround(yield* nearTo(partition), session)
}

/** Returns the same where the partitions around the session's are known. */
export function itemsAround(near: string, session: number): Program<readonly ItemTable[]> {
  return all(ofSession, { near, session })
}

/** Returns the places and sizes of items of a kind after one place, the newest talk first. */
export function newestItems(
  partition: number,
  kind: number,
  { at, key: ord }: TimedPlace,
  limit: number,
): Program<readonly (Sized & TimedPlace)[]> {
  return all(newest, { partition, kind, at, ord, limit })
}

/** Returns the passages of a page. */
export function itemsOfPage(near: string, page: number): Program<readonly ItemTable[]> {
  return all(ofPage, { near, page })
}

/** Returns the ordinals of the items of a kind. */
export function* ordinalsOf(partition: number, kind: number): Program<readonly number[]> {
  return (yield* all(ordsOfKind, { partition, kind })).map(({ ord }) => ord)
}

/** Returns the places and sizes of a bank's entries on a rung after one place, the newest period first. */
export function entriesOnRung(
  partition: number,
  rung: number,
  after: { readonly period: string; readonly ord: number },
  limit: number,
): Program<readonly (Sized & { readonly period: string })[]> {
  return all(onRung, { partition, rung, ...after, limit })
}

/** Returns the entries of several periods, each of a partition and on a rung. */
export function* entriesInEach(
  periods: readonly { readonly partition: number; readonly rung: number; readonly period: string }[],
): Program<readonly ItemTable[]> {
  return (yield* allEach(inPeriod, periods)).flat()
}

export function entriesIn(partition: number, rung: number, period: string): Program<readonly ItemTable[]> {
  return all(inPeriod, { partition, rung, period })
}

/** Returns the conversations of a period, the newest first. */
export function leavesUnder(partition: number, path: string, limit: number): Program<readonly NamedItem[]> {
  return all(leavesIn, { partition, path, limit })
}

/** Returns the digest of a period and all entries below it. */
export function entriesUnder(partition: number, path: string): Program<readonly ItemTable[]> {
  return all(under, { partition, path })
}

export function pinnedEntries(partition: number): Program<readonly NamedItem[]> {
  return all(pinnedOf, { partition })
}

export function allItems(partition: number): Program<readonly ItemTable[]> {
  return all(allOf, { partition })
}

/** Returns a bank's entries. A shared bank has also the references to its source messages. */
export function* bankItems(partition: number): Program<readonly ItemTable[]> {
  return (yield* allEach(
    ofKind,
    [itemKinds.bank, itemKinds.message].map((kind) => ({ partition, kind })),
  )).flat()
}

/** Returns the conversations of a bank that a person corrected. */
export function correctedLeaves(partition: number): Program<readonly ItemTable[]> {
  return all(byHand, { partition })
}

/** Counts the entries of a bank on each rung. */
export function entryCounts(partition: number) {
  return all(counts, { partition })
}

/** Counts the items of a partition that hold the text of a layer; none without a partition. */
export function* countItems(partition: number | undefined): Program<WrittenCounts> {
  const rows = partition === undefined ? [] : yield* all(kinds, { partition })
  return countsOfWritten((wanted) => rows.find(({ kind }) => kind === itemKinds[wanted])?.items ?? 0)
}

export function pinItem(partition: number, ord: number, pinned: boolean): Program<void> {
  return run(setPinned, { partition, ord, pinned: Number(pinned) })
}

/** Returns the periods above an entry's own, finest first: rung and path of each. */
export function periodsAbove({ rung, period }: Pick<ItemTable, 'rung' | 'period'>): { rung: number; period: string }[] {
  const steps = period.split('/')
  const above: { rung: number; period: string }[] = []
  for (let at = rung + 1; at <= topRung; at += 1) above.push({ rung: at, period: steps.slice(0, topRung + 1 - at).join('/') })
  return above
}

/** The rung of years. A path has one step a rung above conversations: year, month, week, day. */
export const topRung = 4
