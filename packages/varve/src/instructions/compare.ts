import type { ComparedInstructions } from '../storage/derived/instructions.ts'
import type { InstructionTable } from '../storage/known-tables.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { hasSameWords, isLater, textOf } from './derive.ts'

/**
 * Compares the statements that were not compared yet with all others: of each two, the later one may end the earlier
 * one. `endsInstruction` tells whether it does; words that only take back also end an instruction in the same words.
 */
export function compareInstructions(
  rows: readonly InstructionTable[],
  endsInstruction: (later: string, earlier: string) => boolean,
): ComparedInstructions {
  const fresh = rows.filter(({ compared }) => compared === 0)
  const ends = new Map<string, ComparedInstructions['ends'][number]>()
  for (const one of fresh) {
    for (const other of rows) {
      if (one === other) continue
      const [later, earlier] = isLater(one, other) ? [one, other] : [other, one]
      const takesBack = later.takes_back === 1 && hasSameWords(later, earlier)
      if (earlier.takes_back === 1 || !(takesBack || endsInstruction(textOf(later), textOf(earlier)))) continue
      const end = { later: uuidText(later.uuid), earlier: uuidText(earlier.uuid) }
      ends.set(`${end.later} ${end.earlier}`, end)
    }
  }
  return { compared: fresh.map(({ uuid, edited_at: editedAt }) => ({ id: uuidText(uuid), editedAt })), ends: [...ends.values()] }
}
