import { NotFound } from '../errors/not-found.ts'
import { type PartitionId, partitionId, type SessionName } from '../scope/partition.ts'
import { blocksIn, findBlock, revisions, type StoredBlock } from '../storage/derived/blocks.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { findSessionRow } from '../storage/log/sessions.ts'
import { type Block, type BlockRevision, blockOf, maxBlocks, revisionOf } from './block.ts'

/** A session's blocks in their order; without a session, the partition's own, then those that its project shares. */
export function* listBlocks(partition: PartitionId, session: SessionName | undefined, limit = maxBlocks): Program<readonly Block[]> {
  const found: Block[] = []
  for (const scope of yield* scopesOf(partition, session))
    found.push(...(yield* blocksIn(scope, limit)).map((row) => blockOf(row, scope.isShared)))
  return found
}

/** A session's block; without a session, the partition's own, or else its project's. Undefined when there is none. */
export function* readBlock(partition: PartitionId, name: string, session: SessionName | undefined): Program<Block | undefined> {
  const found = yield* find(partition, name, session)
  return found === undefined ? undefined : blockOf(found.row, found.isShared)
}

/** What the block said that `readBlock` gives, the newest first. NotFound when there is none. */
export function* readRevisions(
  partition: PartitionId,
  name: string,
  session: SessionName | undefined,
  limit: number,
): Program<readonly BlockRevision[]> {
  const found = yield* find(partition, name, session)
  if (found === undefined) throw new NotFound({ kind: 'block', id: name })
  return (yield* revisions(found.row.id, limit)).map(revisionOf)
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

/** Where a partition's handle reads, in order; nowhere in a session that is not there. */
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
