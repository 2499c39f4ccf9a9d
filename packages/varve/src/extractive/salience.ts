import { anyDigit, decision, firstPerson, identifier, questionMark, secondPerson, standing, timeWord } from './cues.ts'
import type { SourceMessage } from '../models/writer.ts'

type Origin = SourceMessage['origin']

/** Reasons to keep a sentence, each counted once. The numbers were chosen on one half of a public set of talks (bench/coverage.ts). */
const reasons: readonly (readonly [cue: RegExp, worth: number])[] = [
  [decision, 0.5],
  [standing, 0.5],
  [timeWord, 0.6],
  [anyDigit, 0.4],
  [identifier, 0.3],
]
const perName = 0.4
const speaksOfSelf = 0.4

/** Factors for a question that was answered, for praise and advice to the listener, and for a sentence with hardly a word. */
const answered = 0.3
const speaksOfOther = 0.4
const speaksOfBoth = 0.7
export const hardlyAWord = 0.6
const origins: Readonly<Record<Origin, number>> = { person: 1, assistant: 0.7, tool: 0.35, system: 0 }

/** Names beyond this many add nothing: a list is worth no more than two of them. */
const maxNames = 2

/** A sentence with so few content terms hardly says anything. */
const fewTerms = 2

/** `isOpen`: it is a question that nobody has answered. */
type Seen = Readonly<{ terms: number; origin: Origin; isOpen: boolean }>

/** Rates the worth of a single sentence to a later reader. */
export function worthOf(text: string, { terms, origin, isOpen }: Seen): number {
  let worth = 1 + Math.min(maxNames, properNames(text)) * perName
  for (const [cue, added] of reasons) if (cue.test(text)) worth += added
  const ofSelf = firstPerson.test(text)
  const ofOther = secondPerson.test(text)
  if (ofSelf && !ofOther) worth += speaksOfSelf
  if (ofOther) worth *= ofSelf ? speaksOfBoth : speaksOfOther
  if (questionMark.test(text) && !isOpen) worth *= answered
  if (terms <= fewTerms) worth *= hardlyAWord
  return worth * origins[origin]
}

/** Tells whether a tool's sentence holds an outcome, a number or an identifier. */
export function isDecisive(text: string): boolean {
  return decision.test(text) || anyDigit.test(text) || identifier.test(text)
}

// Counts proper names by their capitals. German nouns have capitals too: where every third word has one, capitals name nothing.
function properNames(text: string): number {
  const words = text.split(/\s+/u).slice(1)
  const capitals = words.filter((word) => /^["'“„(]?\p{Lu}\p{Ll}/u.test(word)).length
  return capitals * 3 > words.length ? Math.min(1, capitals) : capitals
}
