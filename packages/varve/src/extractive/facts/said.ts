import type { StatedFact } from '../../models/writer.ts'

/** A fact as a pattern reads it from a clause. The reader of the clause adds its place and its times. */
export type Said = Pick<StatedFact, 'says' | 'predicate' | 'object' | 'tense' | 'confidence'> &
  Partial<Pick<StatedFact, 'subject' | 'single' | 'instead' | 'also' | 'passing'>>

/** The facts about the read clause that a pattern gets. */
export interface Setting {
  /** The subject. `we` is a household or a team of the speaker's; `other` is another person. */
  readonly who: 'I' | 'we' | 'other'
  /** True when the clause names a time for which one can plan. */
  readonly isAhead: boolean
  /** True when the clause gives a start or a duration. */
  readonly lasts: boolean
  /** True when the talk is about software. */
  readonly isTechnical: boolean
  readonly until: boolean
}

/** Reads a verb and the words after it, in the form after `I`: `live in Oslo`, `am allergic to nuts`. Empty where it finds no fact. */
export type Reader = (phrase: string, setting: Setting) => Said[]

/** The predicate of an end that names none: it is about every fact that holds all words of its object. */
export const everyPredicate = '*'

type Beside = Pick<StatedFact, 'when' | 'until' | 'instead' | 'also'>

/** Returns those of the fields that are there. */
export function present({ when, until, instead, also }: { [Name in keyof Beside]?: Beside[Name] | undefined }): Beside {
  const times = { ...(when === undefined ? {} : { when }), ...(until === undefined ? {} : { until }) }
  return { ...times, ...(instead === undefined ? {} : { instead }), ...(also === undefined ? {} : { also }) }
}

/** The confidence of a fact that is read for sure, of one that is less sure, and of one that counts only beside another. */
export const sure = 0.8
export const weak = 0.6
export const loose = 0.3

export function is(predicate: string, object: string | undefined, more: Partial<Said> = {}): Said[] {
  return object === undefined || object === '' ? [] : [{ says: 'is', predicate, object, tense: 'present', confidence: sure, ...more }]
}

/** Ends a fact. With '' as its object it ends every fact of the predicate. */
export function ends(predicate: string, object: string | undefined, tense: Said['tense'] = 'past'): Said[] {
  return object === undefined ? [] : [{ says: 'ends', predicate, object, tense, confidence: sure }]
}
