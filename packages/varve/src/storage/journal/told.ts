import type { PartitionId } from '../../scope/partition.ts'
import type { Here } from '../here.ts'
import type { Program } from '../program.ts'
import type { LayerByHand } from './kinds.ts'
import { noteIn } from './note.ts'

/** Offers a program that changes a layer by hand, by the store's time. The change is told in its transaction. */
export function changesByHand<Arguments extends unknown[], Result>(
  layer: LayerByHand,
  program: (partition: PartitionId, ...args: [...Arguments, now: number]) => Program<Result>,
): (here: Here, partition: PartitionId, ...args: Arguments) => Program<Result> {
  return ({ now }, partition, ...args) => alsoTold(partition, layer, program(partition, ...args, now), now)
}

/** Does a change by hand, and tells of it. */
export function* alsoTold<Result>(partition: PartitionId, layer: LayerByHand, change: Program<Result>, at: number): Program<Result> {
  const result = yield* change
  yield* noteIn(partition, { kind: layer, at })
  return result
}
