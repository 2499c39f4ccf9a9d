import { languagePacks } from './languages.ts'
import { cutWords } from './words.ts'

/** Longer sentences are cut, so that a gist of 180 words holds at least four. */
export const maxSentenceWords = 38

const abbreviations = languagePacks.flatMap((pack) => pack.abbreviations).join('|')
/** Ends with a full stop that ends no sentence: after an abbreviation, or after an initial. */
const abbreviation = new RegExp(String.raw`(?:^|[\s("'])(?:${abbreviations}|\p{Lu})\.\s*$`, 'u')

/** Made once: that takes some milliseconds. */
let segmenter: Intl.Segmenter | undefined

/** Returns the sentences of a paragraph in any script, the very long ones cut at a clause or a word. */
export function paragraphSentences(paragraph: string): string[] {
  return splitSentences(paragraph).map((sentence) => cutWords(sentence, maxSentenceWords))
}

export function splitSentences(paragraph: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' })
  const found: string[] = []
  let held = ''
  for (const { segment } of segmenter.segment(paragraph)) {
    held += segment
    if (abbreviation.test(held)) continue
    found.push(held)
    held = ''
  }
  found.push(held)
  return found.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}
