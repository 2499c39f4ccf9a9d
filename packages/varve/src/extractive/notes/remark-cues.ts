import type { NotesKind } from '../../models/notes-writer.ts'
import { decision as decided, standing, timeWord } from '../cues.ts'
import type { RemarkPatterns } from '../language-pack.ts'
import { languagePacks } from '../languages.ts'

/** Tells whether a text matches the pattern of any language. */
function anyOf(kind: keyof RemarkPatterns): (text: string) => boolean {
  const patterns = languagePacks.flatMap(({ remarks }) => remarks[kind] ?? [])
  return (text) => patterns.some((pattern) => pattern.test(text))
}

const hasDecision = anyOf('decision')
const decides = anyOf('decides')
const isFailure = anyOf('failure')
const isLearning = anyOf('learning')
const isResult = anyOf('result')
const isSystem = anyOf('system')
const beginsQuestion = anyOf('question')
const intends = languagePacks.flatMap(({ remarks }) => remarks.intends ?? [])
const pleasantries = languagePacks.flatMap(({ remarks }) => remarks.pleasantry ?? [])

/** Tells whether a sentence says that something was wrong, or is not to be done again. */
export const isCorrection = anyOf('correction')
/** Tells whether a sentence names the next step. */
export const isNext = anyOf('next')
/** Tells whether a sentence reports somebody else's words. Such a sentence is neither a request nor a decision. */
export const isReported = anyOf('reported')
/** Tells whether an assistant announces its next step. */
export const isAnnouncement = anyOf('announcement')

/** Returns the section that a sentence of a person or an assistant goes into, or undefined. An assistant's plans are no decisions. */
export function kindOfRemark(text: string, isPerson: boolean): NotesKind | undefined {
  if (isPerson && isCorrection(text)) return 'errors'
  if (isPerson ? isDecision(text) : !isNext(text) && (hasDecision(text) || decides(text))) return 'decisions'
  if (isCorrection(text) || isFailure(text)) return 'errors'
  if (isLearning(text)) return 'learnings'
  if (isResult(text)) return 'results'
  return isSystem(text) ? 'system' : undefined
}

/** Tells whether a sentence tells of a decision, or of something that is to hold from now on. */
export function isDecision(text: string): boolean {
  return decided.test(text) || standing.test(text) || hasDecision(text)
}

/** The speaker, at the beginning: who decides says so of oneself. */
const bySpeaker = new RegExp(`^(?:${languagePacks.flatMap(({ cues }) => cues.firstPerson).join('|')})(?![\\p{L}\\p{N}])`, 'iu')

/** A number, or a name within the sentence. */
const numberOrName = /\p{N}|(?<=\s)(?!I(?![\p{L}]))\p{Lu}/u

/**
 * Tells whether a sentence says of its speaker that something is decided: in that word, as a deed that is done, or as a plan with a
 * time, a number or a name. `We'll never give up` decides nothing.
 */
export function isDecided(text: string): boolean {
  if (!bySpeaker.test(text)) return false
  if (decides(text) || decided.test(intends.reduce((rest, plan) => rest.replace(plan, ''), text))) return true
  return decided.test(text) && (timeWord.test(text) || numberOrName.test(text))
}

/** Tells whether a sentence asks: by its mark, or by its first word. */
export function isAsking(text: string): boolean {
  return /[?？]["'”’)]*$/u.test(text) || beginsQuestion(text)
}

/** Returns a sentence without the thanks and greetings before it. */
export function withoutPleasantry(sentence: string): string {
  return pleasantries.reduce((text, pattern) => text.replace(pattern, ''), sentence)
}
