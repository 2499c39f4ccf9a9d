import type { StatedFact } from '../../models/writer.ts'

/** The part of a fact that a labelled sentence tells. */
export type Label = Pick<StatedFact, 'says' | 'predicate' | 'object' | 'subject'> & Partial<Pick<StatedFact, 'when' | 'until' | 'instead'>>
export type More = Partial<Pick<Label, 'subject' | 'when' | 'until' | 'instead'>>

/** A message of a person: the kind that it is an example of, its text, and the facts that it states. A trap states none. */
export type Case = readonly [kind: string, text: string, ...expected: Label[]]

/** Messages of one talk, and the facts that the last one states. An assistant's messages begin with `A: `. */
export type Talk = readonly [messages: readonly string[], ...expected: Label[]]

export function is(predicate: string, object: string, more: More = {}): Label {
  return { says: 'is', subject: '', predicate, object, ...more }
}

export function ends(predicate: string, object = '', more: More = {}): Label {
  return { says: 'ends', subject: '', predicate, object, ...more }
}

export function wrong(predicate: string, object: string, more: More = {}): Label {
  return { says: 'wrong', subject: '', predicate, object, ...more }
}
