import { addedInstructions, instructionsOfSession, removeInstructions } from '../derived/instructions.ts'
import type { InstructionTable } from '../known-tables.ts'
import { leastTelling, type Needles } from '../needles.ts'
import type { PartitionRow } from '../partitions.ts'
import { answer, type Program } from '../program.ts'
import type { ForgetSelection } from './forget-selection.ts'
import { withinPlaces } from './places.ts'

/** Returns the instructions that were read from some messages of a session, or from any of it. */
export function* instructionsFrom(session: number, seqs: readonly number[] | undefined): Program<readonly InstructionTable[]> {
  const goes = withinPlaces(seqs)
  return (yield* instructionsOfSession(session)).filter(({ seq }) => goes(seq, seq))
}

/** Returns the instructions that a person added before the time of a selection, or all of them. */
export function instructionsByHand(
  owner: Pick<PartitionRow, 'id'>,
  { all, session, messages, before }: ForgetSelection,
): Program<readonly InstructionTable[]> {
  const isMeant = all === true || (before !== undefined && session === undefined && messages === undefined)
  return isMeant ? addedInstructions(owner.id, before) : answer([])
}

/** Erases instructions, and adds their bytes to the needles. A person's edit goes with the words that it stands for. */
export function eraseInstructions(rows: readonly InstructionTable[], needles: Needles): Program<void> {
  const texts = rows.flatMap(({ content, hand }) => [content, hand ?? '']).map((text) => new TextEncoder().encode(text))
  needles.add(texts.filter(({ length }) => length >= leastTelling))
  return removeInstructions(rows)
}
