import { InvalidOption } from '../errors/invalid-option.ts'
import { LimitExceeded } from '../errors/limit-exceeded.ts'
import type { PartitionId } from '../scope/partition.ts'
import { addInstruction, editInstructions, type InstructionRow, withdrawInstructions } from '../storage/derived/instructions.ts'
import { ensurePartition, touchPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { isByHand, shownOf, type StandingInstruction } from './derive.ts'
import { allInstructions, instructionById } from './read-instructions.ts'
import { mostStanding } from './request.ts'

/** Adds an instruction by hand, and gives back its id. LimitExceeded when as many as may stand were made by hand. */
export function* add(partition: PartitionId, text: string, now: number): Program<string> {
  const owner = yield* ensurePartition(partition, now)
  const count = shownOf(yield* allInstructions(partition)).filter(isByHand).length
  if (count >= mostStanding)
    throw new LimitExceeded({ what: 'the instructions made by hand', unit: 'instructions', count: count + 1, most: mostStanding })
  yield* touchPartition(owner.id)
  return yield* addInstruction(owner.id, text, now)
}

/** Puts a person's text in the place of an instruction that stands. */
export function* edit(partition: PartitionId, id: string, text: string, now: number): Program<void> {
  const { rows } = yield* standingById(partition, id)
  yield* editInstructions(rows, text, after(rows, now))
}

/** Ends an instruction that stands. */
export function* withdraw(partition: PartitionId, id: string, now: number): Program<void> {
  const { rows } = yield* standingById(partition, id)
  yield* withdrawInstructions(rows, after(rows, now))
}

function* standingById(partition: PartitionId, id: string): Program<StandingInstruction<InstructionRow>> {
  const found = instructionById(yield* allInstructions(partition), id)
  if (found.end !== undefined)
    throw new InvalidOption({ option: 'id', received: id, expected: 'an instruction that stands: this one ended before' })
  return found
}

/** Gives the time of a change: now, or that of its last statement, if that is later than now. */
function after(rows: readonly InstructionRow[], now: number): number {
  return Math.max(now, ...rows.map(({ said_at: said, edited_at: edited }) => Math.max(said, edited ?? 0)))
}
