import { change, type Program, all, runList } from '../program.ts'
import type { BlockRevisionTable } from '../known-tables.ts'
import type { MessageTable } from '../schema.ts'
import { ordinalsAt } from '../segment/erasing.ts'
import type { Ordinals } from '../segment/terms.ts'
import { statement } from '../statement.ts'

// The texts that an erasure compares: those of blocks, of the messages that go, and of the messages that stay.

const textsOf = statement<{ partition: number }>()((db, p, d) =>
  db
    .selectFrom('block_revision')
    .select(['block_id', 'revision', 'content', 'writer', 'written_at'])
    .where('block_id', 'in', db.selectFrom('block').select('id').where('partition_id', '=', p('partition')))
    .$call(d.withinApart(p('partition')))
    .orderBy('block_id')
    .orderBy('revision'),
)

const saidAt = statement<Ordinals>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['content', 'recorded_at'])
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const saidBefore = statement<{ partition: number; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select(['ord', 'content'])
    .where('partition_id', '=', p('partition'))
    .where('ord', '<', p('before'))
    .where('origin', '=', 'person')
    .orderBy('ord', 'desc')
    .limit(p('limit')),
)

const rewrite = statement<Pick<BlockRevisionTable, 'block_id' | 'revision' | 'content'> & { partition: number }>()((db, p, d) =>
  db
    .updateTable('block_revision')
    .set({ content: p('content') })
    .where('block_id', '=', p('block_id'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '=', p('revision')),
)

const drop = statement<Pick<BlockRevisionTable, 'block_id' | 'revision'> & { partition: number }>()((db, p, d) =>
  db
    .deleteFrom('block_revision')
    .where('block_id', '=', p('block_id'))
    .$call(d.withinApart(p('partition')))
    .where('revision', '=', p('revision')),
)

export type BlockText = Pick<BlockRevisionTable, 'block_id' | 'revision' | 'content' | 'writer' | 'written_at'>

/** Returns all kept texts of a partition's blocks, those of a block together, the oldest first. */
export function textsOfBlocks(partition: number): Program<readonly BlockText[]> {
  return all(textsOf, { partition })
}

/** Returns the contents of messages at some ordinals, and the times at which they were stored. */
export function contentsAt(partition: number, ords: readonly number[]): Program<readonly Pick<MessageTable, 'content' | 'recorded_at'>[]> {
  return all(saidAt, ordinalsAt({ id: partition }, ords))
}

/** Returns what people said before an ordinal, the newest first. */
export function saidByPeople(partition: number, before: number, limit: number): Program<readonly Pick<MessageTable, 'ord' | 'content'>[]> {
  return all(saidBefore, { partition, before, limit })
}

/** Puts other contents in place of a block's revisions. One without words goes. */
export function* rewriteTexts(partition: number, texts: readonly Pick<BlockText, 'block_id' | 'revision' | 'content'>[]): Program<void> {
  yield* runList(
    texts.map(({ block_id, revision, content }) =>
      content === '' ? change(drop, { partition, block_id, revision }) : change(rewrite, { partition, block_id, revision, content }),
    ),
  )
}
