import { hash } from 'node:crypto'
import { StaleRevision } from '../errors/stale-revision.ts'
import type { Program } from './program.ts'

/** Something that an edit by hand may replace. */
export interface Versioned {
  /** Names the state that an edit would replace. Another state has another one. For `expectedVersion`. */
  readonly version: string
}

/** The version of a thing that is not there. A version is longer. */
export const versionOfNothing = 'none'

/** Characters of a version: 96 bits. */
const versionLength = 16

/** Makes the version of a state: equal states have equal ones. A state is told by numbers that rise, or by its own values. */
export function stateVersion(state: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(state), 'base64url').slice(0, versionLength)
}

/** Refuses an edit that was made on another revision or version than the standing one. Undefined: on any. */
export function checkStands<Mark extends number | string>(page: string, expected: Mark | undefined, standing: Mark): void {
  if (expected !== undefined && expected !== standing) throw new StaleRevision({ page, expected, standing })
}

/** A thing to change, by its id, and the version that the change was made on; undefined for any. Of a message it is the words. */
export interface EditedById {
  readonly id: string
  readonly expected?: string | undefined
}

/** A version that an edit was made on, if it names one, and the thing in words. */
export interface OnVersion {
  readonly page: string
  readonly expected: string | undefined
}

/** Does a change if the expected version stands: both are in one transaction. */
export function* onVersion<Result>({ page, expected }: OnVersion, standing: Program<string>, change: Program<Result>): Program<Result> {
  if (expected !== undefined) checkStands(page, expected, yield* standing)
  return yield* change
}
