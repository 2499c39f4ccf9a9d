import { languagePacks } from '../languages.ts'
import type { InstructionEndings } from './instruction-endings.ts'

/** Longer texts are compared by their beginnings. */
const maxLength = 300

/** An instruction, taken apart. */
interface Taken {
  readonly text: string
  readonly isNegative: boolean
  /** The words of the cases to which it is limited, and its other words, without fillers. */
  readonly scope: ReadonlySet<string>
  readonly words: ReadonlySet<string>
}

/**
 * Tells whether a later instruction or withdrawal ends an earlier instruction. It does when it gives the same thing another
 * value, asks for the contrary, or takes it back. In doubt both stand.
 *
 * @example endsInstruction('answer in English', 'answer in German') // true
 */
export function endsInstruction(later: string, earlier: string): boolean {
  const [after, before] = [plain(later), plain(earlier)]
  return after !== before && languagePacks.some(({ endings }) => endings !== undefined && endsIn(after, before, endings))
}

function plain(text: string): string {
  return text.slice(0, maxLength).replaceAll('’', "'").replace(/\s+/gu, ' ').trim()
}

/** What follows the first clause. A reason, or another wish, hides nothing of what was taken back before it. */
const laterClauses = /[,;:–—] .*$/u

function endsIn(later: string, earlier: string, endings: InstructionEndings): boolean {
  const clause = later.replace(laterClauses, '')
  return (clause !== later && endings.relieves.test(clause) && isEnded(clause, earlier, endings)) || isEnded(later, earlier, endings)
}

function isEnded(later: string, earlier: string, endings: InstructionEndings): boolean {
  const before = takenApart(earlier, endings)
  const subject = endings.forgets.exec(later)?.groups?.['subject']
  if (subject !== undefined) return isPart(wordsOf(subject, endings), before.words)
  const after = takenApart(later, endings)
  if (after.scope.size > 0 && !isSame(after.scope, before.scope)) return false
  if (endings.relieves.test(later) && after.isNegative !== before.isNegative && isPart(after.words, before.words)) return true
  if (isSame(after.words, before.words) && isRestated(later, earlier, endings)) return true
  return isOpposed(after, before) || (isSame(after.scope, before.scope) && isReplaced(after, before, endings))
}

function takenApart(text: string, endings: InstructionEndings): Taken {
  const scopes = [...text.matchAll(endings.scope)].map(([scope]) => scope).join(' ')
  const rest = text.replaceAll(endings.scope, ' ')
  return { text: rest, isNegative: endings.isNegative.test(rest), scope: wordsOf(scopes, endings), words: wordsOf(rest, endings) }
}

function wordsOf(text: string, { fillers, stem }: InstructionEndings): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? []
  return new Set(words.filter((word) => !fillers.has(word)).map(stem))
}

/** Tells whether two texts differ in words alone that change nothing: `always show the prices`, `show prices again`. */
function isRestated(later: string, earlier: string, { idle }: InstructionEndings): boolean {
  const busy = (text: string): string => text.toLowerCase().replaceAll(idle, ' ')
  const [words = '', others] = [later, earlier].map((text) =>
    busy(text)
      .replaceAll(/[^\p{L}\p{N}']+/gu, ' ')
      .trim(),
  )
  return words !== '' && words === others
}

/** Tells whether one asks for the thing that the other asks to leave out. An exception to a general ban leaves the ban. */
function isOpposed(after: Taken, before: Taken): boolean {
  return after.isNegative !== before.isNegative && isSame(after.words, before.words) && (after.isNegative || before.scope.size === 0)
}

/** Tells whether the later instruction gives a thing of one value another value. */
function isReplaced(after: Taken, before: Taken, endings: InstructionEndings): boolean {
  return (
    endings.values.some((pattern) => isAnother(valueOf(after.text, pattern), valueOf(before.text, pattern), after, before)) ||
    endings.choices.some((choices) => isAnother(choiceOf(after.text, choices), choiceOf(before.text, choices), after, before)) ||
    isReformed(after, before, endings) ||
    isContrary(after, before, endings) ||
    isTurned(after.text, before.text, endings)
  )
}

/** Tells whether two values exclude each other: two that are asked for, or the same one that is asked for and refused. */
function isAnother(after: string | undefined, before: string | undefined, later: Taken, earlier: Taken): boolean {
  if (after === undefined || before === undefined) return false
  if (later.isNegative && earlier.isNegative) return false
  return later.isNegative === earlier.isNegative ? after !== before : after === before
}

function valueOf(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text)?.groups?.['value']?.toLowerCase()
}

/** Returns the known value that stands first in a text. */
function choiceOf(text: string, choices: readonly RegExp[]): string | undefined {
  const places = choices.map((choice) => text.search(choice)).map((place, at) => ({ place, at }))
  const [first, second] = places.filter(({ place }) => place >= 0).toSorted((a, b) => a.place - b.place)
  return first === undefined || first.place === second?.place ? undefined : String(first.at)
}

/** Tells whether the later instruction gives the same thing another form: `prices in dollars` after `prices in euros`. */
function isReformed(after: Taken, before: Taken, endings: InstructionEndings): boolean {
  const [now, then] = [endings.form.exec(after.text)?.groups, endings.form.exec(before.text)?.groups]
  const [thing, other] = [now, then].map((groups) => wordsOf(groups?.['thing'] ?? '', endings))
  if (thing === undefined || other === undefined || thing.size === 0 || !isSame(thing, other)) return false
  return isAnother(now?.['value']?.toLowerCase(), then?.['value']?.toLowerCase(), after, before)
}

function isContrary(after: Taken, before: Taken, { contraries }: InstructionEndings): boolean {
  if (after.isNegative !== before.isNegative) return false
  return contraries.some(([one, other]) => {
    const isReverse = (has(after.words, one) && has(before.words, other)) || (has(after.words, other) && has(before.words, one))
    const both = one.union(other)
    if (!isReverse || (has(after.words, one) && has(after.words, other))) return false
    return isSame(after.words.difference(both), before.words.difference(both))
  })
}

/** Tells whether the later preference turns the earlier one round. */
function isTurned(after: string, before: string, { preference, ...endings }: InstructionEndings): boolean {
  const [now, then] = [preference.exec(after)?.groups, preference.exec(before)?.groups]
  if (now === undefined || then === undefined) return false
  const words = (text: string | undefined): ReadonlySet<string> => wordsOf(text ?? '', { preference, ...endings })
  return isSame(words(now['first']), words(then['second'])) && isSame(words(now['second']), words(then['first']))
}

function has(words: ReadonlySet<string>, some: ReadonlySet<string>): boolean {
  return !words.isDisjointFrom(some)
}

/** Tells whether some words are all among others. No words are no part of anything. */
function isPart(words: ReadonlySet<string>, of: ReadonlySet<string>): boolean {
  return words.size > 0 && words.isSubsetOf(of)
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && a.isSubsetOf(b)
}
