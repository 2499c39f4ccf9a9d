import type { StatedFact } from '../../models/writer.ts'

/** What a pattern takes from a clause; where it stands and when it holds is added by whoever reads the clause. */
export type Said = Pick<StatedFact, 'says' | 'predicate' | 'object' | 'tense' | 'confidence'> &
  Partial<Pick<StatedFact, 'subject' | 'single' | 'instead' | 'also'>>

/** What is known of the clause that a pattern looks at. */
export interface Setting {
  /** `we` says of the speaker what a household or a team does; of others less is known. */
  readonly who: 'I' | 'we' | 'other'
  /** Whether a time was said with it for which one can plan. */
  readonly isAhead: boolean
  /** Whether it is said since when, or for how long, it has been so. */
  readonly lasts: boolean
  /** Whether the talk is about software. */
  readonly isTechnical: boolean
  readonly until: boolean
}

/** Reads a verb and what follows it, in the form after `I`: `live in Oslo`, `am allergic to nuts`. Empty: it says nothing of the kind. */
export type Reader = (phrase: string, setting: Setting) => Said[]

/** Sure enough, and less so. */
export const sure = 0.8
export const weak = 0.6

export function is(predicate: string, object: string | undefined, more: Partial<Said> = {}): Said[] {
  return object === undefined || object === '' ? [] : [{ says: 'is', predicate, object, tense: 'present', confidence: sure, ...more }]
}
