import { decision, firstPerson, identifier, number, pointsBack, question, secondPerson, standing, time } from './cues.ts'
import type { SourceMessage } from '../models/writer.ts'

type Origin = SourceMessage['origin']

/** What makes a sentence worth keeping; each is added once. Chosen on one half of a public set of talks (bench/coverage.ts). */
const reasons: readonly (readonly [cue: RegExp, worth: number])[] = [
  [decision, 0.5],
  [standing, 0.5],
  [time, 0.6],
  [number, 0.4],
  [identifier, 0.3],
]
const perName = 0.4
const speaksOfSelf = 0.4

/** What a sentence is multiplied by: a question that was answered, praise and advice for the other, a sentence of hardly a word. */
const answered = 0.3
const speaksOfOther = 0.4
const speaksOfBoth = 0.7
const hardlyAWord = 0.6
const origins: Readonly<Record<Origin, number>> = { person: 1, assistant: 0.7, tool: 0.35, system: 0 }

/** Names beyond this many add nothing: a list is no better than two of them. */
const maxNames = 2

/** Fewer content terms than this hardly say anything. */
const fewTerms = 2

/** How much a sentence by itself is worth to somebody who reads of the talk later. `isOpen`: nobody has answered it. */
export function worthOf(
  text: string,
  { terms, origin, isOpen }: { readonly terms: number; readonly origin: Origin; readonly isOpen: boolean },
): number {
  let worth = 1 + Math.min(maxNames, properNames(text)) * perName
  for (const [cue, added] of reasons) if (cue.test(text)) worth += added
  const ofSelf = firstPerson.test(text)
  const ofOther = secondPerson.test(text)
  if (ofSelf && !ofOther) worth += speaksOfSelf
  if (ofOther) worth *= ofSelf ? speaksOfBoth : speaksOfOther
  if (question.test(text) && !isOpen) worth *= answered
  if (terms <= fewTerms) worth *= hardlyAWord
  return worth * origins[origin]
}

/** Whether a tool's sentence is a fact to keep: an outcome, a number, an identifier. */
export function isDecisive(text: string): boolean {
  return decision.test(text) || number.test(text) || identifier.test(text)
}

/** Whether a sentence hangs in the air without the one before. */
export function isDangling(text: string): boolean {
  return pointsBack.test(text)
}

// Where nouns have capitals (German), every other word has one: then capitals name nothing.
function properNames(text: string): number {
  const words = text.split(/\s+/u).slice(1)
  const capitals = words.filter((word) => /^["'“„(]?\p{Lu}\p{Ll}/u.test(word)).length
  return capitals * 3 > words.length ? Math.min(1, capitals) : capitals
}
