import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { eraseItems } from './item-erasure.ts'
import { itemOfBlock } from './block-item.ts'
import type { BlockRevisionTable, BlockTable } from '../known-tables.ts'
import type { Sized } from '../listed.ts'
import { lost } from '../lost.ts'
import { leastTelling, type Needles } from '../needles.ts'
import { nearTo } from '../partitions.ts'
import { type Program, abreast, all, change, first, run, runList } from '../program.ts'
import type { ItemTable, Schema } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidBytes } from '../uuid-bytes.ts'

/** The place where blocks have an order of their own: a partition and a session in it. The session is 0 for blocks of none. */
export interface BlockScope {
  readonly partition: number
  readonly session: number
}

/** The messages that existed when a tool wrote. `origin` is the caller's name of their session, null when it is gone. */
interface WrittenDuring {
  readonly origin: string | null
  readonly from_seq: number
  readonly to_seq: number
}

/** A block with the caller's name of its session, and the writer of its text. */
export type StoredBlock = BlockTable & WrittenDuring & { readonly session: string | null; readonly writer: string }

export type StoredRevision = BlockRevisionTable & WrittenDuring

/** Selects blocks in their present revision. */
function standing(db: Kysely<Schema>, d: Dialect, partition: number) {
  return db
    .selectFrom('block')
    .innerJoin('block_revision as wrote', (join) =>
      join.onRef('wrote.block_id', '=', 'block.id').onRef('wrote.revision', '=', 'block.revision').$call(d.joinedApart('wrote', partition)),
    )
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'block.session_id').$call(d.joined('session', partition)))
    .leftJoin('session as origin', (join) => join.onRef('origin.id', '=', 'wrote.session_id').$call(d.joined('origin', partition)))
    .selectAll('block')
    .select(['session.external_id as session', 'wrote.writer', 'origin.external_id as origin', 'wrote.from_seq', 'wrote.to_seq'])
}

const inScope = statement<BlockScope & { limit: number }>()((db, p, d) =>
  standing(db, d, p('partition'))
    .where('block.partition_id', '=', p('partition'))
    .where('block.session_id', '=', p('session'))
    .orderBy('block.place')
    .limit(p('limit')),
)

const placesAfter = statement<BlockScope & { after: number; limit: number }>()((db, p) =>
  db
    .selectFrom('block')
    .select(['id as key', 'place', sql<number>`octet_length(name) + octet_length(content)`.as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('session_id', '=', p('session'))
    .where('place', '>', p('after'))
    .orderBy('place')
    .limit(p('limit')),
)

const byIds = statement<{ partition: number; ids: string }>()((db, p, d) =>
  standing(db, d, p('partition'))
    .where('block.id', 'in', d.numbers(p('ids')))
    .$call(d.within(p('partition'), 'block')),
)

const byName = statement<BlockScope & { name: string }>()((db, p, d) =>
  standing(db, d, p('partition'))
    .where('block.partition_id', '=', p('partition'))
    .where('block.session_id', '=', p('session'))
    .where('block.name', '=', p('name')),
)

const byId = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  standing(db, d, p('partition'))
    .where('block.uuid', '=', p('uuid'))
    .$call(d.within(p('partition'), 'block')),
)

const ofPartition = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('block').select(['id', 'uuid', 'name', 'session_id', 'revision']).where('partition_id', '=', p('partition')),
)

const countIn = statement<BlockScope>()((db, p) =>
  db
    .selectFrom('block')
    .select((e) => e.fn.countAll<number>().as('blocks'))
    .where('partition_id', '=', p('partition'))
    .where('session_id', '=', p('session')),
)

const insertBlock = statement<Omit<BlockTable, 'id'>>()((db, p) =>
  db
    .insertInto('block')
    .values({
      uuid: p('uuid'),
      partition_id: p('partition_id'),
      session_id: p('session_id'),
      name: p('name'),
      place: p('place'),
      max_chars: p('max_chars'),
      revision: p('revision'),
      content: p('content'),
      created_at: p('created_at'),
      updated_at: p('updated_at'),
    }),
)

const idOf = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('block')
    .select('id')
    .where('uuid', '=', p('uuid'))
    .$call(d.within(p('partition'))),
)

const updateBlock = statement<Pick<BlockTable, 'id' | 'max_chars' | 'revision' | 'content' | 'updated_at'> & { partition: number }>()(
  (db, p, d) =>
    db
      .updateTable('block')
      .set({ max_chars: p('max_chars'), revision: p('revision'), content: p('content'), updated_at: p('updated_at') })
      .where('id', '=', p('id'))
      .$call(d.within(p('partition'))),
)

const setPlace = statement<{ partition: number; id: number; place: number }>()((db, p, d) =>
  db
    .updateTable('block')
    .set({ place: p('place') })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const closeGap = statement<BlockScope & { after: number }>()((db, p) =>
  db
    .updateTable('block')
    .set((e) => ({ place: e('place', '-', 1) }))
    .where('partition_id', '=', p('partition'))
    .where('session_id', '=', p('session'))
    .where('place', '>', p('after')),
)

const deleteBlock = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .deleteFrom('block')
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const insertRevision = statement<BlockRevisionTable & { partition: number }>()((db, p, d) =>
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
    ),
)

const deleteRevisions = statement<{ partition: number; block: number; upTo: number }>()((db, p, d) =>
  db
    .deleteFrom('block_revision')
    .where('block_id', '=', p('block'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '<=', p('upTo')),
)

const revisionsOf = statement<{ partition: number; block: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('block_revision')
    .leftJoin('session as origin', (join) =>
      join.onRef('origin.id', '=', 'block_revision.session_id').$call(d.joined('origin', p('partition'))),
    )
    .selectAll('block_revision')
    .select('origin.external_id as origin')
    .where('block_id', '=', p('block'))
    .$call(d.withinApart(p('partition'), 'block_revision'))
    .orderBy('revision', 'desc')
    .limit(p('limit')),
)

const revisionSizes = statement<{ partition: number; block: number; before: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('block_revision')
    .select(['revision as key', sql<number>`octet_length(content)`.as('bytes')])
    .where('block_id', '=', p('block'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '<', p('before'))
    .orderBy('revision', 'desc')
    .limit(p('limit')),
)

const revisionsIn = statement<{ partition: number; block: number; numbers: string }>()((db, p, d) =>
  db
    .selectFrom('block_revision')
    .leftJoin('session as origin', (join) =>
      join.onRef('origin.id', '=', 'block_revision.session_id').$call(d.joined('origin', p('partition'))),
    )
    .selectAll('block_revision')
    .select('origin.external_id as origin')
    .where('block_id', '=', p('block'))
    .$call(d.withinApart(p('partition'), 'block_revision'))
    .where('revision', 'in', d.numbers(p('numbers'))),
)

const revisionAt = statement<{ partition: number; block: number; revision: number }>()((db, p, d) =>
  db
    .selectFrom('block_revision')
    .select('content')
    .where('block_id', '=', p('block'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '=', p('revision')),
)

/** Returns the blocks of a scope in their order. */
export function blocksIn(scope: BlockScope, limit: number): Program<readonly StoredBlock[]> {
  return all(inScope, { ...scope, limit })
}

/** Returns the places of blocks after one, in their order: their numbers, and the size of their text. */
export function blockPlaces(scope: BlockScope, after: number, limit: number): Program<readonly (Sized & Pick<BlockTable, 'place'>)[]> {
  return all(placesAfter, { ...scope, after, limit })
}

/** Returns blocks by their numbers, in any order. */
export function blocksAt(partition: number, ids: readonly number[]): Program<readonly StoredBlock[]> {
  return all(byIds, { partition, ids: JSON.stringify(ids) })
}

export function findBlock(scope: BlockScope, name: string): Program<StoredBlock | undefined> {
  return first(byName, { ...scope, name })
}

/** Returns a block of a partition by its id. */
export function blockById(partition: number, uuid: Uint8Array): Program<StoredBlock | undefined> {
  return first(byId, { partition, uuid })
}

export function* countBlocks(scope: BlockScope): Program<number> {
  return (yield* first(countIn, { ...scope }))?.blocks ?? 0
}

/** Returns the blocks of a partition, or of one of its sessions, in no order. */
function* blocksOf(
  partition: number,
  session: number | undefined,
): Program<readonly Pick<BlockTable, 'id' | 'uuid' | 'name' | 'revision'>[]> {
  return (yield* all(ofPartition, { partition })).filter((block) => session === undefined || block.session_id === session)
}

/** Counts the blocks of a partition, or of one of its sessions. */
export function* countBlocksOf(partition: number, session: number | undefined): Program<number> {
  return (yield* blocksOf(partition, session)).length
}

/** Stores a new block and returns its number. The caller stores its first revision. */
export function* storeBlock({ id, ...block }: Omit<BlockTable, 'id' | 'uuid'> & { readonly id: string }): Program<number> {
  const uuid = uuidBytes(id)
  if (uuid === undefined) throw new TypeError(`not a uuid: ${id}`)
  const [, row] = yield* abreast([run(insertBlock, { ...block, uuid }), first(idOf, { partition: block.partition_id, uuid })])
  if (row === undefined) throw lost('block')
  return row.id
}

export function changeBlock({
  id,
  partition_id: partition,
  max_chars,
  revision,
  content,
  updated_at,
}: Pick<BlockTable, 'id' | 'partition_id' | 'max_chars' | 'revision' | 'content' | 'updated_at'>): Program<void> {
  return run(updateBlock, { partition, id, max_chars, revision, content, updated_at })
}

export function placeBlock(partition: number, id: number, place: number): Program<void> {
  return run(setPlace, { partition, id, place })
}

/** Stores a revision, and drops the oldest beyond the number kept. */
export function* storeRevision(partition: number, revision: BlockRevisionTable, kept: number): Program<void> {
  yield* runList([
    change(insertRevision, { partition, ...revision }),
    change(deleteRevisions, { partition, block: revision.block_id, upTo: revision.revision - kept }),
  ])
}

/** Returns the revisions of a block, the newest first. */
export function revisions(partition: number, block: number, limit: number): Program<readonly StoredRevision[]> {
  return all(revisionsOf, { partition, block, limit })
}

/** Returns the numbers of a block's revisions before one, the newest first, and the size of their text. */
export function revisionPlaces(partition: number, block: number, before: number, limit: number): Program<readonly Sized[]> {
  return all(revisionSizes, { partition, block, before, limit })
}

/** Returns revisions of a block by their numbers, in any order. */
export function revisionsAt(partition: number, block: number, numbers: readonly number[]): Program<readonly StoredRevision[]> {
  return all(revisionsIn, { partition, block, numbers: JSON.stringify(numbers) })
}

export function* textOfRevision(partition: number, block: number, revision: number): Program<string | undefined> {
  return (yield* first(revisionAt, { partition, block, revision }))?.content
}

/** Erases one block; the blocks after it move up. */
export function* eraseBlock(block: BlockTable, needles: Needles): Program<void> {
  yield* eraseItems(yield* dropBlocks(block.partition_id, yield* nearTo(block.partition_id), [block], needles), needles)
  yield* run(closeGap, { partition: block.partition_id, session: block.session_id, after: block.place })
}

/**
 * Erases the blocks of a partition, or of one of its sessions, with all their revisions. Returns their number, and
 * their items: the caller erases those. `near` names the partitions around it (nearTo).
 */
export function* dropBlocksOf(
  partition: number,
  session: number | undefined,
  near: string,
  needles: Needles,
): Program<{ count: number; items: readonly ItemTable[] }> {
  const blocks = yield* blocksOf(partition, session)
  return { count: blocks.length, items: yield* dropBlocks(partition, near, blocks, needles) }
}

const allRevisions = Number.MAX_SAFE_INTEGER

/** The number of blocks that are read together to be erased, each with all of its revisions. */
const erasedAtOnce = 16

type Doomed = Pick<BlockTable, 'id' | 'uuid' | 'name' | 'revision'>

function* dropBlocks(partition: number, near: string, blocks: readonly Doomed[], needles: Needles): Program<readonly ItemTable[]> {
  return (yield* abreast(
    blocks.map((block) => dropBlock(partition, near, block, needles)),
    erasedAtOnce,
  )).flat()
}

function* dropBlock(
  partition: number,
  near: string,
  { id, uuid, name, revision }: Doomed,
  needles: Needles,
): Program<readonly ItemTable[]> {
  const [stored, item] = yield* abreast([revisions(partition, id, allRevisions), itemOfBlock(near, { partition_id: partition, uuid })])
  const said = stored.map(({ content }) => content)
  needles.add([name, ...said].map((text) => new TextEncoder().encode(text)).filter(({ length }) => length >= leastTelling))
  // A database page may still hold a copy of a revision that was dropped before.
  if (said.length < revision) needles.lose()
  yield* runList([change(deleteRevisions, { partition, block: id, upTo: allRevisions }), change(deleteBlock, { partition, id })])
  return item === undefined ? [] : [item]
}
