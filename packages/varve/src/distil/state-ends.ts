import { newStateEnds } from '../facts/compare-states.ts'
import type { ComparedStates } from '../storage/known/assertion-ends.ts'
import { findKnownOf } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { writerIn } from './distil-store.ts'

/** Compares the new statements of a partition with the earlier ones, and finds those that they end in other words. */
export function* stateEndsIn(partition: number): Program<ComparedStates | undefined> {
  const known = yield* findKnownOf(partition)
  return known === undefined ? undefined : yield* newStateEnds({ source: partition, known: known.id }, writerIn('').statesEndedBy)
}
