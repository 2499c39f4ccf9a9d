import { createHmac } from 'node:crypto'
import type { RecalledRange } from './message.ts'

/** The lengths of a fence's mark, in hex digits. The mark is keyed to the store: remembered text cannot know it beforehand. */
const nonceLength = 8
const sealLength = 8
const openPattern = /<memory mark="([0-9a-f]{16})">/g

/** Makes a mark from the store's key and eight hex digits. Nobody without the key can make one. */
export function markOf(key: string, nonce: string): string {
  const seal = createHmac('sha256', key).update(nonce).digest('hex')
  return nonce.slice(0, nonceLength).padStart(nonceLength, '0') + seal.slice(0, sealLength)
}

/**
 * Makes the mark for a content. The same content has the same mark, so that an equal context has equal bytes. No
 * content can hold its own mark: a mark put into it changes it, and the mark with it.
 */
export function contentMark(key: string, content: string): string {
  return markOf(key, createHmac('sha256', key).update(content).digest('hex').slice(0, nonceLength))
}

/** A placeholder for an unknown mark: of 5,000 marks 93 % take no more tokens (o200k_base). */
export const roomyMark = '0a0b0c0d12345678'

export function openFence(mark: string): string {
  return `<memory mark="${mark}">`
}

export function closeFence(mark: string): string {
  return `</memory mark="${mark}">`
}

// Blanks and invisible characters may stand between the parts of a tag that still reads as one. A control character may
// become a line break when the text is rendered. Each run of them is matched in one way only, so that a megabyte of
// blanks takes no time.
const unseen = String.raw`[\s\p{Default_Ignorable_Code_Point}\p{Other}]*`
const looksLikeTag = new RegExp(`[<＜﹤](?=${unseen}(?:[/／]${unseen})?[mｍ])`, 'giu')

/**
 * Gives remembered text in which nothing reads as a fence of Varve's, look-alikes included. Other tags that begin with
 * m lose their bracket too.
 */
export function withoutFences(text: string): string {
  return text.replace(looksLikeTag, '‹')
}

/**
 * Finds ranges of a text within fences of this store. Each runs from the opening to its close, or to the end when the
 * close was cut off.
 */
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
