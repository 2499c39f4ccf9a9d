import { contextsThatShowed, dropContexts } from '../log/contexts.ts'
import { eraseItem } from './items.ts'
import type { Needles } from '../needles.ts'
import { findSourceOf, type PartitionRow, partitionById, savePartition } from '../partitions.ts'
import type { Program } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { uuidText } from '../uuid-bytes.ts'

/** Takes items out of their partitions, whose epochs rise. */
export function* eraseItems(items: readonly ItemTable[], needles: Needles): Program<void> {
  const owners = new Map<number, PartitionRow>()
  for (const { partition_id: partition, ord } of items) {
    const owner = owners.get(partition) ?? (yield* partitionById(partition))
    if (owner === undefined) continue
    if (!owners.has(partition)) owner.epoch += 1
    owners.set(partition, owner)
    needles.add(yield* eraseItem(owner, ord))
  }
  for (const owner of owners.values()) yield* savePartition(owner)
  const ids = new Set(items.map(({ uuid }) => uuidText(uuid)))
  for (const owner of owners.values()) {
    const source = yield* findSourceOf(owner.id)
    // What a project shares was shown to any of its members.
    yield* dropContexts(yield* contextsThatShowed(source === undefined ? { project: owner.project_id } : { partition: source.id }, ids))
  }
}
