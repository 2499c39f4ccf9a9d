import { fold } from '../index/words.ts'
import { type OpeningWords, openingWords } from './opening-words.ts'

/**
 * A question that names no matter. `back` asks for the past or for the person: "where were we?". `greeting` is any other:
 * "hello again", or no word at all.
 */
export type OpeningKind = 'back' | 'greeting'

/** A longer text names a matter. In UTF-16 code units. */
const longestOpening = 120

const letters = /[\p{L}\p{M}\p{N}'’]+/gu
const spaceless = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u

interface Language {
  readonly words: ReadonlySet<string>
  /** The longest first, for scripts without spaces. */
  readonly pieces: readonly string[]
  readonly asksBack: readonly string[]
  /** The longest first. */
  readonly phrases: readonly string[]
  readonly greetings: ReadonlySet<string>
  readonly addressees: ReadonlySet<string>
}

let known: readonly Language[] | undefined

/** Tells whether a question names no matter; undefined when it names one. All of its words are listed in one language. */
export function openingKind(question: string): OpeningKind | undefined {
  if (question.length > longestOpening) return undefined
  const said = fold(question).match(letters) ?? []
  if (said.length === 0) return 'greeting'
  known ??= openingWords.map(languageOf)
  const languages = known.filter((language) => remaining(said, language).every((word) => isListed(word, language)))
  if (languages.length === 0) return undefined
  const text = ` ${said.join(' ')} `
  return languages.some(({ asksBack }) => asksBack.some((phrase) => text.includes(phrase))) ? 'back' : 'greeting'
}

function languageOf({ words, asksBack, phrases = [], greetings = '', addressees = '' }: OpeningWords): Language {
  const all = wordsIn(words)
  const isOfPieces = all.some((word) => spaceless.test(word))
  return {
    words: new Set(isOfPieces ? [] : all),
    pieces: isOfPieces ? longestFirst(all) : [],
    asksBack: asksBack.map((phrase) => (isOfPieces ? fold(phrase) : ` ${fold(phrase)} `)),
    phrases: longestFirst(phrases.map((phrase) => ` ${fold(phrase)} `)),
    greetings: new Set(wordsIn(greetings)),
    addressees: new Set(wordsIn(addressees)),
  }
}

const wordsIn = (list: string): string[] => fold(list).trim().split(/\s+/u)
const longestFirst = (all: readonly string[]): string[] => all.toSorted((a, b) => b.length - a.length)

/** Gives the words that are left without set phrases and without the one whom a greeting speaks to. */
function remaining(said: readonly string[], { phrases, greetings, addressees }: Language): readonly string[] {
  const text = phrases.reduce((left, phrase) => left.replace(phrase, '  '), ` ${said.join(' ')} `)
  const words = text.split(' ').filter((word) => word !== '')
  const speaksTo = addressees.has(said.at(-1) ?? '') && isOneOf(said.at(-2) ?? '', greetings)
  return speaksTo ? words.slice(0, -1) : words
}

function isListed(word: string, { words, pieces }: Language): boolean {
  return isOneOf(word, words) || (pieces.length > 0 && isMadeOf(word, pieces))
}

/** Tells whether a word is one of a list, perhaps drawn out ("hellooo") or with its last letter left out ("mornin'"). */
function isOneOf(word: string, words: ReadonlySet<string>): boolean {
  return words.has(word) || words.has(word.replace(/(\p{L})\1+$/u, '$1')) || words.has(word.replace(/in'?$/u, 'ing'))
}

/** Tells whether a run of a script without spaces is made of listed pieces alone. */
function isMadeOf(run: string, pieces: readonly string[]): boolean {
  const reached = new Set([0])
  for (let at = 0; at < run.length; at += 1)
    if (reached.has(at)) for (const piece of pieces) if (run.startsWith(piece, at)) reached.add(at + piece.length)
  return reached.has(run.length)
}
