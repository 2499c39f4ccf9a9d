import { NotFound } from '../../errors/not-found.ts'
import type { SessionName } from '../../scope/partition.ts'

/**
 * The selection of a forget: exactly one of `all` or any of the others. `before` is strict, in UTC milliseconds, and
 * compares the time of saying.
 */
export interface ForgetSelection {
  readonly session?: SessionName
  readonly before?: number
  readonly messages?: readonly string[]
  readonly all?: true
  /** Only messages that were recorded at this time or earlier. A receipt that is replayed leaves what came since. */
  readonly recordedBy?: number
}

/** Checks a selection against an empty partition. A named session or message is not found, as in any other partition. */
export function nothingHere({ session, messages }: ForgetSelection): Readonly<Record<string, number>> {
  if (session !== undefined) throw new NotFound({ kind: 'session', id: session })
  const [id] = messages ?? []
  if (id !== undefined) throw new NotFound({ kind: 'message', id })
  return { message: 0 }
}

/** Tells whether a whole session goes, with its name and everything in it. */
export function isWholeSession(selection: ForgetSelection): boolean {
  return (
    selection.session !== undefined &&
    selection.recordedBy === undefined &&
    selection.before === undefined &&
    selection.messages === undefined
  )
}

/** Gives the time before which statements added by hand are meant: they go by the time of adding. Undefined for all. */
export function addedUntil({
  before,
  recordedBy,
}: {
  readonly before?: number | undefined
  readonly recordedBy?: number | undefined
}): number | undefined {
  if (recordedBy === undefined) return before
  return Math.min(before ?? Number.MAX_SAFE_INTEGER, recordedBy + 1)
}
