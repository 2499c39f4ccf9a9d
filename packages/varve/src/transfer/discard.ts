import { NotFound } from '../errors/not-found.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Erasure } from '../storage/erase/erasure.ts'
import { newReceipt } from '../storage/erase/erases.ts'
import { saveReceipt } from '../storage/erase/receipts.ts'
import type { WritingHere } from '../storage/here.ts'
import { Needles } from '../storage/needles.ts'
import { dropLinesInTurns } from '../storage/transfer/drop-imports.ts'
import { beginDiscarding, dropImports, importById, type ImportRow, importStates } from '../storage/transfer/imports.ts'
import { withRoom } from '../storage/with-room.ts'
import { finish } from './apply/apply-import.ts'
import { importOf } from './staging.ts'

/**
 * Throws an import away, with its lines. What was applied of it stays, and is whole. A call that was cut off is finished
 * by the next. The file is rewritten: the lines are more than it could be searched for.
 */
export function discardImport(here: WritingHere, partition: PartitionId, id: string): Promise<Erasure> {
  return withRoom(here, async () => {
    const row = await here.write(function* () {
      const found = yield* importOf(partition, id)
      yield* beginDiscarding(found)
      return found
    })
    if (wasBegun(row)) await finish(here, row)
    await dropLinesInTurns(here, row)
    const [receipt, needles] = [newReceipt(here.now, { what: 'imports', of: partition, ids: [id] }), new Needles()]
    needles.lose()
    return here.write(function* () {
      // Another call may have thrown it away meanwhile, or a forget.
      if ((yield* importById(row.partition_id, id)) === undefined) throw new NotFound({ kind: 'import', id })
      yield* dropImports([row])
      return { receipt: yield* saveReceipt(receipt, { import: 1 }, 'pending', here.now, partition), needles: needles.all }
    })
  })
}

/** Tells whether something of an import may have been applied. */
function wasBegun({ state, applied }: ImportRow): boolean {
  return state === importStates.applying || applied > 0
}
