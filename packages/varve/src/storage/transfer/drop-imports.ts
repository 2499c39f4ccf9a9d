import type { WritingHere } from '../here.ts'
import type { Needles } from '../needles.ts'
import { ownerKinds, type PartitionRow } from '../partitions.ts'
import { abreast, type Program } from '../program.ts'
import { dropImports, dropSomeImportLines, importsOf, importsOfProject, type ImportKey } from './imports.ts'

/** Pages of lines that one transaction drops: 8 MiB or so. */
const pagesAtOnce = 32

/**
 * Drops an import with its lines, in as many transactions as it takes, and empties the log through which they went: some may
 * be words that were forgotten or replaced here. Where a reader holds the log, it is emptied at a close or an erasure.
 */
export async function dropImportInTurns(here: Pick<WritingHere, 'write' | 'eraseBytes'>, key: ImportKey): Promise<void> {
  await dropLinesInTurns(here, key)
  await here.write(() => dropImports([key]))
  await here.eraseBytes([])
}

/** Drops the lines of an import, in as many transactions as it takes. */
export async function dropLinesInTurns(here: Pick<WritingHere, 'write'>, key: ImportKey): Promise<void> {
  while (await here.write(() => dropSomeImportLines(key, pagesAtOnce), pagesAtOnce));
}

/**
 * Returns the imports that an erasure takes away: those of the partition, and those of what its project shares. Their
 * lines are text that nobody has read: any of them may hold the erased words.
 */
export function* importsUnder(
  { id, project_id: project }: Pick<PartitionRow, 'id' | 'project_id'>,
  near: string,
  until = Number.MAX_SAFE_INTEGER,
): Program<readonly ImportKey[]> {
  const [own, shared] = yield* abreast([importsOf(id), importsOfProject(near, project, ownerKinds.shared, until)])
  const before = own.filter((row) => row.created_at <= until)
  return [...before.map((row) => ({ id: row.id, partition_id: id })), ...shared.filter((one) => one.partition_id !== id)]
}

/** Drops those that came after others were dropped ahead. */
export function* dropImportsUnder(owner: Pick<PartitionRow, 'id' | 'project_id'>, near: string, needles: Needles): Program<void> {
  yield* dropAllImports(yield* importsUnder(owner, near), needles)
}

export function* dropAllImports(ids: readonly ImportKey[], needles: Needles): Program<void> {
  if (ids.length === 0) return
  needles.lose()
  yield* dropImports(ids)
}
