import { itemTerms } from '../index/item-terms.ts'
import { bulletBounds, byHand, gistBounds, type Sentence } from '../models/writer.ts'
import type { Composed } from '../storage/derived/distilled.ts'
import { itemKinds } from '../storage/derived/items.ts'
import { bitOf } from '../storage/layers.ts'
import type { Outline } from './compose.ts'
import type { Written } from './span-of.ts'

/** The item that an outline comes to. What a person wrote stays first; what was written since is added as far as there is room. */
export function composeItem(outline: Outline, sentences: readonly Sentence[], language: string, written: Written): Composed {
  const { layer, period, basis, hand, handSeq, parts, standsFor, messages } = outline
  const times = [...parts.map(({ firstAt, lastAt }) => ({ first: firstAt, last: lastAt })), ...(standsFor === undefined ? [] : [standsFor])]
  const isGist = layer === bitOf('gists')
  const own: readonly Sentence[] = hand === null ? [] : hand.split('\n').map((text) => ({ text, from: [] }))
  const most = isGist ? gistBounds.maxSentences : bulletBounds.maxBullets
  const all = [...own, ...sentences.slice(0, Math.max(own.length === 0 ? 0 : 1, most - own.length))]
  if (all.length === 0) return { layer, period, basis, item: undefined }
  const spans = [...(standsFor?.spans ?? []), ...parts.map(({ from, to }) => [Math.max(from, handSeq + 1), to] as const)]
  return {
    layer,
    period,
    basis,
    item: {
      kind: isGist ? itemKinds.gist : itemKinds.bank,
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
