import type { Message } from '../messages/message.ts'
import type { MessageHit } from './hit.ts'

/** Makes a hit from a message. */
export function messageHit(message: Message, score: number, signals: MessageHit['signals'], neighbours: readonly Message[]): MessageHit {
  return {
    kind: 'message',
    id: message.id,
    ...(message.externalId === undefined ? {} : { externalId: message.externalId }),
    session: message.session,
    seq: message.seq,
    role: message.role,
    ...(message.name === undefined ? {} : { name: message.name }),
    at: message.at,
    text: message.content,
    score,
    signals,
    neighbours,
    lineage: [{ session: message.session, from: message.seq, to: message.seq }],
  }
}
