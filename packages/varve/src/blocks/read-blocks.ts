import { NotFound } from '../errors/not-found.ts'
import { type PartitionId, partitionId, type SessionName } from '../scope/partition.ts'
import { blockPlaces, blocksAt, blocksIn, findBlock, revisionPlaces, revisionsAt, type StoredBlock } from '../storage/derived/blocks.ts'
import { cursorTo, type Listed, type ListRequest, pageOf, placeOf, type Sized, rowsOfEach } from '../storage/listed.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { findSessionRow } from '../storage/log/sessions.ts'
import { type Block, type BlockRevision, blockOf, revisionOf } from './block.ts'

/**
 * Lists a session's blocks in their order; without a session, the partition's own, then those of its project. A cursor
 * is a place: when blocks are reordered between two pages, one may come twice, or not at all.
 */
export function* listBlocks(partition: PartitionId, session: SessionName | undefined, request: ListRequest): Program<Listed<Block>> {
  const [shelf = 0, after = 0] = placeOf('block', request, /([01])\.(\d{1,15})/)?.map(Number) ?? []
  const { limit } = request
  const places: (Sized & { readonly place: number; readonly isShared: boolean; readonly partition: number })[] = []
  for (const { isShared, ...scope } of yield* scopesOf(partition, session)) {
    if (Number(isShared) < shelf || places.length > limit) continue
    const some = yield* blockPlaces(scope, Number(isShared) === shelf ? after : 0, limit + 1 - places.length)
    places.push(...some.map((place) => ({ ...place, isShared, partition: scope.partition })))
  }
  const shared = new Set(places.filter(({ isShared }) => isShared).map(({ key }) => key))
  return yield* pageOf(
    { places, limit, cursorOf: (last) => cursorTo('block', Number(last.isShared), last.place) },
    (ids) => rowsOfEach(places, ids, blocksAt),
    (row) => row.id,
    (row) => blockOf(row, shared.has(row.id)),
  )
}

/** Lists the first blocks of each scope, in the order of `listBlocks`: at most `limit` of each. */
export function* firstBlocks(partition: PartitionId, session: SessionName | undefined, limit: number): Program<readonly Block[]> {
  const found: Block[] = []
  for (const scope of yield* scopesOf(partition, session))
    found.push(...(yield* blocksIn(scope, limit)).map((row) => blockOf(row, scope.isShared)))
  return found
}

/** Reads a session's block; without a session, the partition's own, or else its project's. Undefined when there is none. */
export function* readBlock(partition: PartitionId, name: string, session: SessionName | undefined): Program<Block | undefined> {
  const found = yield* find(partition, name, session)
  return found === undefined ? undefined : blockOf(found.row, found.isShared)
}

/** Lists the texts of the block that `readBlock` gives, the newest first. NotFound when there is none. */
export function* readRevisions(
  partition: PartitionId,
  name: string,
  session: SessionName | undefined,
  request: ListRequest,
): Program<Listed<BlockRevision>> {
  const [before] = placeOf('text', request, /(\d{1,15})/) ?? [Number.MAX_SAFE_INTEGER]
  const found = yield* find(partition, name, session)
  if (found === undefined) throw new NotFound({ kind: 'block', id: name })
  const [{ limit }, { id, partition_id: owner }] = [request, found.row]
  const places = yield* revisionPlaces(owner, id, Number(before), limit + 1)
  return yield* pageOf(
    { places, limit, cursorOf: ({ key }) => cursorTo('text', key) },
    (numbers) => revisionsAt(owner, id, numbers),
    (row) => row.revision,
    revisionOf,
  )
}

function* find(
  partition: PartitionId,
  name: string,
  session: SessionName | undefined,
): Program<{ row: StoredBlock; isShared: boolean } | undefined> {
  for (const { isShared, ...scope } of yield* scopesOf(partition, session)) {
    const row = yield* findBlock(scope, name)
    if (row !== undefined) return { row, isShared }
  }
  return undefined
}

interface ReadScope {
  readonly partition: number
  readonly session: number
  readonly isShared: boolean
}

/** Lists the scopes that a partition's handle reads, in order; none for a session that is not there. */
function* scopesOf(partition: PartitionId, session: SessionName | undefined): Program<readonly ReadScope[]> {
  const owner = yield* findPartition(partition)
  const isShared = partition.owner.kind === 'shared'
  if (session !== undefined) {
    const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
    return row === undefined ? [] : [{ partition: row.partition_id, session: row.id, isShared }]
  }
  const shared = isShared ? undefined : yield* findPartition(partitionId(partition.project, { kind: 'shared' }))
  return [
    ...(owner === undefined ? [] : [{ partition: owner.id, session: 0, isShared }]),
    ...(shared === undefined ? [] : [{ partition: shared.id, session: 0, isShared: true }]),
  ]
}
