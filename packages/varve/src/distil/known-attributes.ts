import type { PlacedSession } from '../storage/derived/parts.ts'
import { attributesOf } from '../facts/attributes.ts'
import { partitionId, projectName } from '../scope/partition.ts'
import { wantedOfSession } from '../storage/derived/reading.ts'
import { sessionRowById } from '../storage/log/sessions.ts'
import { findKnownOf, projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'

/** Gives the attributes of states that hold now, of a session's own owner alone. */
export function* knownAttributes({ partition: home, session }: PlacedSession, now: number): Program<readonly string[]> {
  const row = yield* sessionRowById(home, session)
  const known = row === undefined ? undefined : yield* findKnownOf(row.partition_id)
  if (known === undefined || known.messages === 0) return []
  const standing = yield* wantedOfSession(home, session, 0)
  if (standing === undefined) return []
  const { name, owner } = standing
  // The statements are found by the partition's number. The name serves for "I" alone.
  const partition = partitionId(projectName(name), owner === '' ? { kind: 'anonymous' } : { kind: 'user', name: owner })
  return yield* attributesOf(known.id, partition, yield* projectSettings(partition.project), now)
}
