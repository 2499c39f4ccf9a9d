import type { Passage } from '../index/passages.ts'
import type { AskedWords } from '../recall/asked-words.ts'

/** The length of the blocks in which words are looked for, in UTF-16 code units. */
const blockLength = 1_000

/** The worth of a block beside one that says words. */
const besideWorth = 0.25

/** The most that a range grows at each end, so that it begins and ends with a whole word. */
const mostGrowth = 100

const partOfWord = /[a-z0-9]/
const blank = /\s/
const lowSurrogate = /[\uDC00-\uDFFF]/

/**
 * Gives the ranges of a long text that say most of a question's words, in order, of some `most` code units together.
 * Without any, they are its beginning. Each word is found once a block, so that a text of a megabyte costs some
 * thousand looks a word.
 */
export function wordedRanges(text: string, words: AskedWords, most: number): Passage[] {
  if (text.length <= most) return [{ from: 0, to: text.length }]
  const worth = worthOfBlocks(text.toLowerCase(), words)
  const near = worth.map((value, at) => value + besideWorth * Math.max(worth[at - 1] ?? 0, worth[at + 1] ?? 0))
  const chosen = [...near.keys()]
    .toSorted((a, b) => (near[b] ?? 0) - (near[a] ?? 0) || a - b)
    .slice(0, Math.max(1, Math.floor(most / blockLength)))
    .toSorted((a, b) => a - b)
  const ranges: { from: number; to: number }[] = []
  for (const block of chosen) {
    const [from, to] = [block * blockLength, Math.min(text.length, (block + 1) * blockLength)]
    const last = ranges.at(-1)
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  }
  return ranges.map(({ from, to }) => ({ from: wordBefore(text, from), to: wordAfter(text, to) }))
}

/** Says for a range of a long text how much of a question's words the blocks with it say. */
export function worthIn(text: string, words: AskedWords): (range: Passage) => number {
  const worth = worthOfBlocks(text.toLowerCase(), words)
  return ({ from, to }) => {
    let most = 0
    for (let block = Math.floor(from / blockLength); block * blockLength < to; block += 1) most = Math.max(most, worth[block] ?? 0)
    return most
  }
}

function worthOfBlocks(lower: string, words: AskedWords): number[] {
  const worth = Array.from({ length: Math.ceil(lower.length / blockLength) }, () => 0)
  for (const [place, weight] of words.weights.entries()) {
    const said = new Set(words.formsOf(place).flatMap((form) => blocksWith(lower, form)))
    for (const block of said) worth[block] = (worth[block] ?? 0) + weight
  }
  return worth
}

/** Finds the blocks in which a word begins with a form. */
function blocksWith(lower: string, form: string): number[] {
  const found: number[] = []
  if (form === '') return found
  let at = lower.indexOf(form)
  while (at >= 0) {
    const isBegin = !partOfWord.test(lower.charAt(at - 1))
    const block = Math.floor(at / blockLength)
    if (isBegin) found.push(block)
    at = lower.indexOf(form, isBegin ? (block + 1) * blockLength : at + form.length)
  }
  return found
}

function wordBefore(text: string, at: number): number {
  for (let from = at; from > Math.max(0, at - mostGrowth); from -= 1) if (blank.test(text.charAt(from - 1))) return from
  return lowSurrogate.test(text.charAt(at)) ? at - 1 : at
}

function wordAfter(text: string, at: number): number {
  for (let to = at; to < Math.min(text.length, at + mostGrowth); to += 1) if (blank.test(text.charAt(to))) return to
  return lowSurrogate.test(text.charAt(at)) ? at + 1 : at
}
