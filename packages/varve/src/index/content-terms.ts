import { isStopword } from './query.ts'
import { stem } from './stem.ts'
import { wordsOf } from './words.ts'

/** The words of a text that say what it is about, as the index stems them: no stop words of its language (ISO 639-1; '' for unknown). */
export function contentTerms(text: string, language: string): string[] {
  return wordsOf(text)
    .filter((word) => !isStopword(word.text, language))
    .map((word) => stem(word, language))
}
