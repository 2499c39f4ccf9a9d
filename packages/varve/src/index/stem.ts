import { LRUCache } from 'lru-cache'
import snowball from 'snowball-stemmers'
import type { Script, Word } from './words.ts'

/** ISO 639-1 codes to the names of the published Snowball algorithms. Other languages are not stemmed. */
const algorithms: Readonly<Record<string, string>> = {
  ar: 'arabic', ca: 'catalan', cs: 'czech', da: 'danish', de: 'german', en: 'english', es: 'spanish', eu: 'basque', fi: 'finnish',
  fr: 'french', ga: 'irish', hu: 'hungarian', hy: 'armenian', it: 'italian', nl: 'dutch', no: 'norwegian', pt: 'portuguese',
  ro: 'romanian', ru: 'russian', sl: 'slovene', sv: 'swedish', tr: 'turkish',
}

const scriptOfLanguage: Readonly<Record<string, Script>> = { ar: 'arabic', ru: 'cyrillic', hy: 'other' }

/** A word in another script than its session's language is stemmed as that script's most common language here. */
const languageOfScript: Readonly<Partial<Record<Script, string>>> = { cyrillic: 'ru', arabic: 'ar' }

/** Stems that are remembered; a stem costs 30 µs, and a person's vocabulary is small. */
const maxRemembered = 50_000
const remembered = new LRUCache<string, string>({ max: maxRemembered })
const stemmers = new Map<string, { stem(word: string): string }>()

/** The stem of a word in a language (ISO 639-1), or the word itself where there is no published stemmer. */
export function stem(word: Word, language: string): string {
  if (word.script === 'spaceless' || word.script === 'dictionary') return word.text
  const known = algorithms[language] !== undefined && (scriptOfLanguage[language] ?? 'latin') === word.script
  const chosen = known ? language : languageOfScript[word.script]
  const algorithm = chosen === undefined ? undefined : algorithms[chosen]
  if (algorithm === undefined) return word.text
  const key = `${algorithm} ${word.text}`
  const before = remembered.get(key)
  if (before !== undefined) return before
  const stemmed = stemmerOf(algorithm).stem(word.text) || word.text
  remembered.set(key, stemmed)
  return stemmed
}

function stemmerOf(algorithm: string): { stem(word: string): string } {
  const existing = stemmers.get(algorithm)
  if (existing !== undefined) return existing
  const made = snowball.newStemmer(algorithm)
  stemmers.set(algorithm, made)
  return made
}
