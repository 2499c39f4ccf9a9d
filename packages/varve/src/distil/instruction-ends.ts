import { compareInstructions } from '../instructions/compare.ts'
import type { PartitionId } from '../scope/partition.ts'
import { type ComparedInstructions, instructionsOf } from '../storage/derived/instructions.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { writerIn } from './distil-store.ts'

/** Compares the new statements of a partition with all others, and finds those that a later one ends. */
export function* newEnds(partition: number): Program<ComparedInstructions> {
  return compareInstructions(yield* instructionsOf(partition), writerIn('').endsInstruction)
}

/** Finds the same for a partition by its name. Undefined while nothing was stored in it. */
export function* newEndsIn(partition: PartitionId): Program<(ComparedInstructions & { readonly partition: number }) | undefined> {
  const owner = yield* findPartition(partition)
  return owner === undefined ? undefined : { partition: owner.id, ...(yield* newEnds(owner.id)) }
}
