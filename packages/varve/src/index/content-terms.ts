import { isStopword } from './query.ts'
import { stem } from './stem.ts'
import { wordsOf } from './words.ts'

/**
 * Returns the stems of a text's content words, as the index has them. Leaves out stop words of its language (ISO 639-1;
 * '' for unknown).
 */
export function contentTerms(text: string, language: string): string[] {
  return wordsOf(text)
    .filter((word) => !isStopword(word.text, language))
    .map((word) => stem(word, language))
}
