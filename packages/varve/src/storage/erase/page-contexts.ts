import { type ContextKey, type ContextsOf, type ContextsSeen, contextsThatShowed, takeFromContexts } from '../log/contexts.ts'
import type { PageTable } from '../page-tables.ts'
import { isOfProject, partitionById } from '../partitions.ts'
import { abreast, type Program } from '../program.ts'
import { uuidText } from '../uuid-bytes.ts'

/** Takes erased pages out of the contexts that showed them. */
export function* dropContextsOf(pages: readonly PageTable[], seen: ContextsSeen): Program<void> {
  const gone = new Set(pages.map(({ uuid }) => uuidText(uuid)))
  const shown = [...Map.groupBy(pages, (page) => page.partition_id)].map(([partition, some]) =>
    contextsThatShowedPages(partition, new Set(some.map(({ uuid }) => uuidText(uuid))), seen),
  )
  const keys = new Map((yield* abreast(shown)).flat().map((key) => [key.id, key]))
  yield* takeFromContexts([...keys.values()], gone)
}

function* contextsThatShowedPages(partition: number, ids: ReadonlySet<string>, seen: ContextsSeen): Program<readonly ContextKey[]> {
  const where = yield* readersOf(partition)
  return where === undefined ? [] : yield* contextsThatShowed(where, ids, seen)
}

/** Returns the readers of hand-written pages in a partition: every member of a project that shares it. */
export function* readersOf(partition: number): Program<ContextsOf | undefined> {
  const owner = yield* partitionById(partition)
  if (owner === undefined) return undefined
  return (yield* isOfProject(owner)) ? { project: owner.project_id } : { partition }
}
