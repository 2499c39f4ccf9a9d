import { ExportBroken } from '../errors/export-broken.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { LimitExceeded } from '../errors/limit-exceeded.ts'
import { NotFound } from '../errors/not-found.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { maxAheadMs } from '../messages/time.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { ensurePartition, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import {
  beginDiscarding,
  importById,
  type ImportOutline,
  type ImportRow,
  importsOf,
  importStates,
  saveImport,
  storeImport,
  storeImportLines,
} from '../storage/transfer/imports.ts'
import { dropImportInTurns } from '../storage/transfer/drop-imports.ts'
import { uuidBytes, uuidText } from '../storage/uuid-bytes.ts'
import { noCounts } from './import-counts.ts'
import { type AnyRecord, checkedRecord, type RecordOf } from './records.ts'

/** The most that waits in a partition: imports, and their bytes in all. */
export const importBounds = { imports: 8, bytes: 1024 * 1024 * 1024 } as const

/** Reads a line as a record. Throws ExportBroken with its number when it is none. */
export function recordOfLine(line: string, number: number): AnyRecord {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new ExportBroken({ line: number, reason: 'it is not JSON' }, { cause: error })
  }
  const checked = checkedRecord(value)
  if ('fault' in checked) throw new ExportBroken({ line: number, reason: checked.fault })
  return checked.record
}

/** Reads the first line of an import. */
export function headerOfLine(line: string): RecordOf<'header'> {
  const version: unknown = line.startsWith('{"kind":"header"') ? Reflect.get(Object(valueIn(line)), 'version') : undefined
  if (typeof version === 'number' && version > 1)
    throw new ExportBroken({ line: 1, reason: `it is of version ${version} of the format, and this Varve reads version 1` })
  const record = recordOfLine(line, 1)
  if (record.kind !== 'header') throw new ExportBroken({ line: 1, reason: 'an export begins with its header' })
  return record
}

function valueIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Imports that others may be at, by their ids, with a mark that changes as they go on. */
export interface Busy {
  readonly busy: Readonly<Record<string, string>>
}

/** Gives the imports that others may be at, without those that stood still; undefined when there are none. */
export function busyAmong(rows: readonly ImportOutline[], still: readonly string[]): Busy | undefined {
  const others = rows.filter(({ uuid }) => !still.includes(uuidText(uuid)))
  if (others.length === 0) return undefined
  return { busy: Object.fromEntries(others.map(({ uuid, state, lines, applied }) => [uuidText(uuid), `${state} ${lines} ${applied}`])) }
}

/** A begun import. `unfinished` is one of the same export that was accepted, and goes on first. */
export interface BegunImport {
  readonly id: string
  readonly unfinished?: string
}

/**
 * Begins an import, unless another call is at one of the same export: two at once would store some things twice, and
 * others not at all. Lines of the same export that wait, or stood still, are dropped: it is read anew.
 */
export async function beginImport(
  here: WritingHere,
  partition: PartitionId,
  line: string,
  still: readonly string[],
): Promise<BegunImport | Busy> {
  const header = headerOfLine(line)
  const bundle = uuidBytes(header.id) ?? new Uint8Array()
  const id = uuidv7(here.now)
  const begun = await here.write(function* () {
    const { id: owner } = yield* ensurePartition(partition, here.now)
    const all = yield* importsOf(owner)
    const same = all.filter((row) => Buffer.compare(row.bundle, bundle) === 0)
    const atWork = same.filter(({ state }) => state === importStates.coming || state === importStates.applying)
    const busy = busyAmong(atWork, still)
    if (busy !== undefined) return busy
    const old = same.filter(({ state }) => state !== importStates.applying)
    for (const one of old) yield* beginDiscarding({ id: one.id, partition_id: owner })
    const length = all.length - old.length
    if (length >= importBounds.imports)
      throw new LimitExceeded({ what: 'what waits to be imported', unit: 'imports', count: length + 1, most: importBounds.imports })
    yield* storeImport({ id, partition_id: owner, bundle, header: JSON.stringify(header) }, here.now)
    return {
      old: old.map((one) => ({ id: one.id, partition_id: owner })),
      unfinished: same.find(({ state }) => state === importStates.applying),
    }
  })
  if ('busy' in begun) return begun
  for (const old of begun.old) await dropImportInTurns(here, old)
  return { id, ...(begun.unfinished === undefined ? {} : { unfinished: uuidText(begun.unfinished.uuid) }) }
}

/** Returns an import of a partition. Throws NotFound for another's, and for one that a forget took away. */
export function* importOf(partition: PartitionId, id: string): Program<ImportRow> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* importById(owner.id, id)
  if (row === undefined) throw new NotFound({ kind: 'import', id })
  return row
}

/** Returns an import that is in one of some states. Throws NotFound for one that is thrown away. */
export function* importThatIs(partition: PartitionId, id: string, states: readonly number[], expected: string): Program<ImportRow> {
  const row = yield* importOf(partition, id)
  if (row.state === importStates.discarding) throw new NotFound({ kind: 'import', id })
  if (!states.includes(row.state)) throw new InvalidOption({ option: 'id', received: id, expected })
  return row
}

/** Some lines of an import, as they came. `number` is the place of the first in the file, seals counted. */
export interface ComingLines {
  readonly lines: readonly string[]
  readonly number: number
}

/** Checks lines and stores them as they are. Nothing of them is found or shown before they are applied. */
export async function stageLines(here: WritingHere, partition: PartitionId, id: string, { lines, number }: ComingLines): Promise<void> {
  const kinds = lines.map((line, at) => checkedLine(line, number + at, here.now))
  const body = lines.join('\n')
  const bytes = Buffer.byteLength(body)
  await here.write(
    function* () {
      const row = yield* importThatComes(partition, id)
      const waiting = (yield* importsOf(row.partition_id)).reduce((sum, one) => sum + one.bytes, 0)
      if (waiting + bytes > importBounds.bytes)
        throw new LimitExceeded({ what: 'what waits to be imported', unit: 'bytes', count: waiting + bytes, most: importBounds.bytes })
      yield* storeImportLines(row.partition_id, { import_id: row.id, first: row.lines + 1, lines: lines.length, body })
      const counts: Record<string, number> = JSON.parse(row.counts)
      for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
      yield* saveImport({ ...row, lines: row.lines + lines.length, bytes: row.bytes + bytes, counts: JSON.stringify(counts) })
    },
    Math.ceil(bytes / 1024),
  )
}

/** The times of records that are past: what was said, written or recorded. */
const timesOfRecords = ['at', 'recordedAt', 'createdAt', 'updatedAt', 'editedAt', 'withdrawnAt', 'firstAt', 'lastAt', 'doneAt'] as const

function checkedLine(line: string, number: number, now: number): AnyRecord['kind'] {
  const record = recordOfLine(line, number)
  if (record.kind === 'header' && number > 1) throw new ExportBroken({ line: number, reason: 'a second header' })
  const ahead = timesOfRecords.find((field) => Number(Reflect.get(record, field)) > now + maxAheadMs)
  if (ahead !== undefined) throw new ExportBroken({ line: number, reason: `${ahead}: more than a day ahead of the clock` })
  return record.kind
}

/** Ends the lines of an import: it waits or is to be applied, and it is known whose word it is. */
export function* endStaging(partition: PartitionId, id: string, trust: number, isApplied: boolean): Program<void> {
  const row = yield* importThatComes(partition, id)
  if (isApplied) yield* saveImport({ ...row, ...begunToApply, trust })
  else yield* saveImport({ ...row, state: importStates.waiting, trust })
}

/** What an import begins to be applied with. */
export const begunToApply = { state: importStates.applying, applied: 0, counts: JSON.stringify(noCounts()) } as const

function importThatComes(partition: PartitionId, id: string): Program<ImportRow> {
  return importThatIs(partition, id, [importStates.coming], 'an import whose lines still come')
}

/** Drops an import whose lines could not be read to their end. */
export async function dropComing(here: WritingHere, partition: PartitionId, id: string): Promise<void> {
  const row = await here.write(function* () {
    const found = yield* importThatComes(partition, id)
    yield* beginDiscarding(found)
    return found
  })
  await dropImportInTurns(here, row)
}
