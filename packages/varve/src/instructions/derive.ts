import { byHand } from '../models/writer.ts'
import type { InstructionTable } from '../storage/known-tables.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { mostStanding } from './request.ts'

/** A statement, with the columns from which instructions are derived. */
export type SaidInstruction = Pick<
  InstructionTable,
  | 'uuid'
  | 'session_id'
  | 'seq'
  | 'starts'
  | 'said_at'
  | 'edited_at'
  | 'withdrawn_at'
  | 'takes_back'
  | 'writer'
  | 'content'
  | 'hand'
  | 'ended'
>

/** The end of an instruction: its time, and the statement that ended it; undefined for a withdrawal by hand. */
interface End<Row extends SaidInstruction> {
  readonly at: number
  readonly by: Row | undefined
}

/** An instruction, from its begin to its end. */
export interface StandingInstruction<Row extends SaidInstruction> {
  /** The statement that was recorded first. */
  readonly first: Row
  /** At least one, in the order in which they were said. */
  readonly rows: readonly Row[]
  readonly end: End<Row> | undefined
}

/** Tells whether an agent noted a statement. One whose words a person replaced is the person's. */
export function isNoted({ session_id: session, writer, hand }: Pick<InstructionTable, 'session_id' | 'writer' | 'hand'>): boolean {
  return session === 0 && writer !== byHand && hand === null
}

/** The time from which a statement counts beside others: that of a person's edit, or of its saying. */
function countsFrom({ edited_at: edited, said_at: said }: SaidInstruction): number {
  return edited ?? said
}

/** Compares statements by the order of saying. */
function asSaid(a: SaidInstruction, b: SaidInstruction): number {
  return a.said_at - b.said_at || inTalk(a, b)
}

function inTalk(a: SaidInstruction, b: SaidInstruction): number {
  return a.session_id - b.session_id || a.seq - b.seq || a.starts - b.starts || byId(a, b)
}

/** Compares statements by their ids, which are in the order of recording. */
function byId(a: SaidInstruction, b: SaidInstruction): number {
  return Buffer.compare(a.uuid, b.uuid)
}

/** Tells whether a statement may end another: it counts from a later time, or comes after it in the talk. */
export function isLater(one: SaidInstruction, other: SaidInstruction): boolean {
  return (countsFrom(one) - countsFrom(other) || inTalk(one, other)) > 0
}

/** The words that count: a person's, or those of the message. */
export function textOf({ hand, content }: SaidInstruction): string {
  return hand ?? content
}

/** Gives the same key to texts of the same words. */
function keyOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * Derives instructions from statements, the last said first. A statement ends those that it was found to end, from its
 * own time on, in whatever order they were recorded. The same words again are the same instruction while it stands, and
 * a new one after its end. What an agent noted is none where a person said the same: then the person's words count.
 */
export function deriveInstructions<Row extends SaidInstruction>(rows: readonly Row[]): StandingInstruction<Row>[] {
  const ends = endsOf(rows)
  const asked = rows.filter((row) => row.takes_back === 0).toSorted(asSaid)
  const said = asked.filter((row) => !isNoted(row))
  const known = new Set(said.flatMap((row) => [keyOf(row.content), keyOf(textOf(row))]))
  const counted = [...said, ...asked.filter((row) => isNoted(row) && !known.has(keyOf(row.content)))]
  return [...Map.groupBy(counted, ({ content }) => keyOf(content)).values()]
    .flatMap((same) => runsOf(same, ends))
    .map((one) => ({ one, at: lastSaid(one) }))
    .toSorted((a, b) => b.at - a.at || inTalk(b.one.first, a.one.first))
    .map(({ one }) => one)
}

/** The ended statements of one that ends none, as they are stored. */
const none = '[]'

/** Finds the first end of each statement. */
function endsOf<Row extends SaidInstruction>(rows: readonly Row[]): ReadonlyMap<Row, End<Row>> {
  // Most statements end none, and ids are made for each.
  const isEnding = rows.some(({ ended }) => ended !== none)
  const known = new Map(isEnding ? rows.map((row) => [uuidText(row.uuid), row]) : [])
  const ends = new Map<Row, End<Row>>()
  const end = (row: Row, at: number, by: Row | undefined): void => {
    const before = ends.get(row)
    if (before === undefined || inOrder({ at, by }, before) < 0) ends.set(row, { at, by })
  }
  for (const row of rows) {
    if (row.withdrawn_at !== null) end(row, row.withdrawn_at, undefined)
    const ended: readonly string[] = row.ended === none ? [] : JSON.parse(row.ended)
    for (const id of ended) {
      const earlier = known.get(id)
      // An agent's note ends no words of a person.
      if (earlier !== undefined && isNoted(row) && !isNoted(earlier)) continue
      // The same words again do not end themselves.
      const isAnother = earlier !== undefined && (row.takes_back === 1 || !hasSameWords(earlier, row))
      if (earlier !== undefined && isAnother && isLater(row, earlier)) end(earlier, countsFrom(row), row)
    }
  }
  return ends
}

/** Compares ends by their times. Of ends at one time, that of the statement that was said first comes first. */
function inOrder<Row extends SaidInstruction>(a: End<Row>, b: End<Row>): number {
  if (a.at !== b.at) return a.at - b.at
  return a.by === undefined || b.by === undefined ? Number(a.by === undefined) - Number(b.by === undefined) : asSaid(a.by, b.by)
}

/** Tells whether two statements have the same words, without regard to case and marks. */
export function hasSameWords(one: SaidInstruction, other: SaidInstruction): boolean {
  return isSameText(textOf(one), textOf(other))
}

/** Joins statements in the same words, in the order of saying. One that was said after an end begins anew. */
function runsOf<Row extends SaidInstruction>(same: readonly Row[], ends: ReadonlyMap<Row, End<Row>>): StandingInstruction<Row>[] {
  const runs: StandingInstruction<Row>[] = []
  for (const row of same) {
    const run = runs.at(-1)
    if (run === undefined || (run.end !== undefined && isAfter(row, run.end))) runs.push({ first: row, rows: [row], end: ends.get(row) })
    else runs[runs.length - 1] = joined(run, row, ends)
  }
  return runs
}

function joined<Row extends SaidInstruction>(
  run: StandingInstruction<Row>,
  row: Row,
  ends: ReadonlyMap<Row, End<Row>>,
): StandingInstruction<Row> {
  const rows = [...run.rows, row]
  return { first: byId(row, run.first) < 0 ? row : run.first, rows, end: endOf(rows, ends) }
}

/** Finds the first end of a run. Where a person edited it, only ends of the edited text count. */
function endOf<Row extends SaidInstruction>(run: readonly Row[], ends: ReadonlyMap<Row, End<Row>>): End<Row> | undefined {
  const edited = run.filter(({ hand }) => hand !== null)
  const found = (edited.length > 0 ? edited : run).flatMap((row) => ends.get(row) ?? [])
  return found.toSorted(inOrder)[0]
}

function isAfter<Row extends SaidInstruction>(row: Row, { at, by }: End<Row>): boolean {
  return by === undefined ? row.said_at > at : asSaid(row, by) > 0
}

function lastSaid({ rows }: StandingInstruction<SaidInstruction>): number {
  return Math.max(...rows.map(countsFrom))
}

/** Keeps the instructions that stand, up to the bound: those by hand and edited ones first, then the last said, then notes. */
export function shownOf<Row extends SaidInstruction>(all: readonly StandingInstruction<Row>[]): readonly StandingInstruction<Row>[] {
  const standing = all.filter(({ end }) => end === undefined)
  if (standing.length <= mostStanding) return standing
  const kept = new Set(standing.toSorted((a, b) => rankOf(b) - rankOf(a)).slice(0, mostStanding))
  return standing.filter((one) => kept.has(one))
}

function rankOf(one: StandingInstruction<SaidInstruction>): number {
  return isByHand(one) ? 2 : one.rows.every(isNoted) ? 0 : 1
}

/** Tells whether two texts have the same words, without regard to case and marks. */
export function isSameText(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other)
}

/** Tells whether an instruction has these words, without regard to case and marks. */
export function hasWords({ rows }: StandingInstruction<SaidInstruction>, text: string): boolean {
  return rows.some((row) => isSameText(textOf(row), text))
}

/** Tells whether a person added or edited an instruction by hand. */
export function isByHand({ rows }: StandingInstruction<SaidInstruction>): boolean {
  return rows.some(({ hand, writer }) => hand !== null || writer === byHand)
}
