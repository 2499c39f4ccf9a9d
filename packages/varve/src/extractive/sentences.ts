import { cutWords } from './words.ts'

/** Longer sentences are cut: a gist of 180 words holds five such at least. */
export const maxSentenceWords = 32

/** What ends with a full stop and does not end a sentence, in the languages that have cues here. */
const abbreviation =
  /(?:^|[\s("'])(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Sra|Mme|vs|No|Nr|ca|bzw|usw|etc|e\.g|i\.e|approx|z\.B|d\.h|u\.a|p\.ej|\p{Lu})\.\s*$/u

/** Made once: it takes some ms. */
let segmenter: Intl.Segmenter | undefined

/** The sentences of a paragraph in any script, the very long ones cut at a clause or a word. */
export function sentencesOf(paragraph: string): string[] {
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
  return found.map((sentence) => cutWords(sentence.trim(), maxSentenceWords)).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}
