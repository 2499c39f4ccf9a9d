import { ExportBroken } from '../errors/export-broken.ts'
import { LimitExceeded } from '../errors/limit-exceeded.ts'
import { NotFound } from '../errors/not-found.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { maxAheadMs } from '../messages/time.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { ensurePartition, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import {
  importById,
  type ImportRow,
  importsOf,
  importStates,
  saveImport,
  storeImport,
  storeImportLines,
} from '../storage/transfer/imports.ts'
import { dropImportInTurns } from '../storage/transfer/drop-imports.ts'
import { uuidBytes, uuidText } from '../storage/uuid-bytes.ts'
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

/** Begins an import. Lines of the same export that wait already are dropped: it is read anew. */
export async function beginImport(
  here: WritingHere,
  partition: PartitionId,
  line: string,
): Promise<{ readonly id: string; readonly unfinished?: string }> {
  const header = headerOfLine(line)
  const bundle = uuidBytes(header.id) ?? new Uint8Array()
  const before = (await here.read(importsHere(partition))).filter((row) => Buffer.compare(row.bundle, bundle) === 0)
  const unfinished = before.find(({ state }) => state === importStates.applying)
  for (const { id } of before.filter(({ state }) => state !== importStates.applying)) await dropInTurns(here, id)
  const id = uuidv7(here.now)
  await here.write(function* () {
    const { id: owner } = yield* ensurePartition(partition, here.now)
    const { length } = yield* importsOf(owner)
    if (length >= importBounds.imports)
      throw new LimitExceeded({ what: 'what waits to be imported', unit: 'imports', count: length + 1, most: importBounds.imports })
    yield* storeImport({ id, partition_id: owner, bundle, header: JSON.stringify(header) }, here.now)
  })
  return { id, ...(unfinished === undefined ? {} : { unfinished: unfinished.id }) }
}

function* importsHere(
  partition: PartitionId,
): Program<readonly { readonly id: string; readonly bundle: Uint8Array; readonly state: number }[]> {
  const owner = yield* findPartition(partition)
  return owner === undefined ? [] : (yield* importsOf(owner.id)).map(({ uuid, bundle, state }) => ({ id: uuidText(uuid), bundle, state }))
}

/** Returns an import of a partition. Throws NotFound for another's, and for one that a forget took away. */
export function* importOf(partition: PartitionId, id: string): Program<ImportRow> {
  const owner = yield* findPartition(partition)
  const row = yield* importById(id)
  if (owner === undefined || row?.partition_id !== owner.id) throw new NotFound({ kind: 'import', id })
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
      const row = yield* importOf(partition, id)
      const waiting = (yield* importsOf(row.partition_id)).reduce((sum, one) => sum + one.bytes, 0)
      if (waiting + bytes > importBounds.bytes)
        throw new LimitExceeded({ what: 'what waits to be imported', unit: 'bytes', count: waiting + bytes, most: importBounds.bytes })
      yield* storeImportLines({ import_id: row.id, first: row.lines + 1, lines: lines.length, body })
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

/** Ends the lines of an import: it waits, and it is known whose word it is. */
export function* endStaging(partition: PartitionId, id: string, trust: number): Program<void> {
  const row = yield* importOf(partition, id)
  yield* saveImport({ ...row, state: importStates.waiting, trust })
}

/** Drops an import with its lines. It does nothing where it is gone. */
export async function dropInTurns(here: WritingHere, id: string): Promise<void> {
  const row = await here.read(importById(id))
  if (row !== undefined) await dropImportInTurns(here, row.id)
}
