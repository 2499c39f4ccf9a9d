import type { JournalTable } from '../door-tables.ts'
import { type NewReceipt, receiptIdOf } from '../erase/erases.ts'
import { all, type Program, run, runList, type SingleStep } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidBytes, uuidText } from '../uuid-bytes.ts'
import { numberOfKind, silentKinds } from './kinds.ts'
import { keepSilentRow, noteStep, noteStepsIn } from './note.ts'

const forgotten = numberOfKind('forgotten')

const withReceipts = statement<{ kind: number }>()((db, p) =>
  db.selectFrom('journal').select(['project_id', 'partition_id', 'ref']).distinct().where('kind', '=', p('kind')),
)

const dropOfSession = statement<Pick<JournalTable, 'partition_id' | 'session_id'>>()((db, p) =>
  db.deleteFrom('journal').where('partition_id', '=', p('partition_id')).where('session_id', '=', p('session_id')),
)

const dropOfPartition = statement<{ partition: number }>()((db, p) => db.deleteFrom('journal').where('partition_id', '=', p('partition')))

const dropOfProject = statement<{ project: number }>()((db, p) => db.deleteFrom('journal').where('project_id', '=', p('project')))

/** Returns the steps that tell of an erasure. That of a whole project is told to nobody: it has no reader any more. */
export function* erasureSteps(receipt: NewReceipt, at: number): Program<readonly SingleStep[]> {
  if (typeof receipt === 'string' || !('of' in receipt.erases)) return []
  const ref = uuidBytes(receiptIdOf(receipt))
  return ref === undefined ? [] : yield* noteStepsIn(receipt.erases.of, { kind: 'forgotten', ref, at })
}

/** Tells that the words of some erasures are gone from the files, where these were told. It looks through the whole journal. */
export function* noteErased(receipts: readonly Uint8Array[], at: number): Program<void> {
  if (receipts.length === 0) return
  const done = new Set(receipts.map(uuidText))
  const rows = (yield* all(withReceipts, { kind: forgotten })).filter(({ ref }) => done.has(uuidText(ref)))
  yield* runList(
    rows.map(({ project_id: project, partition_id: partition, ref }) => noteStep({ kind: 'erased', project, partition, ref, at })),
  )
}

export function dropChangesOfSession(partition: number, session: number): Program<void> {
  return run(dropOfSession, { partition_id: partition, session_id: session })
}

export function dropChangesOfPartition(partition: number): Program<void> {
  return run(dropOfPartition, { partition })
}

/** Drops what was told of a project. A silent row stays behind: a place beyond the newest row would count as one of another store. */
export function* dropChangesOfProject(project: number, at: number): Program<void> {
  yield* run(dropOfProject, { project })
  yield* keepSilentRow({ kind: silentKinds.deleted, at })
}
