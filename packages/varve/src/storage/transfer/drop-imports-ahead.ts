import { nearTo } from '../partitions.ts'
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
  const imports = await here.read(importsUnder(owner, await here.read(nearTo(owner.id)), until))
  for (const key of imports) {
    needles.lose()
    while ((await here.write(() => dropForgottenSessions(key), sessionsPerTurn)) === sessionsPerTurn);
    await dropLinesInTurns(here, key)
    await here.write(() => dropImports([key]))
  }
  return imports.length
}
