import { type CallOptions, guarded } from './call.ts'
import type { Clock } from './clock/clock.ts'
import type { Ground } from './ground.ts'
import type { Recalled } from './recall/hit.ts'
import type { RecallOptions } from './recall/request.ts'
import type { PartitionId } from './scope/partition.ts'
import type { Receipt } from './storage/erase/receipts.ts'
import type { Engine } from './engine/engine.ts'

/** What a call to a layer works with. */
export interface LayerGround {
  readonly engine: Engine
  readonly clock: Clock
  readonly partition: PartitionId
  /** There is something new to find by its meaning. */
  hint(): void
  finishErasure(receipt: Receipt): Promise<Receipt>
}

/** How a layer's handle reaches its partition. */
export interface LayerCalls {
  guarded<Result>(operation: string, options: CallOptions, work: (ground: LayerGround) => Promise<Result>): Promise<Result>
  recall(query: string, options: RecallOptions & CallOptions): Promise<Recalled>
  distil(session: string, options: CallOptions): Promise<void>
}

/** Calls on a partition, once isolation was looked at. */
export function callsOn(ground: Ground, partition: PartitionId, ready: () => Promise<void> | undefined) {
  return <Result>(operation: string, options: CallOptions, work: (ground: LayerGround) => Promise<Result>): Promise<Result> =>
    guarded(operation, options, async () => {
      const looked = ready()
      if (looked !== undefined) await looked
      return work({ engine: ground.engine, clock: ground.clock, partition, hint: ground.appended, finishErasure: ground.finishErasure })
    })
}
