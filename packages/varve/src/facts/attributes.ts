import type { PartitionId } from '../scope/partition.ts'
import { rowsBefore } from '../storage/known/assertion-rows.ts'
import { anyPredicate, durations, says } from '../storage/known/assertions.ts'
import type { Program } from '../storage/program.ts'
import { valuingOf } from './settings.ts'
import { type Standings, standingsOf } from './standing.ts'

/** Statements that are looked at for their predicates: the newest. */
const mostLooked = 200
const mostFound = 80

/**
 * Gives the predicates of states that hold now, by the number of their known partition; the last said first.
 * `partition` names the user, and `settings` are the project's.
 */
export function* attributesOf(
  known: number,
  partition: PartitionId,
  settings: Readonly<Record<string, unknown>>,
  now: number,
): Program<readonly string[]> {
  const standings: Standings = yield* standingsOf(partition, known, { validAt: now, asOf: Number.POSITIVE_INFINITY }, valuingOf(settings))
  const rows = (yield* rowsBefore(known, {}, Number.MAX_SAFE_INTEGER, mostLooked)).filter(
    (row) => row.says === says.is && row.passing !== durations.once && row.predicate_key !== anyPredicate,
  )
  yield* standings.readAhead(rows)
  const found = new Map<string, string>()
  for (const row of rows) {
    if (found.size >= mostFound || found.has(row.predicate_key)) continue
    if ((yield* standings.ofRow(row)).some((one) => standings.isValid(one) && one.isUnverified !== true))
      found.set(row.predicate_key, row.predicate)
  }
  return [...found.values()]
}
