import type { SourceMessage } from '../models/writer.ts'
import { holdsCode } from './code-lines.ts'
import { anyDigit, timeWord } from './cues.ts'
import { languagePacks } from './languages.ts'
import type { ExtractiveMeans } from './means.ts'
import { proseOf } from './plain-text.ts'
import { paragraphSentences } from './sentences.ts'
import { isSmallTalk, withoutPleasantries } from './small-talk.ts'
import { nameTest, speakerOf } from './speaker.ts'
import { hasSubstance } from './substance.ts'
import { toolText } from './tool-facts.ts'
import { countWords } from './words.ts'

/** Where no tool was used, a longer answer is advice, a draft or a lesson. It is not quoted, unless its project shares it. */
const mostOfAnswer = 100

const openings = languagePacks.flatMap(({ opensAnswer }) => opensAnswer ?? [])

/** The most sentences of one message that are read: its first and its last ones. */
const maxSentences = 48

/** A sentence of a message that says something. */
export interface StatedSentence {
  /** Without greetings before it; ends without a mark, save a question's. */
  readonly text: string
  readonly terms: ReadonlySet<string>
  /** Its place among all sentences of its message, from 0. Two neighbours may be read as one. */
  readonly place: number
  /** True for a feeling, a resolve or a reaction. It may stand between two others. */
  readonly isEmpty: boolean
}

/** A message that says something. */
export interface SaidMessage {
  readonly message: SourceMessage
  /** The place of the message in the span. */
  readonly index: number
  readonly speaker: string
  readonly statements: readonly StatedSentence[]
}

/**
 * Returns the statements of a span, message by message: no greetings, nothing of the system, nothing but prose, of an
 * assistant no lists, and no sentence that is kept out or only announces a list or an answer.
 */
export function statementsOf(messages: readonly SourceMessage[], means: ExtractiveMeans): SaidMessage[] {
  const { terms, isKeptOut = () => false } = means
  const speakers = [...new Set(messages.map(speakerOf))]
  const isName = nameTest(speakers)
  const names = new Set(speakers.flatMap((speaker) => terms(speaker)))
  const isChat = messages.every(({ origin }) => origin !== 'tool')
  const contentTerms = (text: string): ReadonlySet<string> => new Set(terms(text).filter((term) => !names.has(term)))
  return messages.flatMap((message, index) => {
    if (message.role === 'system' || message.origin === 'system') return []
    if (message.origin === 'assistant' && isChat && message.isShared !== true && countWords(message.text) > mostOfAnswer) return []
    const text = message.origin === 'tool' ? toolText(message.text) : message.text
    const sentences = proseOf(text, message.origin === 'assistant' ? 'left out' : 'kept').flatMap(paragraphSentences)
    const half = maxSentences / 2
    const read = sentences.length <= maxSentences ? sentences : [...sentences.slice(0, half), ...sentences.slice(-half)]
    const leftOut = sentences.length - read.length
    const statements = read
      .flatMap((sentence, at) => (isKeptOut(sentence) ? [] : statement(sentence, at < half ? at : at + leftOut, isName, contentTerms)))
      .filter(({ text }) => message.origin !== 'assistant' || !announces(text))
      .map((one): StatedSentence => ({ ...one, isEmpty: !hasSubstance(one.text, one.terms, means) }))
    return statements.length === 0 ? [] : [{ message, index, speaker: speakerOf(message), statements }]
  })
}

/** Tells whether a sentence only says what an answer will do. */
function announces(text: string): boolean {
  return openings.some((opening) => opening.test(text)) && !anyDigit.test(text) && !timeWord.test(text)
}

type Test = (word: string) => boolean
type Stated = Omit<StatedSentence, 'isEmpty'>

function statement(sentence: string, place: number, isName: Test, contentTerms: (text: string) => ReadonlySet<string>): Stated[] {
  if (/[:：]$/u.test(sentence) || holdsCode(sentence)) return []
  const kept = withoutPleasantries(sentence, isName).replace(/[\s,;:–—-]+$/u, '')
  const text = kept.replace(/(?:(?<!\.)\.|[!。！])+$/u, '').trim()
  const terms = contentTerms(text)
  return text === '' || terms.size === 0 || isSmallTalk(text, isName) ? [] : [{ text: capitalised(text), terms, place }]
}

function capitalised(text: string): string {
  return text.replace(/^\p{Ll}(?=[\p{Ll}'’]*(?:[\s,]|$))/u, (letter) => letter.toUpperCase())
}
