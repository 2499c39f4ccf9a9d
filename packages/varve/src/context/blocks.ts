import type { Block } from '../blocks/block.ts'
import { firstBlocks } from '../blocks/read-blocks.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Program } from '../storage/program.ts'
import { blockCandidate, type Candidate } from './candidates.ts'
import type { ContextRequest } from './request.ts'

/** Working memory in its order: the user's blocks, those of the running session, and the project's. */
export function* workingMemory(partition: PartitionId, { session, tiers: { blocks } }: ContextRequest): Program<readonly Candidate[]> {
  if (blocks.limit === 0 || blocks.share === 0) return []
  const listed = yield* firstBlocks(partition, undefined, blocks.limit)
  const ofSession = session === undefined ? [] : yield* firstBlocks(partition, session, blocks.limit)
  const isShared = ({ shared }: Block): boolean => shared === true
  const inOrder = [...listed.filter((block) => !isShared(block)), ...ofSession, ...listed.filter(isShared)]
  return inOrder.slice(0, blocks.limit).map(blockCandidate)
}
