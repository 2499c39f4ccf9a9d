import { attributed } from './attribute.ts'
import { pointsBack } from './cues.ts'
import { isDecisive, worthOf } from './salience.ts'
import type { SaidMessage, StatedSentence } from './statements.ts'
import { countWords } from './words.ts'

/** Neighbouring sentences of one message that may be read as one, and the most words that they have together. */
const maxTogether = 3
const maxTogetherWords = 34

/** The factor for a sentence that nobody understands without the one before. */
const dangling = 0.7

/** A sentence, or a run of neighbours, that a gist may use. */
export interface Unit {
  readonly text: string
  readonly words: number
  readonly terms: ReadonlySet<string>
  /** The message that it is from: its place among the topics. */
  readonly of: number
  /** Its first and last sentence in the message. Of units that share a sentence, one is written. */
  readonly first: number
  readonly last: number
  readonly worth: number
}

/** Returns the units of a span: each sentence, and each run of neighbours that is short enough. */
export function unitsOf(said: readonly SaidMessage[]): Unit[] {
  const units = said.flatMap((one, of) => {
    const telling = runs(one.statements).filter((run) => one.message.origin !== 'tool' || run.some(({ text }) => isDecisive(text)))
    return telling.map((run) => unitOf(run, one, of, of === said.length - 1))
  })
  return units.filter(({ first, last, words }) => first === last || words <= maxTogetherWords)
}

function runs(statements: readonly StatedSentence[]): StatedSentence[][] {
  return statements.flatMap((_, first) =>
    Array.from({ length: maxTogether }, (_, more) => statements.slice(first, first + more + 1)).filter(
      (run, more) => run.length === more + 1 && run.every(({ place }, at) => place === (run[0]?.place ?? 0) + at),
    ),
  )
}

/** Makes a unit of a run. A question in the last message of a span is open: the span has no answer. */
function unitOf(run: readonly StatedSentence[], { message, speaker }: SaidMessage, of: number, isOpen: boolean): Unit {
  const texts = run.map(({ text }) => text)
  const text = attributed(texts, speaker)
  const size = run.reduce((sum, { terms }) => sum + terms.size, 0)
  const worths = run.map(({ text, terms }) => worthOf(text, { terms: terms.size, origin: message.origin, isOpen }) * (terms.size / size))
  const worth = worths.reduce((sum, one) => sum + one, 0)
  const [first, last] = [run[0], run.at(-1)]
  return {
    text,
    words: countWords(text),
    terms: new Set(run.flatMap(({ terms }) => [...terms])),
    of,
    first: first?.place ?? 0,
    last: last?.place ?? 0,
    worth: first !== undefined && pointsBack.test(first.text) ? worth * dangling : worth,
  }
}
