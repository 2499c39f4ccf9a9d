import type { DeedTextTable } from '../deed-tables.ts'
import { asNew } from '../derived/as-new.ts'
import { spansOf } from '../derived/item-lineage.ts'
import { entriesUnder, itemKinds, type NewItem } from '../derived/items.ts'
import { sentencesOf } from '../derived/parts.ts'
import type { Program } from '../program.ts'
import type { ItemTable, PartTable } from '../schema.ts'
import { type KeptText, noRef, textKinds, type TextSource } from './deeds.ts'

/** All that an item was besides its words. */
interface ItemState extends Omit<NewItem, 'sentences' | 'hand' | 'terms' | 'traits'> {
  readonly sources: string
  readonly recordedAt: number
}

/** An item as it was, without its index data. */
export interface KeptItem {
  readonly item: Omit<NewItem, 'terms' | 'traits' | 'tokens'>
  readonly recordedAt: number
}

/** All that a part was besides its words. */
export type PartState = Pick<
  PartTable,
  'session_id' | 'layer' | 'from_seq' | 'to_seq' | 'sources' | 'writer' | 'provisional' | 'written_at'
> & {
  /** Absent in states that were kept before parts told it (homes-of-kept.ts). */
  readonly partition_id?: number
}

/** Makes the texts to keep of gists, entries and references. A digest rests on all conversations of its period. */
export function* textsOfItems(items: readonly ItemTable[]): Program<readonly KeptText[]> {
  const texts: KeptText[] = []
  // In the order of their ordinals: restored ones keep it.
  for (const item of items.toSorted((one, other) => one.ord - other.ord)) {
    const { sentences: _, hand, terms: __, traits: ___, ...state } = asNew(item)
    texts.push({
      kind: textKinds.item,
      ref: item.uuid,
      hand,
      content: item.content,
      state: { ...state, sources: item.sources, recordedAt: item.recorded_at } satisfies ItemState,
      sources: yield* sourcesOfItem(item),
    })
  }
  return texts
}

function* sourcesOfItem(item: ItemTable): Program<readonly TextSource[]> {
  if (item.rung === 0) return withSession(item)
  const below = yield* entriesUnder(item.partition_id, item.period)
  return below.filter(({ rung, kind }) => rung === 0 && kind === itemKinds.bank).flatMap(withSession)
}

/** Gives the messages of an item; its session by itself where it rests on none. */
function withSession(item: ItemTable): readonly TextSource[] {
  const spans = spansOf(item).map(([from, to]): TextSource => [item.session_id, from, to])
  return spans.length === 0 ? [[item.session_id, 0, 0]] : spans
}

/** Makes the text to keep of a part that is taken out. */
export function textOfPart(part: PartTable): KeptText {
  const { partition_id, session_id, layer, from_seq, to_seq, sources, writer, provisional, written_at } = part
  return {
    kind: textKinds.part,
    ref: noRef,
    hand: null,
    content: part.content ?? '',
    state: { partition_id, session_id, layer, from_seq, to_seq, sources, writer, provisional, written_at } satisfies PartState,
    sources: [[session_id, from_seq, to_seq]],
  }
}

/** Returns the items among kept texts. */
export function itemsAmong(texts: readonly DeedTextTable[]): readonly KeptItem[] {
  return texts
    .filter(({ kind }) => kind === textKinds.item)
    .map(({ state, hand, content }) => {
      // From Varve's own store.
      const { sources, recordedAt, tokens: _, ...rest }: ItemState = JSON.parse(state)
      return { item: { ...rest, hand, sentences: sentencesOf({ content, sources }) }, recordedAt }
    })
}

/** Returns the parts among kept texts. */
export function partsAmong(texts: readonly DeedTextTable[]): readonly (PartState & { readonly content: string })[] {
  return texts
    .filter(({ kind }) => kind === textKinds.part)
    .map(({ state, content }) => {
      const part: PartState = JSON.parse(state)
      return { ...part, content }
    })
}
