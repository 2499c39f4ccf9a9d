import type { WritingHere } from '../here.ts'
import type { Needles } from '../needles.ts'
import { ownerKinds, type PartitionRow } from '../partitions.ts'
import type { Program } from '../program.ts'
import { dropImports, dropSomeImportLines, importsOf, importsOfProject } from './imports.ts'

/** Pages of lines that one transaction drops: 8 MiB or so. */
const pagesAtOnce = 32

/**
 * Drops an import with its lines, in as many transactions as it takes, and empties the log through which they went: some may
 * be words that were forgotten or replaced here. Where a reader holds the log, it is emptied at a close or an erasure.
 */
export async function dropImportInTurns(here: Pick<WritingHere, 'write' | 'eraseBytes'>, id: number): Promise<void> {
  await dropLinesInTurns(here, id)
  await here.write(() => dropImports([id]))
  await here.eraseBytes([])
}

/** Drops the lines of an import, in as many transactions as it takes. */
export async function dropLinesInTurns(here: Pick<WritingHere, 'write'>, id: number): Promise<void> {
  while (await here.write(() => dropSomeImportLines(id, pagesAtOnce), pagesAtOnce));
}

/**
 * Returns the imports that an erasure takes away: those of the partition, and those of what its project shares. Their
 * lines are text that nobody has read: any of them may hold the erased words.
 */
export function* importsUnder(
  { id, project_id: project }: Pick<PartitionRow, 'id' | 'project_id'>,
  until = Number.MAX_SAFE_INTEGER,
): Program<readonly number[]> {
  const own = (yield* importsOf(id)).filter((row) => row.created_at <= until).map((row) => row.id)
  return [...new Set([...own, ...(yield* importsOfProject(project, ownerKinds.shared, until))])]
}

/** Drops those that came after others were dropped ahead. */
export function* dropImportsUnder(owner: Pick<PartitionRow, 'id' | 'project_id'>, needles: Needles): Program<void> {
  const ids = yield* importsUnder(owner)
  if (ids.length === 0) return
  needles.lose()
  yield* dropImports(ids)
}
