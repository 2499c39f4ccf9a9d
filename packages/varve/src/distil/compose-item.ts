import { itemTerms } from '../index/item-terms.ts'
import { composedLayer } from '../layers/all.ts'
import { byHand, type Sentence } from '../models/writer.ts'
import type { Composed } from '../storage/derived/distilled.ts'
import type { Outline } from './compose.ts'
import type { Written } from '../tasks/parts/read-span.ts'

/** Makes the item of an outline. A person's words stay first; newer sentences follow as far as there is room. */
export function composeItem(outline: Outline, sentences: readonly Sentence[], written: Written): Composed {
  const { layer, period, basis, hand, handSeq, parts, standsFor, messages, language } = outline
  const times = [...parts.map(({ firstAt, lastAt }) => ({ first: firstAt, last: lastAt })), ...(standsFor === undefined ? [] : [standsFor])]
  const { kind, task } = composedLayer(layer).composing
  const own: readonly Sentence[] = hand === null ? [] : hand.split('\n').map((text) => ({ text, from: [] }))
  const all = [...own, ...sentences.slice(0, Math.max(own.length === 0 ? 0 : 1, task.maxSentences - own.length))]
  if (all.length === 0) return { layer, kind, period, basis, item: undefined }
  const spans = [...(standsFor?.spans ?? []), ...parts.map(({ from, to }) => [Math.max(from, handSeq + 1), to] as const)]
  return {
    layer,
    kind,
    period,
    basis,
    item: {
      kind,
      rung: 0,
      period,
      sentences: all,
      spans,
      madeOf: parts.map(({ id }) => id),
      hand,
      handSeq,
      messages,
      conversations: 1,
      firstAt: Math.min(...times.map(({ first }) => first)),
      lastAt: Math.max(...times.map(({ last }) => last)),
      writer: hand === null ? written.writer : byHand,
      provisional: written.provisional,
      ...itemTerms(all.map(({ text }) => text).join('\n'), language),
    },
  }
}
