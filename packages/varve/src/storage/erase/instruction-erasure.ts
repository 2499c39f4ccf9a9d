import { addedInstructions, instructionsOfSessions, removeInstructions } from '../derived/instructions.ts'
import { eraseKept, keptOfInstructions } from '../deeds/deed-erasure.ts'
import type { InstructionTable } from '../known-tables.ts'
import { instructionsNotedDuring } from '../known/agent-notes.ts'
import { leastTelling, type Needles } from '../needles.ts'
import { partitionList } from '../partition-list.ts'
import type { PartitionRow } from '../partitions.ts'
import { answer, type Program } from '../program.ts'
import { addedUntil, type ForgetSelection } from './forget-selection.ts'
import { uuidText } from '../uuid-bytes.ts'
import { withinPlaces } from './places.ts'

/** Returns the instructions that were read from messages at some places of each session, or from any of it and noted in it. */
export function* instructionsFrom(
  partition: number,
  said: ReadonlyMap<number, readonly number[] | undefined>,
): Program<readonly InstructionTable[]> {
  const goes = new Map([...said].map(([session, seqs]) => [session, withinPlaces(seqs)]))
  const read = yield* instructionsOfSessions(partition, [...said.keys()])
  const whole = [...said].flatMap(([session, seqs]) => (seqs === undefined ? [session] : []))
  return [
    ...read.filter(({ session_id: session, seq }) => goes.get(session)?.(seq, seq) === true),
    ...(whole.length === 0 ? [] : yield* instructionsNotedDuring(partition, whole)),
  ]
}

/** Returns the instructions that a person added before the time of a selection, or all of them. */
export function instructionsByHand(
  owner: Pick<PartitionRow, 'id'>,
  { all, session, messages, before, recordedBy }: ForgetSelection,
): Program<readonly InstructionTable[]> {
  const isMeant = all === true || (before !== undefined && session === undefined && messages === undefined)
  return isMeant ? addedInstructions(owner.id, addedUntil({ before, recordedBy })) : answer([])
}

/**
 * Erases instructions, and adds their bytes to the needles. A person's edit goes with the words that it stands for, and
 * so do earlier edits.
 */
export function* eraseInstructions(rows: readonly InstructionTable[], needles: Needles): Program<void> {
  const own = partitionList(rows.map((row) => row.partition_id))
  const texts = rows.flatMap(({ content, hand }) => [content, hand ?? '']).map((text) => new TextEncoder().encode(text))
  needles.add(texts.filter(({ length }) => length >= leastTelling))
  yield* eraseKept(
    own,
    yield* keptOfInstructions(
      own,
      rows.map(({ uuid }) => uuidText(uuid)),
    ),
    needles,
  )
  yield* removeInstructions(rows)
}
