import { NotFound } from '../errors/not-found.ts'
import type { PartitionId } from '../scope/partition.ts'
import { type InstructionRow, instructionsOf } from '../storage/derived/instructions.ts'
import { cursorTo, type Listed, placeOf } from '../storage/listed.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { stateVersion } from '../storage/versions.ts'
import { deriveInstructions, isNoted, shownOf, type StandingInstruction, textOf } from './derive.ts'
import type { Instruction, InstructionSource } from './instruction.ts'
import type { InstructionRequest } from './request.ts'

type StandingRow = StandingInstruction<InstructionRow>

/** Reads the instructions of a partition, ended ones too; the last said first. */
export function* allInstructions(partition: PartitionId): Program<readonly StandingRow[]> {
  const owner = yield* findPartition(partition)
  return owner === undefined ? [] : deriveInstructions(yield* instructionsOf(owner.id))
}

/** Lists the instructions that stand, the last said first; with `ended` those that ended as well. */
export function* listInstructions(partition: PartitionId, request: InstructionRequest): Program<Listed<Instruction>> {
  const skipped = Number(placeOf('instruction', request, /(\d{1,4})/)?.[0] ?? 0)
  const all = yield* allInstructions(partition)
  const shown = new Set(shownOf(all))
  const listed = all.filter((one) => (one.end === undefined ? shown.has(one) : request.ended))
  const end = skipped + request.limit
  const items = listed.slice(skipped, end).map((one) => instructionOf(one, all))
  return { items, ...(end < listed.length ? { cursor: cursorTo('instruction', end) } : {}) }
}

/** Reads the instructions that stand, the last said first. */
export function* standingInstructions(partition: PartitionId): Program<readonly Instruction[]> {
  const all = yield* allInstructions(partition)
  return shownOf(all).map((one) => instructionOf(one, all))
}

/** Reads the instructions with some ids, ended ones too, by id. */
export function* instructionsWith(partition: PartitionId, ids: ReadonlySet<string>): Program<ReadonlyMap<string, Instruction>> {
  const all = yield* allInstructions(partition)
  return new Map(all.map((one) => instructionOf(one, all)).flatMap((one) => (ids.has(one.id) ? [[one.id, one] as const] : [])))
}

/** Reads one instruction. NotFound for another partition's id. */
export function* tellInstruction(partition: PartitionId, id: string): Program<Instruction> {
  const all = yield* allInstructions(partition)
  return instructionOf(instructionById(all, id), all)
}

/** Finds an instruction by its id, or by that of one of its statements. */
export function instructionById(all: readonly StandingRow[], id: string): StandingRow {
  const found = all.find(({ rows }) => rows.some(({ uuid }) => uuidText(uuid) === id))
  if (found === undefined) throw new NotFound({ kind: 'instruction', id })
  return found
}

/** The label of the partition's own user, and of a speaker without a name. */
const unnamed = 'user'

function speakerOf(row: InstructionRow): string {
  return row.name ?? (isNoted(row) ? row.writer : unnamed)
}

/** Gives the version of an instruction. Two edits may be of one millisecond, so that a person's words belong to it. */
function versionOfRows(rows: readonly InstructionRow[]): string {
  return stateVersion(rows.map(({ uuid, hand, edited_at: edited, withdrawn_at: withdrawn }) => [uuidText(uuid), hand, edited, withdrawn]))
}

/** Gives the version of the instruction with an id. NotFound for another partition's. */
export function* instructionVersion(partition: PartitionId, id: string): Program<string> {
  return versionOfRows(instructionById(yield* allInstructions(partition), id).rows)
}

function instructionOf({ first, rows, end }: StandingRow, all: readonly StandingRow[]): Instruction {
  const edited = rows.find(({ hand }) => hand !== null)
  return {
    id: uuidText(first.uuid),
    text: textOf(edited ?? first),
    since: Math.min(...rows.map(({ said_at: said }) => said)),
    ...(end === undefined ? {} : { until: end.at, endedBy: endedBy(end, all) }),
    by: speakerOf(first),
    ...(rows.every(isNoted) ? { noted: true } : {}),
    sources: rows.flatMap(sourceOf),
    recordedAt: first.recorded_at,
    writer: first.writer,
    edited: edited !== undefined,
    provisional: rows.every(({ provisional }) => provisional === 1),
    version: versionOfRows(rows),
  }
}

function endedBy({ by }: NonNullable<StandingRow['end']>, all: readonly StandingRow[]): NonNullable<Instruction['endedBy']> {
  if (by === undefined) return { by: unnamed }
  const next = all.find(({ rows }) => rows.includes(by))
  const [source] = sourceOf(by)
  return {
    by: speakerOf(by),
    text: textOf(by),
    ...(source === undefined ? {} : { source }),
    ...(next === undefined ? {} : { id: uuidText(next.first.uuid) }),
  }
}

function sourceOf({
  message,
  session,
  seq,
  starts: from,
  ends: to,
  content: text,
  said_at: at,
  name,
}: InstructionRow): InstructionSource[] {
  return message === null || session === null ? [] : [{ message: uuidText(message), session, seq, from, to, text, at, by: name ?? unnamed }]
}
