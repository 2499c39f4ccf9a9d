import type { Cost } from '../shared/usage.ts'

/** A store with so many statements of one user. */
export interface FactStore {
  readonly file: string
  readonly statements: number
  /** Names that were merged, each with the leading name. */
  readonly merged: readonly (readonly [name: string, into: string])[]
}

export interface Filled {
  readonly bytesPerStatement: number
}

/** The tasks of a child process; each has a process of its own. */
export type Task =
  | { readonly kind: 'fill'; readonly store: FactStore }
  | { readonly kind: 'ask'; readonly store: FactStore; readonly calls: number; readonly vectors: boolean }
  | { readonly kind: 'write'; readonly store: FactStore; readonly calls: number }
  | { readonly kind: 'worst'; readonly file: string; readonly calls: number }

/** Calls of one kind, in the order in which they were made. */
export interface Timed {
  readonly what: string
  readonly costs: readonly Cost[]
  /** The mean number of facts in an answer. */
  readonly answered: number
}

export interface Asked {
  readonly timed: readonly Timed[]
  readonly openMb: number
  readonly residentMb: number
}

export interface Answers {
  readonly fill: Filled
  readonly ask: Asked
  readonly write: { readonly timed: readonly Timed[] }
  readonly worst: { readonly timed: readonly Timed[] }
}
