import { rangeOf } from '../../facts/source-range.ts'
import { longestInstruction } from '../../instructions/request.ts'
import type { StatedInstruction } from '../../models/writer.ts'
import type { NewPart } from '../../storage/derived/part-stores.ts'
import { isAttack } from '../check-standing.ts'
import { newPart } from './new-part.ts'
import type { ReadSpan, SpanSession } from './read-span.ts'

/**
 * Makes the part of a span that was read for instructions. Each gets its range in the raw text. Refuses those that do
 * not stand in a person's message.
 */
export function instructionsPart(
  { chunk, messages, written }: Pick<ReadSpan, 'chunk' | 'messages' | 'written'>,
  stated: readonly StatedInstruction[],
  refused: number,
  stored: Pick<SpanSession, 'messages'>,
): NewPart {
  const asked = stated.flatMap((one) => {
    const source = messages[one.message]
    const message = stored.messages.find(({ seq }) => seq === source?.seq)
    if (source === undefined || message === undefined || source.origin !== 'person' || isAttack(one)) return []
    const range = rangeOf(source.text.slice(one.begins, one.ends), message.content, message.recalled ?? [])
    return range === undefined || one.text.length > longestInstruction
      ? []
      : [{ text: one.text, seq: source.seq, ...range, saidAt: message.at, takesBack: one.isWithdrawal }]
  })
  return { ...newPart(chunk, 'instructions', [], written), standing: { asked, refused: refused + stated.length - asked.length } }
}
