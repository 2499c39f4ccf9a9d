import { blocksWithoutItem } from '../storage/transfer/write-rows.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { indexBlock } from './index-block.ts'

/** Makes blocks of a partition findable that an import stored without their index data. */
export function* indexUnfoundBlocks(partition: number, now: number): Program<void> {
  for (const block of yield* blocksWithoutItem(partition))
    yield* indexBlock(
      { id: uuidText(block.uuid), name: block.name, text: block.content, createdAt: block.created_at },
      { partition: block.partition_id, session: block.session_id },
      now,
    )
}
