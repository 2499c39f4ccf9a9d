import { nameKey } from '../documents/names.ts'
import type { Message } from '../messages/message.ts'
import type { SubjectFact } from '../models/writer.ts'
import type { NewPart } from '../storage/derived/parts.ts'
import type { Chunk } from './chunks.ts'
import type { Written } from './span-of.ts'
import { newPart } from './write-parts.ts'

/** What the document of a partition's own user is called, where the user has no name. */
const nameless = 'The user'

/**
 * That a span was read for documents, and what those of its messages that were not read before say of which subject:
 * who speaks is called by name.
 */
export function subjectsPart(
  chunk: Chunk,
  { facts, refused }: { facts: readonly SubjectFact[]; refused: number },
  { messages, owner }: { messages: readonly Pick<Message, 'seq' | 'name' | 'at'>[]; owner: string },
  written: Written,
): NewPart {
  const from = chunk.documentsFrom ?? chunk.from
  const fresh = facts.filter(({ seq }) => seq >= from)
  const found = fresh.flatMap((one) => {
    const message = messages.find(({ seq }) => seq === one.seq)
    const subject = one.subject === '' ? (message?.name ?? (owner === '' ? nameless : owner)) : one.subject
    return message === undefined || nameKey(subject) === '' ? [] : [{ ...one, subject, key: nameKey(subject), saidAt: message.at }]
  })
  const range = { ...chunk, from, messages: Math.min(chunk.messages, chunk.to - from + 1) }
  return { ...newPart(range, 'documents', [], written), subjects: { facts: found, refused: refused + fresh.length - found.length } }
}
