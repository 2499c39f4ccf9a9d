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

/** An import whose lines wait. Nothing of them is found or shown to a model. */
export interface WaitingImport {
  readonly id: string
  readonly trust: ImportTrust
  readonly from: ImportOrigin
  readonly lines: number
  readonly bytes: number
  /** Lines by kind. */
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
