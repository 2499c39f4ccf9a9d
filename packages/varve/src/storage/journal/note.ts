import type { PartitionId } from '../../scope/partition.ts'
import type { JournalTable } from '../door-tables.ts'
import { findPartition, isOfProject, partitionById, projectNumber } from '../partitions.ts'
import { change, type Program, run, runList, type SingleStep } from '../program.ts'
import { statement } from '../statement.ts'
import { type JournalKind, numberOfKind } from './kinds.ts'

const insert = statement<Omit<JournalTable, 'id'>>()((db, p) =>
  db
    .insertInto('journal')
    .values({
      project_id: p('project_id'),
      partition_id: p('partition_id'),
      session_id: p('session_id'),
      kind: p('kind'),
      first_ord: p('first_ord'),
      last_ord: p('last_ord'),
      ref: p('ref'),
      count: p('count'),
      at: p('at'),
    }),
)

/** The reference of a change that is about nothing with an id. */
const nothing = new Uint8Array(0)

/** Something that happened in a project. */
export interface Happened {
  readonly kind: JournalKind
  readonly at: number
  readonly project: number
  /** The partition of the messages; left out for the project as a whole. */
  readonly partition?: number
  readonly session?: number
  /** The ordinals of its messages, which were stored one after the other. */
  readonly ords?: readonly [first: number, last: number]
  /** The id of a message or a receipt. */
  readonly ref?: Uint8Array
  readonly count?: number
}

/** Returns the step that tells of a change: for the transaction that makes it. */
export function noteStep({ kind, at, project, partition = 0, session = 0, ords = [0, 0], ref = nothing, count = 1 }: Happened): SingleStep {
  const [first, last] = ords
  const place = { project_id: project, partition_id: partition, session_id: session }
  return change(insert, { ...place, kind: numberOfKind(kind), first_ord: first, last_ord: last, ref, count, at })
}

/** Tells of a change, within the transaction that makes it. */
export function* noteChange(happened: Happened): Program<void> {
  yield noteStep(happened)
}

/** Tells of a change in a partition that is named; in a project as a whole where it is the project's own, or is gone. */
export function* noteIn(of: PartitionId, happened: Omit<Happened, 'project' | 'partition'>): Program<void> {
  yield* runList(yield* noteStepsIn(of, happened))
}

/** Returns the steps that do so; none in an unknown project. */
export function* noteStepsIn(of: PartitionId, happened: Omit<Happened, 'project' | 'partition'>): Program<readonly SingleStep[]> {
  const owner = yield* findPartition(of)
  const project = owner?.project_id ?? (yield* projectNumber(of.project))
  if (project === undefined) return []
  const isOwn = owner !== undefined && of.owner.kind !== 'shared'
  return [noteStep({ ...happened, project, ...(isOwn ? { partition: owner.id } : {}) })]
}

/** Tells of a change in a partition that is known by its number. */
export function* noteInPartition(number: number, happened: Omit<Happened, 'project' | 'partition'>): Program<void> {
  const owner = yield* partitionById(number)
  if (owner === undefined) return
  const isShared = yield* isOfProject(owner)
  yield* noteChange({ ...happened, project: owner.project_id, ...(isShared ? {} : { partition: number }) })
}

/** Keeps a row that tells nobody anything. */
export function keepSilentRow(row: { readonly kind: number; readonly at: number }): Program<void> {
  return run(insert, { project_id: 0, partition_id: 0, session_id: 0, first_ord: 0, last_ord: 0, ref: nothing, count: 0, ...row })
}
