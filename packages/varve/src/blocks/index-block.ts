import { partitionList } from '../storage/partition-list.ts'
import { itemTerms } from '../index/item-terms.ts'
import type { BlockScope } from '../storage/derived/blocks.ts'
import { replaceItem } from '../storage/derived/item-erasure.ts'
import { findItem, itemKinds } from '../storage/derived/items.ts'
import { ensureDerivedOf } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { bankLanguage, partitionLanguage, sessionRowById } from '../storage/log/sessions.ts'

/**
 * Has a block found by its name and its words. An item with the block's id stands among the derived ones, and is made
 * anew at each change.
 */
export function* indexBlock(
  { id, name, text, createdAt }: { id: string; name: string; text: string; createdAt: number },
  { partition, session }: BlockScope,
  now: number,
): Program<void> {
  const owner = yield* ensureDerivedOf(partition, now)
  const language =
    (yield* sessionRowById(partition, session))?.language || (yield* partitionLanguage(partition)) || (yield* bankLanguage(owner.id))
  yield* replaceItem(
    owner,
    yield* findItem(partitionList([owner.id]), id),
    {
      id,
      kind: itemKinds.block,
      rung: 0,
      period: '',
      session,
      home: partition,
      sentences: [{ text, from: [] }],
      spans: [],
      madeOf: [],
      hand: null,
      handSeq: 0,
      pinned: false,
      messages: 0,
      conversations: 0,
      firstAt: createdAt,
      lastAt: now,
      writer: '',
      provisional: false,
      ...itemTerms(`${name}\n${text}`, language),
    },
    now,
  )
}
