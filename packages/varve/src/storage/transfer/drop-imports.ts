import type { WritingHere } from '../here.ts'
import type { Needles } from '../needles.ts'
import { ownerKinds, type PartitionRow } from '../partitions.ts'
import type { Program } from '../program.ts'
import { dropImports, dropSomeImportLines, importsOf, importsOfProject } from './imports.ts'

/** Pages of lines that one transaction drops: 8 MiB or so. */
const pagesAtOnce = 32

/** Drops an import with its lines, in as many transactions as it takes. */
export async function dropImportInTurns(here: Pick<WritingHere, 'write'>, id: number): Promise<void> {
  await dropLinesInTurns(here, id)
  await here.write(() => dropImports([id]))
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

/** Drops them ahead of the transaction that erases the rest. The file is rewritten: the words of the lines are not known. */
export async function dropImportsAhead(
  here: Pick<WritingHere, 'read' | 'write'>,
  owner: Pick<PartitionRow, 'id' | 'project_id'>,
  needles: Needles,
  until?: number,
): Promise<number> {
  const ids = await here.read(importsUnder(owner, until))
  for (const id of ids) {
    needles.lose()
    await dropImportInTurns(here, id)
  }
  return ids.length
}

/** Drops those that came meanwhile. */
export function* dropImportsUnder(owner: Pick<PartitionRow, 'id' | 'project_id'>, needles: Needles): Program<void> {
  const ids = yield* importsUnder(owner)
  if (ids.length === 0) return
  needles.lose()
  yield* dropImports(ids)
}
