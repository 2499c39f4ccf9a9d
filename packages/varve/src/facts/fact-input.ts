import type { Time } from './request.ts'

/** A fact to be added by hand. */
export interface FactInput {
  /** A name, or `I`, `me`, `user` for the user. Default: the user. */
  readonly subject?: string
  /** What is said of it: `lives in`, `likes`. Most have several objects; docs/reference/facts.md lists those that have one at a time. */
  readonly predicate: string
  readonly object: string
  /** When it became true. Default: now. */
  readonly validFrom?: Time
  /** Until when it holds. Default: until further notice. */
  readonly validUntil?: Time
  /** From 0 to 1. Default 1. */
  readonly confidence?: number
  /** Of a predicate that is not known: whether there is one object at a time. Default false. */
  readonly single?: boolean
  /** Ids of the facts without which it does not hold. */
  readonly dependsOn?: readonly string[]
  /** Messages that say so: words of each as they stand there, or characters [from, to); absent: all of it. */
  readonly sources?: readonly { readonly message: string; readonly text?: string; readonly from?: number; readonly to?: number }[]
}

/** What a correction changes. */
export type FactChanges = Pick<Partial<FactInput>, 'object' | 'validFrom' | 'validUntil' | 'confidence'>
