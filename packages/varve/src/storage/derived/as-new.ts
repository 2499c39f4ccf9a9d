import type { ItemTable } from '../schema.ts'
import { uuidText } from '../uuid-bytes.ts'
import { type Child, childrenOf, storedSpans } from './item-lineage.ts'
import type { NewItem } from './items.ts'
import { sentencesOf } from './parts.ts'

/** Returns an item as it stands, to be stored again with changes. The caller adds the index data. */
export function asNew(item: ItemTable): NewItem {
  return {
    id: uuidText(item.uuid),
    kind: item.kind,
    rung: item.rung,
    period: item.period,
    session: item.session_id,
    home: item.home_id ?? undefined,
    sentences: sentencesOf(item),
    spans: storedSpans(item),
    madeOf: madeOf(item),
    hand: item.hand,
    handSeq: item.hand_seq,
    pinned: item.pinned === 1,
    messages: item.messages,
    conversations: item.conversations,
    firstAt: item.first_at,
    lastAt: item.said_at,
    tokens: item.tokens,
    writer: item.writer,
    provisional: item.provisional === 1,
    terms: new Uint8Array(0),
    traits: 0,
  }
}

function madeOf(item: ItemTable): readonly number[] | readonly Child[] {
  const parts: readonly number[] = item.rung === 0 ? JSON.parse(item.made_of) : []
  return item.rung === 0 ? parts : childrenOf(item)
}
