import type { ImportCounts } from './import-counts.ts'

/**
 * Whose word the lines of an import are: this store's (`store`), a key's that the caller trusts (`key`), somebody's
 * (`none`), or nobody's, since they were changed (`changed`).
 */
export type ImportTrust = 'store' | 'key' | 'none' | 'changed'

/** Where an import comes from, by its own account. */
export interface ImportOrigin {
  /** The id of the store that made it. */
  readonly store: string
  readonly project: string
  /** Absent for the anonymous user, and for what a project shares. */
  readonly user?: string
  /** True for what the members of a project share. */
  readonly shared?: true
  /** UTC milliseconds. */
  readonly exportedAt: number
}

/** An import that is not done. Nothing of its lines is found or shown to a model before they are applied. */
export interface WaitingImport {
  readonly id: string
  /**
   * `waiting`: to be accepted or discarded. `coming`: its lines are being read. `applying`: they are being applied.
   * `discarding`: it is being thrown away. One that was stopped stays in its state: the next import of the same lines, or
   * `accept` where it was applied, goes on with it, and `discard` throws it away.
   */
  readonly state: 'coming' | 'waiting' | 'applying' | 'discarding'
  readonly trust: ImportTrust
  readonly from: ImportOrigin
  readonly lines: number
  readonly bytes: number
  /** The lines that were applied before it stopped, or so far. */
  readonly applied: number
  /** Lines by kind, until they are applied. */
  readonly counts: Readonly<Record<string, number>>
  readonly createdAt: number
}

/** A text of an import that waits: somebody's words, to be looked at. */
export interface ImportedText {
  readonly kind: string
  /** The first 500 characters. */
  readonly text: string
}

/** What became of an import. */
export interface Imported extends ImportCounts {
  /** The id by which it is accepted or discarded while it waits. */
  readonly id: string
  readonly state: 'applied' | 'waiting'
  readonly trust: ImportTrust
  readonly from: ImportOrigin
  readonly lines: number
}
