import type { Message } from '../messages/message.ts'
import type { MessageHit } from './hit.ts'

/** A hit with the ordinal of its message, which only the store's own rooms use. */
export interface NumberedHit {
  readonly hit: MessageHit
  readonly ord: number
}

/** Makes a hit from a message. */
export function messageHit(message: Message, score: number, signals: MessageHit['signals'], neighbours: readonly Message[]): MessageHit {
  return {
    kind: 'message',
    id: message.id,
    ...(message.externalId === undefined ? {} : { externalId: message.externalId }),
    session: message.session,
    seq: message.seq,
    role: message.role,
    origin: message.origin,
    ...(message.name === undefined ? {} : { name: message.name }),
    at: message.at,
    text: message.content,
    ...(message.recalled === undefined ? {} : { recalled: message.recalled }),
    score,
    signals,
    neighbours,
    lineage: [{ session: message.session, from: message.seq, to: message.seq }],
  }
}
