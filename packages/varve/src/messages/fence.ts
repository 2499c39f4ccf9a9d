import { createHmac } from 'node:crypto'
import type { RecalledRange } from './message.ts'

/** A fence around rendered memory. Its mark is keyed to the store: text that was remembered cannot know it beforehand. */
const nonceLength = 8
const sealLength = 8
const openPattern = /<memory mark="([0-9a-f]{16})">/g

/** A mark of the store, from its key and eight hex digits: whoever does not have the key cannot make one. */
export function markOf(key: string, nonce: string): string {
  const seal = createHmac('sha256', key).update(nonce).digest('hex')
  return nonce.slice(0, nonceLength).padStart(nonceLength, '0') + seal.slice(0, sealLength)
}

/**
 * The mark of what stands in a fence. The same content has the same mark, so that an equal context has equal bytes.
 * No content can hold its own: to put a known mark into it changes it, and the mark with it.
 */
export function contentMark(key: string, content: string): string {
  return markOf(key, createHmac('sha256', key).update(content).digest('hex').slice(0, nonceLength))
}

/** Holds the place of a mark that is not known yet: of 5,000 marks 93 % take no more tokens (o200k_base). */
export const roomyMark = '0a0b0c0d12345678'

export function openFence(mark: string): string {
  return `<memory mark="${mark}">`
}

export function closeFence(mark: string): string {
  return `</memory mark="${mark}">`
}

// Blanks and what cannot be seen may stand between the parts of a tag that still reads as one; a control character may
// become a line break when the text is rendered. Each run of them is matched in one way only: a megabyte of blanks takes no time.
const unseen = String.raw`[\s\p{Default_Ignorable_Code_Point}\p{Other}]*`
const looksLikeTag = new RegExp(`[<＜﹤](?=${unseen}(?:[/／]${unseen})?[mｍ])`, 'giu')

/** Remembered text in which nothing reads as a fence of ours, look-alikes included: other tags that begin with m lose their bracket too. */
export function withoutFences(text: string): string {
  return text.replace(looksLikeTag, '‹')
}

/** Ranges of a text that lie within fences of this store, from the opening to its close, or to the end when that was cut off. */
export function fencedRanges(text: string, key: string): RecalledRange[] {
  const ranges: RecalledRange[] = []
  for (const match of text.matchAll(openPattern)) {
    const mark = match[1] ?? ''
    if (markOf(key, mark.slice(0, nonceLength)) !== mark) continue
    const close = closeFence(mark)
    const end = text.indexOf(close, match.index)
    ranges.push({ from: match.index, to: end === -1 ? text.length : end + close.length })
  }
  return ranges
}
