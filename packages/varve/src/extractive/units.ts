import { attributed, withoutConjunction } from './attribute.ts'
import { pointsBack, questionMark } from './cues.ts'
import { hardlyAWord, isDecisive, worthOf } from './salience.ts'
import type { SaidMessage, StatedSentence } from './statements.ts'
import { countWords } from './words.ts'

/** Neighbouring sentences of one message that may be read as one, and the most words that they have together. */
const maxTogether = 3
const maxTogetherWords = 40

/** A sentence below this worth, such as a word of praise, only pads a gist. A line of few words needs a reason to be kept. */
const leastWorth = 0.55
const fewWords = 4

/** A sentence, or a run of neighbours, that a gist may use. */
export interface Unit {
  readonly text: string
  readonly words: number
  readonly terms: ReadonlySet<string>
  /** The message that it is from: its place among the topics. */
  readonly of: number
  /** The message whose question stands before it, where nobody would understand it alone. */
  readonly after?: number
  /** Its first and last sentence, counted through the whole talk. Of units that share a sentence, one is written. */
  readonly first: number
  readonly last: number
  readonly worth: number
  /** True where each of its sentences is a feeling, a resolve or a reaction. An open question is none. */
  readonly isEmpty?: boolean
}

/** A sentence as it counts among others: each stands in several runs. */
interface Rated extends StatedSentence {
  readonly words: number
  /** Its worth, and its worth if nobody had answered it. They differ for questions. */
  readonly worth: number
  readonly worthOpen: number
}

/** A message that says something, and its place in the talk. */
interface Place extends SaidMessage {
  readonly statements: readonly Rated[]
  readonly of: number
  /** The number of its first sentence in the whole talk. */
  readonly base: number
  /** A question in the last message of a talk is open: it has no answer. */
  readonly isLast: boolean
}

/** Returns the units of a span: each sentence, and each run of neighbours that is short enough. */
export function unitsOf(said: readonly SaidMessage[]): Unit[] {
  let base = 0
  const places = said.map((one, of): Place => {
    const isLast = of === said.length - 1
    const place = { ...one, statements: one.statements.map((each) => rated(each, one.message, isLast)), of, base, isLast }
    base += (one.statements.at(-1)?.place ?? 0) + 1
    return place
  })
  const units = places.flatMap((place, of) =>
    runs(place.statements)
      .filter((run) => isTelling(run, place))
      .flatMap((run) => understood(unitOf(run, place), run, place, places[of - 1])),
  )
  return units.filter(({ first, last, words }) => first === last || words <= maxTogetherWords)
}

function rated(one: StatedSentence, { origin }: SaidMessage['message'], isLast: boolean): Rated {
  const worth = (isOpen: boolean): number => worthOf(one.text, { terms: one.terms.size, origin, isOpen })
  const worthOpen = worth(true)
  return { ...one, words: countWords(one.text), worth: isLast || !questionMark.test(one.text) ? worthOpen : worth(false), worthOpen }
}

/**
 * Returns a unit that says of whom or of what it speaks. A pronoun at its beginning stands for a word that is not written: the
 * question that it answers is put before it.
 */
function understood(unit: Unit, [first]: readonly Rated[], place: Place, before: Place | undefined): Unit[] {
  if (first === undefined || isClear(first)) return [unit]
  const asked = first === place.statements[0] ? questionBefore(place, before) : undefined
  if (asked === undefined) return []
  const { text, words, terms, of: after, first: at } = asked
  return [{ ...unit, text: `${text} ${unit.text}`, words: words + unit.words, terms: terms.union(unit.terms), after, first: at }]
}

/** Returns the question with which the message right before ends. */
function questionBefore({ index }: Place, before: Place | undefined): Unit | undefined {
  if (before === undefined || before.index !== index - 1 || before.message.origin === 'tool') return undefined
  const asked = before.statements.at(-1)
  return asked !== undefined && questionMark.test(asked.text) && isClear(asked) ? unitOf([asked], before) : undefined
}

function isClear({ text }: StatedSentence): boolean {
  return !pointsBack.test(withoutConjunction(text))
}

/**
 * Tells whether a run is worth its words. An answered question counts as if it were open, because it tells the matter; an
 * open one always counts. A run of few words needs a reason to be kept.
 */
function isTelling(run: readonly Rated[], { message: { origin }, isLast }: Place): boolean {
  if (origin === 'tool') return run.some(({ text }) => isDecisive(text))
  const worths = run.map(({ text, worthOpen }) => (isLast && questionMark.test(text) ? Infinity : worthOpen))
  return (
    Math.min(...worths) >= leastWorth && (Math.max(...worths) > hardlyAWord || run.reduce((sum, { words }) => sum + words, 0) > fewWords)
  )
}

function runs(statements: readonly Rated[]): Rated[][] {
  return statements.flatMap((_, first) =>
    Array.from({ length: maxTogether }, (_, more) => statements.slice(first, first + more + 1)).filter(
      (run, more) => run.length === more + 1 && run.every(({ place }, at) => place === (run[0]?.place ?? 0) + at),
    ),
  )
}

function unitOf(run: readonly Rated[], { speaker, of, base, isLast }: Place): Unit {
  const text = attributed(
    run.map(({ text }) => text),
    speaker,
  )
  const size = run.reduce((sum, { terms }) => sum + terms.size, 0)
  const worths = run.map(({ worth, terms }) => worth * (terms.size / size))
  return {
    text,
    words: countWords(text),
    terms: new Set(run.flatMap(({ terms }) => [...terms])),
    of,
    first: base + (run[0]?.place ?? 0),
    last: base + (run.at(-1)?.place ?? 0),
    worth: worths.reduce((sum, one) => sum + one, 0),
    isEmpty: run.every((one) => one.isEmpty && !(isLast && questionMark.test(one.text))),
  }
}
