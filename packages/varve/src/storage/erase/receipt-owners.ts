import type { PartitionId } from '../../scope/partition.ts'
import { hashOfOwner, ownerHash } from '../log/forgotten-ids.ts'
import { type Program, all, change, type SingleStep } from '../program.ts'
import type { ReceiptTable } from '../schema.ts'
import { statement } from '../statement.ts'

const insert = statement<{ receipt: Uint8Array; owner: Uint8Array }>()((db, p) =>
  db
    .insertInto('receipt_owner')
    .values({ receipt: p('receipt'), owner: p('owner') })
    .onConflict((c) => c.doNothing()),
)

const ofOwner = statement<{ owner: Uint8Array; after: number; limit: number }>()((db, p) =>
  db
    .selectFrom('receipt')
    .innerJoin('receipt_owner', 'receipt_owner.receipt', 'receipt.uuid')
    .selectAll('receipt')
    .where('receipt_owner.owner', '=', p('owner'))
    .where('receipt.id', '>', p('after'))
    .orderBy('receipt.id')
    .limit(p('limit')),
)

/** Returns the step that notes whose erasure a receipt is about. */
export function receiptOwnerStep(partition: PartitionId, receipt: Uint8Array, secret: string): SingleStep {
  return change(insert, { receipt, owner: ownerHash(secret, partition) })
}

/** Returns receipts of an owner's erasures after one, the oldest first. */
export function* receiptsOfOwner(partition: PartitionId, after: number, limit: number): Program<readonly ReceiptTable[]> {
  return yield* all(ofOwner, { owner: yield* hashOfOwner(partition), after, limit })
}
