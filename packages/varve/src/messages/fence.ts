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

/** Blanks and signs that nobody sees. They may stand between the parts of a tag that still reads as one. */
const between = /[\s\p{Default_Ignorable_Code_Point}\p{Other}]/u

/** Letters of other alphabets that look like those of the tag. */
const alike: Readonly<Record<string, string>> = { м: 'm', μ: 'm', е: 'e', ε: 'e', о: 'o', ο: 'o', г: 'r', у: 'y', υ: 'y' }

const tagName = 'memory'

/**
 * Gives remembered text in which nothing reads as a fence of Varve's. A tag is told by its letters in any form that
 * Unicode counts as the same, by letters that look like them, and through blanks and unseen signs.
 */
export function withoutFences(text: string): string {
  return text.replace(/[<＜﹤]/gu, (opening, at: number) => (isTag(text, at + 1) ? '‹' : opening))
}

/** Tells whether the tag's name stands at a place, with or without a slash. */
function isTag(text: string, from: number): boolean {
  let read = ''
  for (let at = from; at < text.length && read.length < tagName.length;) {
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
    at += sign.length
    if (between.test(sign)) continue
    const letters = sign.normalize('NFKC').toLowerCase()
    if (letters === '/' && read === '') continue
    read += alike[letters] ?? letters
    if (!tagName.startsWith(read)) return false
  }
  return read === tagName
}

/**
 * Finds ranges of a text within fences of this store. Each runs from the opening to its close. Of a fence that was left
 * open only the opening is one: the words behind it may be anybody's. Echoes among them are found by their words.
 */
export function fencedRanges(text: string, key: string): RecalledRange[] {
  const ranges: RecalledRange[] = []
  // The next opening of each mark of this store. A close behind it is not the close of an opening before it.
  const next = new Map<string, number>()
  for (const match of [...text.matchAll(openPattern)].reverse()) {
    const [opening, mark = ''] = match
    const to = next.get(mark)
    if (to === undefined && markOf(key, mark.slice(0, nonceLength)) !== mark) continue
    next.set(mark, match.index)
    const close = closeFence(mark)
    const end = text.slice(match.index, to).indexOf(close)
    ranges.push({ from: match.index, to: match.index + (end === -1 ? opening.length : end + close.length) })
  }
  return ranges.reverse()
}
