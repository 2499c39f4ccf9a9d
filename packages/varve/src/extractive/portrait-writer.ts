import { withoutConjunction } from './attribute.ts'
import { firstPerson, pointsBack, questionMark, secondPerson } from './cues.ts'
import { languagePacks } from './languages.ts'
import { splitSentences } from './sentences.ts'
import { speakerOf } from './speaker.ts'
import { countWords } from './words.ts'

/** A sentence that a person said, and its words. */
export interface OwnSentence {
  readonly text: string
  readonly words: number
}

/** A shorter sentence hardly tells anything of a person; a longer one tells too much beside a fact. */
const fewestWords = 8
const mostQuoted = 30

const languagesKnown: ReadonlySet<string> = new Set(languagePacks.map(({ language }) => language))

/**
 * Takes a gist's sentence as the words of its speaker, without the name before them; undefined when it does not tell of
 * the speaker. That is a question, a sentence to the listener, and one that points back. In a language that has a pack
 * the sentence is in the first person, or names the speaker. `language` is ISO 639-1; '' for unknown.
 */
export function ownSentence(text: string, name: string | undefined, language: string): OwnSentence | undefined {
  const speaker = speakerOf({ ...(name === undefined ? {} : { name }), origin: 'person' })
  const isHead = (head: string): boolean => text.slice(0, head.length).toLowerCase() === head.toLowerCase()
  if (isHead(`${speaker} asked: `)) return undefined
  const own = isHead(`${speaker}: `) ? text.slice(speaker.length + 2) : text
  const words = countWords(own)
  if (words < fewestWords || !isUnderstood(own) || secondPerson.test(own)) return undefined
  const isOfSelf = !languagesKnown.has(language) || firstPerson.test(own) || spaced(own).includes(spaced(speaker))
  return isOfSelf ? { text: own, words } : undefined
}

/** Sets a blank around each word, so that a name is found as a whole. */
function spaced(text: string): string {
  return ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')} `
}

/** Tells whether a sentence may be quoted in the place of a fact: it is short, and is understood by itself. */
export function isQuotable(text: string): boolean {
  return countWords(text) <= mostQuoted && isUnderstood(text)
}

/** Tells whether a sentence states something, and is understood without the one before. */
function isUnderstood(text: string): boolean {
  return !questionMark.test(text) && !pointsBack.test(withoutConjunction(text))
}

/** Returns an own sentence whole, and its parts that tell of the speaker by themselves. */
export function ownPartsOf(own: OwnSentence, name: string | undefined, language: string): readonly OwnSentence[] {
  const said = splitSentences(own.text)
  const parts = said.flatMap((_, first) => said.slice(first).map((_, more) => said.slice(first, first + more + 1)))
  return [own, ...parts.filter(({ length }) => length < said.length).flatMap((part) => ownSentence(part.join(' '), name, language) ?? [])]
}

/** Counts the words of a line of a portrait, as the writer does. */
export function wordsOfLine(text: string): number {
  return countWords(text)
}
