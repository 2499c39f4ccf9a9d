import { nameKey, ofSpeaker } from '../../documents/names.ts'
import type { SubjectFact } from '../../models/writer.ts'
import type { NewPart } from '../../storage/derived/part-stores.ts'
import { newPart } from './new-part.ts'
import { freshFrom, type ReadSpan, type SpanSession } from './read-span.ts'

/**
 * Makes the part of a span that was read for documents, from facts on subjects. Messages that were read before are left
 * out. A speaker is called by name.
 */
export function subjectsPart(
  { chunk, written }: ReadSpan,
  facts: readonly SubjectFact[],
  refused: number,
  { messages, owner }: Pick<SpanSession, 'messages' | 'owner'>,
): NewPart {
  const from = freshFrom(chunk, 'documents')
  const fresh = facts.filter(({ seq }) => seq >= from)
  const found = fresh.flatMap((one) => {
    const message = messages.find(({ seq }) => seq === one.seq)
    const subject = one.subject === '' ? ofSpeaker(one.thing, message?.name, owner) : one.subject
    return message === undefined || nameKey(subject) === '' ? [] : [{ ...one, subject, key: nameKey(subject), saidAt: message.at }]
  })
  const range = { ...chunk, from, messages: Math.min(chunk.messages, chunk.to - from + 1) }
  return { ...newPart(range, 'documents', [], written), subjects: { facts: found, refused: refused + fresh.length - found.length } }
}
