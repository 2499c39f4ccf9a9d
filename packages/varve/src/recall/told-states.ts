import { foldedRange } from '../facts/source-range.ts'
import type { EndedState } from '../facts/superseded.ts'
import { fold } from '../index/words.ts'
import type { Span } from '../lineage/span.ts'

/** An object with fewer letters or digits, such as `5`, may be said of anything. */
const leastTelling = 4

/** Words of a sentence that tells an end by itself. English. */
const tellsEnd = new RegExp(
  String.raw`\b(?:no longer|any ?more|quit|left|stopped|gave up|dropped|moved (?:out|away|from)|switched from|instead of|` +
    String.raw`until|used to|former(?:ly)?|previous(?:ly)?|ended)\b`,
  'i',
)
const sentenceEnd = /[.!?…。！？]+["'”’)\]]*(?=\s|$)|\n/gu
const clauseEnd = /[.,;:!?…。！？](?=\s|$)|\s[([–—]|\n/u
// `test` is no word of `test:ci`, nor of `test-runner`.
const goesOn = /^[-:./_@]?[\p{L}\p{M}\p{N}]/u
const began = /[\p{L}\p{M}\p{N}][-:./_@]?$/u

/**
 * Finds the ended states that a derived text tells, with their places in it. The text must rest on the message of the
 * state, and say its object. A sentence that says the end, or the present object, tells no ended state.
 */
export function toldIn(text: string, lineage: readonly Span[], states: readonly EndedState[]): readonly EndedState[] {
  const told = new Map<string, EndedState>()
  const folded = plain(text)
  for (const state of states) {
    if (!folded.includes(plain(state.object))) continue
    if (!lineage.some(({ session, from, to }) => session === state.session && from <= state.seq && state.seq <= to)) continue
    const range = toldAt(text, state)
    // Several messages may state the same.
    if (range !== undefined) told.set(JSON.stringify([range.from, state.on, state.now]), { ...state, ...range })
  }
  return [...told.values()]
}

function plain(text: string): string {
  return fold(text).replace(/\s+/g, ' ').trim()
}

interface Range {
  readonly from: number
  readonly to: number
}

/** Gives the part of a sentence up to the end of the clause that says the object. */
function toldAt(text: string, { object, predicate, now }: EndedState): Range | undefined {
  for (const sentence of sentencesOf(text)) {
    const words = text.slice(sentence.from, sentence.to)
    const said = saidAt(object, words)
    if (said === undefined || tellsEnd.test(words) || (now !== undefined && saidAt(now, words) !== undefined)) continue
    if (lettersIn(object) < leastTelling && !saysAny(predicate, words)) continue
    const end = clauseEnd.exec(words.slice(said.to))
    return { from: sentence.from, to: sentence.from + said.to + (end?.index ?? words.length - said.to) }
  }
  return undefined
}

function sentencesOf(text: string): Range[] {
  const sentences: Range[] = []
  let from = 0
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) {
    sentences.push({ from, to: index + mark.length })
    from = index + mark.length
  }
  return from < text.length ? [...sentences, { from, to: text.length }] : sentences
}

/** Finds whole words in a text, whatever their case and blanks. */
function saidAt(words: string, text: string): Range | undefined {
  for (let begin = 0; ;) {
    const found = foldedRange(words, text.slice(begin), fold)
    if (found === undefined) return undefined
    const [from, to] = [begin + found.from, begin + found.to]
    if (!began.test(text.slice(Math.max(0, from - 2), from)) && !goesOn.test(text.slice(to, to + 2))) return { from, to }
    begin = from + 1
  }
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

function saysAny(words: string, text: string): boolean {
  return words.split(' ').some((word) => lettersIn(word) >= leastTelling && saidAt(word, text) !== undefined)
}
