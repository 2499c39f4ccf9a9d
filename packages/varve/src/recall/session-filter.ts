import type { Program } from '../storage/program.ts'
import { findSessionRow } from '../storage/log/sessions.ts'

/** Finds the number of the session that a filter names. Undefined without a filter; null for a session that is not there. */
export function* sessionFilter(partition: number, session: string | undefined): Program<number | undefined | null> {
  if (session === undefined) return undefined
  const row = yield* findSessionRow(partition, session)
  return row?.id ?? null
}
