import type { WritingHere } from '../here.ts'
import type { Needles } from '../needles.ts'
import type { PartitionRow } from '../partitions.ts'
import { dropLinesInTurns, importsUnder } from './drop-imports.ts'
import { dropForgottenSessions, sessionsPerTurn } from './forgotten-sessions.ts'
import { dropImports } from './imports.ts'

/**
 * Drops the imports that an erasure takes away, ahead of the transaction that erases the rest, with the sessions that they
 * made and of which every message is forgotten. The file is rewritten: the words of the lines are not known.
 */
export async function dropImportsAhead(
  here: Pick<WritingHere, 'read' | 'write'>,
  owner: Pick<PartitionRow, 'id' | 'project_id'>,
  needles: Needles,
  until?: number,
): Promise<number> {
  const ids = await here.read(importsUnder(owner, until))
  for (const id of ids) {
    needles.lose()
    while ((await here.write(() => dropForgottenSessions(id), sessionsPerTurn)) === sessionsPerTurn);
    await dropLinesInTurns(here, id)
    await here.write(() => dropImports([id]))
  }
  return ids.length
}
