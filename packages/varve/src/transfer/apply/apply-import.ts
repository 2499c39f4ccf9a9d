import { indexBlock } from '../../blocks/index-block.ts'
import { indexPagesInTurns } from '../../pages/index-page.ts'
import type { PartitionId } from '../../scope/partition.ts'
import type { WritingHere } from '../../storage/here.ts'
import type { Program } from '../../storage/program.ts'
import { allNoted, importLinesWith, type ImportRow, importStates, placeKinds, saveImport } from '../../storage/transfer/imports.ts'
import { blocksWithoutItem } from '../../storage/transfer/write-rows.ts'
import { uuidText } from '../../storage/uuid-bytes.ts'
import { dropWork, heldWork, workKinds } from '../../storage/work.ts'
import { type ImportCounts, noCounts } from '../import-counts.ts'
import { dropInTurns, importOf, recordOfLine } from '../staging.ts'
import { importHolder } from './apply-log.ts'
import { applyRecords } from './apply-records.ts'
import { sessionModes } from './applying.ts'
import { preparedRecords } from './prepared.ts'

/** How far an import has come. */
export interface AppliedSoFar {
  readonly counts: ImportCounts
  readonly isDone: boolean
}

/** The most lines that one transaction applies: some 20 ms of a processor. */
const linesPerTurn = 100

/** Begins to apply an import that waits; one that was begun goes on. */
export function* beginApplying(partition: PartitionId, id: string): Program<void> {
  const row = yield* importOf(partition, id)
  if (row.state === importStates.applying) return
  yield* saveImport({ ...row, state: importStates.applying, applied: 0, counts: JSON.stringify(noCounts()) })
}

/** Applies the next lines of an import. After the last, its lines are dropped. */
export async function applyNext(here: WritingHere, partition: PartitionId, id: string, restores: boolean): Promise<AppliedSoFar> {
  const row = await here.read(importOf(partition, id))
  const counts: ImportCounts = JSON.parse(row.counts)
  const page = await here.read(importLinesWith(row.id, row.applied + 1))
  if (page === undefined) {
    await finish(here, row)
    await dropInTurns(here, id)
    return { counts, isDone: true }
  }
  const lines = page.body.split('\n').slice(row.applied + 1 - page.first, row.applied + 1 - page.first + linesPerTurn)
  const records = lines.map((line, at) => recordOfLine(line, row.applied + 1 + at))
  const prepared = await preparedRecords(records, partition, here.key)
  const toApply = { partition, restores, now: here.now, records: prepared }
  await here.write(function* () {
    // Another call may have applied these lines, and a forget may have taken the import away.
    const now = yield* importOf(partition, id)
    if (now.applied === row.applied) yield* applyRecords({ ...toApply, row: now, counts: structuredClone(counts) })
  }, records.length)
  const after = await here.read(importOf(partition, id))
  const done: ImportCounts = JSON.parse(after.counts)
  return { counts: done, isDone: false }
}

/** Makes blocks and pages findable that came without their passages, or with others. */
async function finish(here: WritingHere, { id, partition_id: partition }: Pick<ImportRow, 'id' | 'partition_id'>): Promise<void> {
  await here.write(function* () {
    yield* leaveSessions(id)
    for (const block of yield* blocksWithoutItem(partition))
      yield* indexBlock(
        { id: uuidText(block.uuid), name: block.name, text: block.content, createdAt: block.created_at },
        { partition: block.partition_id, session: block.session_id },
        here.now,
      )
  })
  await indexPagesInTurns(here, here.now)
}

/** Lets upkeep have the sessions of which no line said how far they were read. */
function* leaveSessions(id: number): Program<void> {
  for (const [session, mode] of yield* allNoted(id, placeKinds.session))
    if (mode === sessionModes.fresh && (yield* heldWork({ kind: workKinds.session, ref: session }, importHolder)) !== undefined)
      yield* dropWork({ kind: workKinds.session, ref: session })
}
