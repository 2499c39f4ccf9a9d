import { byHand, type Sentence } from '../../models/writer.ts'
import { type BankOwner, entryOf } from './bank-edits.ts'
import { asNew } from '../derived/as-new.ts'
import { digestsAbove } from '../derived/digests-above.ts'
import { eraseItem, replaceItem } from '../derived/item-erasure.ts'
import { itemsAt, type NewItem } from '../derived/items.ts'
import { childrenOf, notedStandsFor, spansOf } from '../derived/item-lineage.ts'
import { savePartition } from '../partitions.ts'
import { sentencesOf } from '../derived/parts.ts'
import type { Program } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { uuidText } from '../uuid-bytes.ts'

/** Lines together with their index data. */
type Indexed = Pick<NewItem, 'sentences' | 'terms' | 'traits' | 'tokens'>

/** Makes lines ready for the index, in the bank's language. */
export type IndexLines = (sentences: readonly Sentence[]) => Indexed

/**
 * Replaces an entry's lines by a person's. They stay when the entry is written anew, and go when a message below is
 * forgotten.
 *
 * Digests above may repeat the error. Those that no person corrected are taken out, and upkeep makes them again.
 */
export function* correctEntry(owner: BankOwner, id: string, lines: readonly string[], index: IndexLines, now: number): Program<string> {
  const item = yield* entryOf(owner, id)
  const handSeq = Math.max(1, ...spansOf(item).map(([, to]) => to))
  const spans = item.rung === 0 ? spansOf(item) : yield* childrenNow(item)
  const written = index(lines.map((text) => ({ text, from: [] })))
  yield* replaceItem(
    owner.entries,
    item,
    { ...asNew(item), ...written, spans, hand: lines.join('\n'), handSeq, writer: byHand, provisional: false },
    now,
  )
  yield* unsayAbove(owner, item, index, now)
  return uuidText(item.uuid)
}

/** Returns the digest's children that still stand. No person has seen the children that came or went since it was made. */
function* childrenNow(item: ItemTable): Program<NewItem['spans']> {
  const children = yield* itemsAt(
    item.partition_id,
    childrenOf(item).map(([ord]) => ord),
  )
  return notedStandsFor(children.map(({ ord, messages }) => [ord, messages]))
}

/** Takes out every statement that the digests above make of the entry's old text. */
export function* unsayAbove(owner: BankOwner, item: ItemTable, index: IndexLines, now: number): Program<void> {
  const { entries } = owner
  const changed = new Set([item.ord])
  const gone = new Map<number, ItemTable>()
  for (const digest of yield* digestsAbove([item])) {
    if (digest.hand === null) {
      entries.epoch += 1
      yield* eraseItem(entries, digest.ord)
      gone.set(digest.ord, digest)
    } else {
      const left = without(digest, changed, gone)
      if (left === undefined) continue
      yield* replaceItem(entries, digest, { ...left, ...index(left.sentences) }, now)
    }
    changed.add(digest.ord)
  }
  yield* savePartition(entries)
}

/**
 * Returns a corrected digest without the lines that rest on changed children, and without the children that are gone.
 * Returns undefined when it has neither.
 */
function without(digest: ItemTable, changed: ReadonlySet<number>, gone: ReadonlyMap<number, ItemTable>): NewItem | undefined {
  const [children, lines] = [childrenOf(digest), sentencesOf(digest)]
  const madeOf = children.filter(([ord]) => !gone.has(ord))
  const sentences = lines.filter(({ from }) => !from.some((ord) => changed.has(ord)))
  if (madeOf.length === children.length && sentences.length === lines.length) return undefined
  const less = children.flatMap(([ord]) => gone.get(ord) ?? [])
  return {
    ...asNew(digest),
    sentences,
    madeOf,
    messages: less.reduce((left, { messages }) => left - messages, digest.messages),
    conversations: less.reduce((left, { conversations }) => left - conversations, digest.conversations),
  }
}
