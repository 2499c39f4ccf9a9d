import { NotFound } from '../../errors/not-found.ts'
import type { SessionName } from '../../scope/partition.ts'

/** What to forget. Exactly one of `all` or any of the others; `before` is strict and goes by when it was said. */
export interface ForgetSelection {
  readonly session?: SessionName
  readonly before?: number
  readonly messages?: readonly string[]
  readonly all?: true
}

/** In a partition that holds nothing, what is named is not found, as it would be in one that holds something. */
export function nothingHere({ session, messages }: ForgetSelection): Readonly<Record<string, number>> {
  if (session !== undefined) throw new NotFound({ kind: 'session', id: session })
  const [id] = messages ?? []
  if (id !== undefined) throw new NotFound({ kind: 'message', id })
  return { message: 0 }
}

/** Whether all of a session goes, with its name and all that is of it. */
export function isWholeSession(selection: ForgetSelection): boolean {
  return selection.session !== undefined && selection.before === undefined && selection.messages === undefined
}
