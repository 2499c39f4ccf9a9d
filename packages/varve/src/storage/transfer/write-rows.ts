import { findDerivedOf } from '../partitions.ts'
import { sql } from 'kysely'
import { insertItem } from '../derived/items.ts'
import { insertAssertion } from '../known/assertions.ts'
import type { AssertionEndTable, AssertionSourceTable, AssertionTable, BlockRevisionTable, InstructionTable } from '../known-tables.ts'
import type { PageFactTable, PageRevisionTable } from '../page-tables.ts'
import { type Program, type SingleStep, all, change, first, firstEach } from '../program.ts'
import type { ItemTable, PartTable, Schema, SessionTable } from '../schema.ts'
import { statement } from '../statement.ts'

// Whole rows, as an import writes them: with their own ids and times.

type Details = Pick<SessionTable, 'id' | 'name' | 'share' | 'metadata' | 'created_at' | 'layers_set' | 'layers_on' | 'shared_from'>

const sessionDetails = statement<Details & { partition: number }>()((db, p, d) =>
  db
    .updateTable('session')
    .set({
      name: p('name'),
      share: p('share'),
      metadata: p('metadata'),
      created_at: p('created_at'),
      layers_set: p('layers_set'),
      layers_on: p('layers_on'),
      shared_from: p('shared_from'),
    })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const moved = statement<{ partition: number; uuid: Uint8Array; ord: number }>()((db, p) =>
  db
    .insertInto('message_moved')
    .values({ partition_id: p('partition'), uuid: p('uuid'), ord: p('ord') })
    .onConflict((c) => c.doNothing()),
)

const messageIds = statement<{ partition: number; session: number; seqs: string }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['seq', 'uuid'])
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', 'in', d.numbers(p('seqs'))),
)

const messagesIn = statement<{ partition: number; session: number; from: number; to: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', '>=', p('from'))
    .where('seq', '<=', p('to')),
)

const part = statement<Omit<PartTable, 'id'>>()((db, p) =>
  db
    .insertInto('part')
    .values({
      partition_id: p('partition_id'),
      session_id: p('session_id'),
      layer: p('layer'),
      from_seq: p('from_seq'),
      to_seq: p('to_seq'),
      messages: p('messages'),
      sitting: p('sitting'),
      first_at: p('first_at'),
      last_at: p('last_at'),
      content: p('content'),
      sources: p('sources'),
      writer: p('writer'),
      provisional: p('provisional'),
      written_at: p('written_at'),
    })
    .onConflict((c) => c.doNothing()),
)

const partAt = statement<{ partition: number; session: number; layer: number; from: number }>()((db, p, d) =>
  db
    .selectFrom('part')
    .select('id')
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('layer', '=', p('layer'))
    .where('from_seq', '=', p('from')),
)

const cover = statement<{ partition: number; digest: number; ords: string }>()((db, p, d) =>
  db
    .updateTable('item')
    .set({ covered_by: p('digest') })
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

// SQLite keeps an id unique in the whole store, PostgreSQL in a partition. So these look on SQLite in all partitions, and
// their callers look whose the row is.

const itemById = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('uuid', '=', p('uuid'))
    .$call(d.withinApart(p('partition'))),
)

const itemInPlace = statement<{ session: number; partition: number; kind: number; period: string }>()((db, p) =>
  db
    .selectFrom('item')
    .select(['ord', 'uuid'])
    .where('session_id', '=', p('session'))
    .where('session_id', '>', sql<number>`0`)
    .where('kind', '=', p('kind'))
    .where('period', '=', p('period'))
    .where('partition_id', '=', p('partition'))
    .limit(1),
)

const termsOfMessage = statement<{ partition: number; session: number; seq: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .innerJoin('message_terms', (join) =>
      join.onRef('message_terms.partition_id', '=', 'message.partition_id').onRef('message_terms.ord', '=', 'message.ord'),
    )
    .select(['message_terms.body', 'message_terms.traits', 'message.tokens'])
    .where('message.session_id', '=', p('session'))
    .$call(d.within(p('partition'), 'message'))
    .where('message.seq', '=', p('seq')),
)

const blocksUnfound = statement<{ partition: number; derived: number }>()((db, p, d) =>
  db
    .selectFrom('block')
    .leftJoin('item', (join) => join.onRef('item.uuid', '=', 'block.uuid').$call(d.joined('item', p('derived'))))
    .selectAll('block')
    .where('block.partition_id', '=', p('partition'))
    .where('item.ord', 'is', null),
)

const blockRevision = statement<BlockRevisionTable & { partition: number }>()((db, p, d) =>
  db
    .insertInto('block_revision')
    .values(
      d.apart(
        { partition_id: p('partition') },
        {
          block_id: p('block_id'),
          revision: p('revision'),
          content: p('content'),
          writer: p('writer'),
          written_at: p('written_at'),
          session_id: p('session_id'),
          from_seq: p('from_seq'),
          to_seq: p('to_seq'),
        },
      ),
    )
    .onConflict((c) =>
      c
        .expression(d.key(['block_id', 'revision']))
        .doUpdateSet({
          writer: p('writer'),
          written_at: p('written_at'),
          session_id: p('session_id'),
          from_seq: p('from_seq'),
          to_seq: p('to_seq'),
        }),
    ),
)

const pageRevision = statement<PageRevisionTable & { partition: number }>()((db, p, d) =>
  db
    .insertInto('page_revision')
    .values(
      d.apart(
        { partition_id: p('partition') },
        {
          page_id: p('page_id'),
          revision: p('revision'),
          description: p('description'),
          described_by: p('described_by'),
          content: p('content'),
          authors: p('authors'),
          writer: p('writer'),
          written_at: p('written_at'),
          read_from: p('read_from'),
          spans: p('spans'),
        },
      ),
    )
    .onConflict((c) =>
      c
        .expression(d.key(['page_id', 'revision']))
        .doUpdateSet({
          description: p('description'),
          described_by: p('described_by'),
          authors: p('authors'),
          writer: p('writer'),
          written_at: p('written_at'),
          read_from: p('read_from'),
          spans: p('spans'),
        }),
    ),
)

const pageSource = statement<{ partition: number; session: number; page: number }>()((db, p, d) =>
  db
    .insertInto('page_source')
    .values(d.apart({ partition_id: p('partition') }, { session_id: p('session'), page_id: p('page') }))
    .onConflict((c) => c.doNothing()),
)

const pageByUuid = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('page')
    .select(['id', 'partition_id', 'session_id', 'revision', 'name', 'description', 'content'])
    .where('uuid', '=', p('uuid'))
    .$call(d.withinApart(p('partition'))),
)

const pageFact = statement<Omit<PageFactTable, 'id'>>()((db, p) =>
  db
    .insertInto('page_fact')
    .values({
      partition_id: p('partition_id'),
      session_id: p('session_id'),
      seq: p('seq'),
      also: p('also'),
      subject: p('subject'),
      subject_key: p('subject_key'),
      fact: p('fact'),
      said_at: p('said_at'),
      writer: p('writer'),
      page_id: p('page_id'),
      revision: p('revision'),
    }),
)

const assertionSource = statement<AssertionSourceTable>()((db, p) =>
  db
    .insertInto('assertion_source')
    .values({
      session_id: p('session_id'),
      seq: p('seq'),
      partition_id: p('partition_id'),
      ord: p('ord'),
      starts: p('starts'),
      ends: p('ends'),
    })
    .onConflict((c) => c.doNothing()),
)

const assertionEnd = statement<AssertionEndTable>()((db, p) =>
  db
    .insertInto('assertion_end')
    .values({ partition_id: p('partition_id'), ended: p('ended'), ord: p('ord') })
    .onConflict((c) => c.doNothing()),
)

const withdrawn = statement<{ partition: number; ord: number; at: number }>()((db, p) =>
  db
    .updateTable('assertion')
    .set({ withdrawn_at: p('at') })
    .where('partition_id', '=', p('partition'))
    .where('ord', '=', p('ord'))
    .where('withdrawn_at', 'is', null),
)

const statedAbout = statement<{ partition: number; subject: string; predicate: string; object: string }>()((db, p) =>
  db
    .selectFrom('assertion')
    .select(['ord', 'fact'])
    .where('partition_id', '=', p('partition'))
    .where(
      'ord',
      'in',
      db
        .selectFrom('assertion')
        .select('ord')
        .where('partition_id', '=', p('partition'))
        .where('subject_key', '=', p('subject'))
        .where('predicate_key', '=', p('predicate'))
        .where('object_key', '=', p('object')),
    )
    .where('says', '=', sql<number>`0`)
    .limit(1),
)

const mergedName = statement<Schema['entity']>()((db, p) =>
  db
    .insertInto('entity')
    .values({ partition_id: p('partition_id'), name_key: p('name_key'), entity_key: p('entity_key') })
    .onConflict((c) => c.doNothing()),
)

const entityNamed = statement<{ partition: number; name: string }>()((db, p) =>
  db.selectFrom('entity').select('entity_key').where('partition_id', '=', p('partition')).where('name_key', '=', p('name')),
)

const instruction = statement<InstructionTable>()((db, p) =>
  db
    .insertInto('instruction')
    .values({
      uuid: p('uuid'),
      partition_id: p('partition_id'),
      session_id: p('session_id'),
      seq: p('seq'),
      starts: p('starts'),
      ends: p('ends'),
      said_at: p('said_at'),
      recorded_at: p('recorded_at'),
      edited_at: p('edited_at'),
      withdrawn_at: p('withdrawn_at'),
      takes_back: p('takes_back'),
      compared: p('compared'),
      provisional: p('provisional'),
      writer: p('writer'),
      content: p('content'),
      hand: p('hand'),
      ended: p('ended'),
      noted_in: p('noted_in'),
    })
    .onConflict((c) => c.doNothing()),
)

const blockByUuid = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('block')
    .select('partition_id')
    .where('uuid', '=', p('uuid'))
    .$call(d.withinApart(p('partition'))),
)

const instructionById = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('instruction')
    .select(['partition_id', 'hand', 'content'])
    .where('uuid', '=', p('uuid'))
    .$call(d.withinApart(p('partition'))),
)

/** The steps that write whole rows. */
export const rowChanges = {
  sessionDetails: ({
    id,
    partition_id: partition,
    name,
    share,
    metadata,
    created_at,
    layers_set,
    layers_on,
    shared_from,
  }: SessionTable): SingleStep =>
    change(sessionDetails, { partition, id, name, share, metadata, created_at, layers_set, layers_on, shared_from }),
  moved: (partition: number, uuid: Uint8Array, ord: number): SingleStep => change(moved, { partition, uuid, ord }),
  part: (row: Omit<PartTable, 'id'>): SingleStep => change(part, row),
  item: (row: ItemTable): SingleStep => change(insertItem, row),
  cover: (partition: number, digest: number, ords: readonly number[]): SingleStep =>
    change(cover, { partition, digest, ords: JSON.stringify(ords) }),
  blockRevision: (partition: number, row: BlockRevisionTable): SingleStep => change(blockRevision, { partition, ...row }),
  pageRevision: (partition: number, row: PageRevisionTable): SingleStep => change(pageRevision, { partition, ...row }),
  pageSource: (partition: number, page: number, of: number): SingleStep => change(pageSource, { partition, session: of, page }),
  pageFact: (row: Omit<PageFactTable, 'id'>): SingleStep => change(pageFact, row),
  assertion: (row: AssertionTable): SingleStep => change(insertAssertion, row),
  assertionSource: (row: AssertionSourceTable): SingleStep => change(assertionSource, row),
  assertionEnd: (row: AssertionEndTable): SingleStep => change(assertionEnd, row),
  withdrawn: (partition: number, ord: number, at: number): SingleStep => change(withdrawn, { partition, ord, at }),
  mergedName: (row: Schema['entity']): SingleStep => change(mergedName, row),
  instruction: (row: InstructionTable): SingleStep => change(instruction, row),
} as const

/** Returns the entity under which a name was merged; undefined where it was not. */
export function* entityOf(partition: number, name: string): Program<string | undefined> {
  return (yield* first(entityNamed, { partition, name }))?.entity_key
}

/** Returns the ids of messages at some places of a session. */
export function* idsAtPlaces(partition: number, of: number, seqs: readonly number[]): Program<ReadonlyMap<number, Uint8Array>> {
  return new Map((yield* all(messageIds, { partition, session: of, seqs: JSON.stringify(seqs) })).map(({ seq, uuid }) => [seq, uuid]))
}

/** Counts the messages of a session from one place to another. */
export function* countStanding(partition: number, of: number, from: number, to: number): Program<number> {
  return (yield* first(messagesIn, { partition, session: of, from, to }))?.count ?? 0
}

/** Returns the numbers of parts that begin at some messages of a session, in their order. */
export function* partsBeginning(partition: number, of: number, layer: number, seqs: readonly number[]): Program<readonly number[]> {
  const found = yield* firstEach(
    partAt,
    seqs.map((from) => ({ partition, session: of, layer, from })),
  )
  return found.flatMap((row) => row?.id ?? [])
}

/** Returns the item that keeps an id from being given again in a partition of items. The caller looks whose it is. */
export function itemWithId(partition: number, uuid: Uint8Array): Program<ItemTable | undefined> {
  return first(itemById, { partition, uuid })
}

/** Returns the item that a session has of a kind and a period. */
export function itemAtPlace(of: number, partition: number, kind: number, period: string) {
  return first(itemInPlace, { session: of, partition, kind, period })
}

export function termsOfMessageAt(partition: number, of: number, seq: number) {
  return first(termsOfMessage, { partition, session: of, seq })
}

/** Returns the blocks of a partition that nothing finds yet. */
export function* blocksWithoutItem(partition: number) {
  return yield* blocksUnfoundIn(partition, (yield* findDerivedOf(partition))?.id)
}

/** Returns the same where the number of the derived partition is known; undefined for none. */
export function blocksUnfoundIn(partition: number, derived = 0) {
  return all(blocksUnfound, { partition, derived })
}

/** Tells whether a block has an id, so that no block of a partition can get it. */
export function* isBlockId(partition: number, uuid: Uint8Array): Program<boolean> {
  return (yield* first(blockByUuid, { partition, uuid })) !== undefined
}

/** Returns the page that keeps an id from being given again. The caller looks whose it is. */
export function pageWithId(partition: number, uuid: Uint8Array) {
  return first(pageByUuid, { partition, uuid })
}

/** Returns a statement of a fact by its keys. */
export function statementOf(partition: number, subject: string, predicate: string, object: string) {
  return first(statedAbout, { partition, subject, predicate, object })
}

/** The same of an instruction. */
export function instructionWithId(partition: number, uuid: Uint8Array) {
  return first(instructionById, { partition, uuid })
}
