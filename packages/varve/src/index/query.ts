import { createRequire } from 'node:module'
import { requiredElsewhere } from '../packaged/packaged-file.ts'
import { irregularForms } from './irregular-forms.ts'
import { stem, stemmedLanguages } from './stem.ts'
import type { Unstemmed } from './unstemmed.ts'
import { type Word, wordsOf } from './words.ts'

/**
 * One word of a question: as it was written, and its possible forms in the index. These are one stem for each language
 * of the partition, and the stems of irregular forms.
 */
export interface QueryWord {
  readonly written: string
  readonly variants: readonly string[]
  readonly stop: boolean
}

/** The most of a question that is read, in UTF-16 code units, and the most words that are looked up. */
export const maxQueryLength = 20_000
export const maxQueryWords = 128

/** The most languages whose stems are tried; a partition with more uses its commonest ones. */
const maxLanguages = 6

let stopwords: Readonly<Record<string, readonly string[]>> | undefined
const stopwordSets = new Map<string, ReadonlySet<string>>()

/**
 * Splits a question into words, each once, in the languages of the partition. A question has no syntax. Terms that were
 * stored without stems are found by theirs.
 */
export function queryWords(query: string, languages: readonly string[], unstemmed?: Unstemmed): QueryWord[] {
  const words = questionWords(query)
  const tried = languages.length === 0 ? likelyLanguages(words) : languages.slice(0, maxLanguages)
  const found = new Map<string, QueryWord>()
  for (const word of words) {
    if (found.has(word.text)) continue
    const stems = tried.map((language) => stem(word, language))
    const irregular = tried.flatMap((language, at) => irregularForms(stems[at] ?? '', language))
    const said = tried.flatMap((language, at) => unstemmed?.formsOf(stems[at] ?? '', language) ?? [])
    const variants = [...new Set([...stems, word.text, ...irregular, ...said])]
    const stop = tried.some((language) => isStopword(word.text, language))
    found.set(word.text, { written: word.text, variants, stop })
    if (found.size >= maxQueryWords) break
  }
  return [...found.values()]
}

/**
 * Splits a question into words. In scripts without spaces a run of two or more characters is looked up by its bigrams
 * alone: single characters are everywhere.
 */
function questionWords(query: string): Word[] {
  const words = wordsOf(query.slice(0, maxQueryLength).toWellFormed())
  const bigrams = new Set<string>()
  for (const { script, text } of words) {
    if (script === 'spaceless' && [...text].length === 2) for (const character of text) bigrams.add(character)
  }
  return words.filter(({ script, text }) => script !== 'spaceless' || [...text].length === 2 || !bigrams.has(text))
}

/**
 * Gives the languages of a question in a partition that has said too little for a language: those of most of its stop words.
 * A question without one may be in English.
 */
function likelyLanguages(words: readonly Word[]): readonly string[] {
  const counts = stemmedLanguages.map((language) => words.filter(({ text }) => isStopword(text, language)).length)
  const most = Math.max(...counts)
  if (most === 0) return ['en']
  return stemmedLanguages.filter((_, at) => counts[at] === most).slice(0, maxLanguages)
}

export function isStopword(word: string, language: string): boolean {
  let known = stopwordSets.get(language)
  if (known === undefined) {
    // The published list is JSON without types: ISO 639-1 codes to words.
    stopwords ??= publishedList()
    known = new Set((stopwords[language] ?? []).map((entry) => entry.toLowerCase()))
    stopwordSets.set(language, known)
  }
  return known.has(word)
}

/**
 * Counts the words of a short text that tell something: those that are no stop words in the language that has the most of
 * them as such. A short text does not tell its language, and in any other it has fewer stop words. Counts to `most` at the most: each
 * word is looked for in the lists of 57 languages.
 */
export function countTelling(text: string, most: number): number {
  const words = [...new Set(questionWords(text).map((word) => word.text))]
  stopwords ??= publishedList()
  let least = Math.min(most, words.length)
  for (const list of Object.values(stopwords)) {
    let telling = 0
    for (const word of words) if (telling < least && !list.includes(word)) telling += 1
    least = telling
  }
  return least
}

function publishedList(): Readonly<Record<string, readonly string[]>> {
  try {
    const require = createRequire(import.meta.url)
    return require('stopwords-iso')
  } catch (error) {
    return requiredElsewhere('stopwords-iso', error)
  }
}
