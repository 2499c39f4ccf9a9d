import type { Message, Role } from '../messages/message.ts'
import type { PartName } from './part.ts'
import type { Span } from '../lineage/span.ts'

/** A part of a hit's score, and why, in plain words. */
export interface Signal {
  readonly name: PartName | 'age'
  readonly value: number
  readonly text: string
}

/** Something found. The values of `signals` add up to `score`. */
export interface Hit {
  readonly kind: 'message'
  readonly id: string
  readonly externalId?: string
  readonly session: string
  readonly seq: number
  readonly role: Role
  readonly name?: string
  /** When it was said: UTC milliseconds. */
  readonly at: number
  readonly text: string
  /** Of a long message, the part that is most like the question: text.slice(from, to). */
  readonly passage?: { readonly from: number; readonly to: number }
  readonly score: number
  readonly signals: readonly Signal[]
  /** Messages around it in its session, in order, the hit itself left out. */
  readonly neighbours: readonly Message[]
  readonly lineage: readonly Span[]
}

export interface Recalled {
  /** Best first; equal scores newest first. Empty when nothing matches. */
  readonly hits: readonly Hit[]
  /** What kept recall from its best, such as `partial index`; empty when nothing did. */
  readonly degraded: readonly string[]
}
