import type { Passage } from '../index/passages.ts'

// The rules of UAX #29, by their numbers there.
const paragraphs = String.raw`[\r\n\u0085\u2028\u2029]`
const stop = String.raw`[.\p{Sentence_Terminal}]`
const afterStop = String.raw`["'\p{Ps}\p{Pe}\p{Pi}\p{Pf}]*[^\S\r\n\u0085\u2028\u2029]*`
/** SB8a: a sentence that goes on after its stop. */
const goesOn = String.raw`[,:;\-–—、，：.\p{Sentence_Terminal}]`
/** SB8: after a full stop it goes on with a small letter. */
const small = String.raw`[^\p{L}.\p{Sentence_Terminal}\r\n\u0085\u2028\u2029]*\p{Lowercase}`
/** SB6 and SB7: 3.14 and U.S. */
const fullStop = String.raw`\.(?!\p{Nd})(?!(?<=[\p{Lowercase}\p{Uppercase}]\.)\p{Uppercase})`
const end = new RegExp(
  String.raw`${paragraphs}+|${fullStop}(?=(${afterStop}))\1(?!${goesOn}|${small})|(?!\.)${stop}(?=(${afterStop}))\2(?!${goesOn})`,
  'gu',
)

/**
 * Cuts a text into its sentences, with the blanks behind each. Gives what Intl.Segmenter gives on prose (a test compares them), which
 * takes 9 ms when it is first made: a prompt waits for that.
 */
export function proseSentences(text: string): Passage[] {
  const found: Passage[] = []
  let from = 0
  for (const { index, 0: ending } of text.matchAll(end)) {
    const to = index + ending.length
    found.push({ from, to })
    from = to
  }
  if (from < text.length) found.push({ from, to: text.length })
  return found
}
