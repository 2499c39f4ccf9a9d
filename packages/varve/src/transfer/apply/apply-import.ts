import { indexUnfoundBlocks } from '../../blocks/index-unfound-blocks.ts'
import { indexPagesInTurns } from '../../pages/index-page.ts'
import type { PartitionId } from '../../scope/partition.ts'
import type { WritingHere } from '../../storage/here.ts'
import type { Program } from '../../storage/program.ts'
import { dropImportInTurns } from '../../storage/transfer/drop-imports.ts'
import { dropForgottenSessions, sessionsPerTurn } from '../../storage/transfer/forgotten-sessions.ts'
import { importById, importLinesWith, type ImportRow, importsOf, importStates, saveImport } from '../../storage/transfer/imports.ts'
import { uuidText } from '../../storage/uuid-bytes.ts'
import { type ImportCounts, noCounts } from '../import-counts.ts'
import { begunToApply, type Busy, busyAmong, importThatIs, recordOfLine } from '../staging.ts'
import { applyRecords } from './apply-records.ts'
import { preparedRecords } from './prepared.ts'

/** How far an import has come. */
export interface AppliedSoFar {
  readonly counts: ImportCounts
  readonly isDone: boolean
}

/** The most lines that one transaction applies: some 20 ms of a processor. */
const linesPerTurn = 100

/** What a call knows of imports that other calls may be working on. */
export interface Accepting {
  /** True when this call itself began to apply it. */
  readonly isBegun: boolean
  /** The imports that stood still for a while: nobody is at them. */
  readonly still: readonly string[]
}

/**
 * Begins to apply an import that waits; one that was begun goes on. It waits while another call
 * works on it, or applies one of the partition that was begun before it.
 */
export function* beginApplying(partition: PartitionId, id: string, { isBegun, still }: Accepting): Program<{ readonly id: string } | Busy> {
  const whole = 'the id of an import whose lines are all here: import them again, or discard it'
  const row = yield* importThatIs(partition, id, [importStates.waiting, importStates.applying], whole)
  const applying = (yield* importsOf(row.partition_id)).filter(({ state }) => state === importStates.applying)
  const isTaken = row.state === importStates.applying && !isBegun
  const busy = busyAmong(
    applying.filter((one) => one.id < row.id || (isTaken && one.id === row.id)),
    still,
  )
  if (busy !== undefined) return busy
  if (row.state === importStates.waiting) yield* saveImport({ ...row, ...begunToApply })
  return { id }
}

/** Applies the next lines of an import. After the last, its lines are dropped. */
export async function applyNext(here: WritingHere, partition: PartitionId, id: string, restores: boolean): Promise<AppliedSoFar> {
  const row = await here.read(importApplied(partition, id))
  const counts: ImportCounts = JSON.parse(row.counts)
  const page = await here.read(importLinesWith(row, row.applied + 1))
  if (page === undefined) {
    const done = await finish(here, row)
    await dropImportInTurns(here, row)
    return { counts: done, isDone: true }
  }
  const lines = page.body.split('\n').slice(row.applied + 1 - page.first, row.applied + 1 - page.first + linesPerTurn)
  const records = lines.map((line, at) => recordOfLine(line, row.applied + 1 + at))
  const prepared = await preparedRecords(records, partition, here.key)
  const toApply = { partition, restores, now: here.now, records: prepared }
  await here.write(function* () {
    // Another call may have applied these lines, and a forget may have taken the import away.
    const now = yield* importApplied(partition, id)
    if (now.applied === row.applied) yield* applyRecords({ ...toApply, row: now, counts: structuredClone(counts) })
  }, records.length)
  const after = await here.read(importApplied(partition, id))
  const done: ImportCounts = JSON.parse(after.counts)
  return { counts: done, isDone: false }
}

function importApplied(partition: PartitionId, id: string): Program<ImportRow> {
  return importThatIs(partition, id, [importStates.applying], 'the id of an import that was accepted')
}

/**
 * Makes blocks and pages findable that came without their passages, or with others. Drops sessions that the import made
 * and of which every message is forgotten. Returns the counts of the import.
 */
export async function finish(here: WritingHere, { id, uuid, partition_id: partition }: ImportRow): Promise<ImportCounts> {
  let counts = noCounts()
  for (let dropped = sessionsPerTurn; dropped === sessionsPerTurn;)
    dropped = await here.write(function* () {
      const found = yield* dropForgottenSessions({ id, partition_id: partition })
      const row = yield* importById(partition, uuidText(uuid))
      counts = row === undefined ? counts : withoutSessions(JSON.parse(row.counts), found)
      if (row !== undefined && found > 0) yield* saveImport({ ...row, counts: JSON.stringify(counts) })
      return found
    }, sessionsPerTurn)
  await here.write(() => indexUnfoundBlocks(partition, here.now))
  await indexPagesInTurns(here, here.now)
  return counts
}

/** Counts sessions as left out that were stored and dropped again. */
function withoutSessions(counts: ImportCounts, dropped: number): ImportCounts {
  if (dropped === 0) return counts
  const { session = 0, ...stored } = counts.stored
  const left = Math.max(0, session - dropped)
  return {
    ...counts,
    stored: left === 0 ? stored : { ...stored, session: left },
    leftOut: { ...counts.leftOut, session: (counts.leftOut['session'] ?? 0) + dropped },
  }
}
