import snowball from 'snowball-stemmers'
import type { Script, Word } from './words.ts'

/** ISO 639-1 codes with the names of the published Snowball algorithms. Other languages are not stemmed. */
const algorithms: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  tr: 'turkish',
}

const scriptOfLanguage: Readonly<Record<string, Script>> = { ar: 'arabic', ru: 'cyrillic', hy: 'other' }

/** The language for a word in another script than its session's language: the script's most common language here. */
const languageOfScript: Readonly<Partial<Record<Script, string>>> = { cyrillic: 'ru', arabic: 'ar' }

/**
 * The most stems that are remembered for an algorithm; a stem costs 30 µs, a look-up .1 µs. Over the bound all are
 * dropped: keeping an order costs more.
 */
const maxRemembered = 50_000

/** Languages with a stemmer: ISO 639-1. */
export const stemmedLanguages: readonly string[] = Object.keys(algorithms)

interface Algorithm {
  readonly stemmer: { stem(word: string): string }
  readonly remembered: Map<string, string>
}

const loaded = new Map<string, Algorithm>()

/** Returns the stem of a word in a language (ISO 639-1), or the word itself where there is no published stemmer. */
export function stem(word: Word, language: string): string {
  if (word.script === 'spaceless' || word.script === 'dictionary') return word.text
  const known = algorithms[language] !== undefined && (scriptOfLanguage[language] ?? 'latin') === word.script
  const chosen = known ? language : languageOfScript[word.script]
  const algorithm = chosen === undefined ? undefined : algorithms[chosen]
  if (algorithm === undefined) return word.text
  return rememberedStem(load(algorithm), word.text)
}

function rememberedStem({ stemmer, remembered }: Algorithm, word: string): string {
  const before = remembered.get(word)
  if (before !== undefined) return before
  const stemmed = stemmer.stem(word) || word
  if (remembered.size >= maxRemembered) remembered.clear()
  remembered.set(word, stemmed)
  return stemmed
}

function load(algorithm: string): Algorithm {
  const existing = loaded.get(algorithm)
  if (existing !== undefined) return existing
  const made = { stemmer: snowball.newStemmer(algorithm), remembered: new Map<string, string>() }
  loaded.set(algorithm, made)
  return made
}
