import type { Granularity } from '../bank/granularity.ts'
import type { Fact } from '../facts/fact.ts'
import type { Message, Role } from '../messages/message.ts'
import type { PartName } from './part.ts'
import type { Span } from '../lineage/span.ts'

/** A part of a hit's score, and why, in plain words. */
export interface Signal {
  readonly name: PartName | 'age' | 'confidence' | 'doubt'
  readonly value: number
  readonly text: string
}

/** What all that is found has. The values of `signals` add up to `score`. */
interface Found {
  readonly id: string
  /** When it was said: UTC milliseconds. Of what was derived: the last message that it tells of. */
  readonly at: number
  readonly text: string
  readonly score: number
  readonly signals: readonly Signal[]
  /** Which messages it is, or was made from. */
  readonly lineage: readonly Span[]
}

/** A message that was found. */
export interface MessageHit extends Found {
  readonly kind: 'message'
  readonly externalId?: string
  /** Empty for a message that another member shared: how their session is named is not told. */
  readonly session: string
  readonly seq: number
  readonly role: Role
  readonly name?: string
  /** Of a long message, the part that is most like the question: text.slice(from, to). */
  readonly passage?: { readonly from: number; readonly to: number }
  /** Messages around it in its session, in order, the hit itself left out. */
  readonly neighbours: readonly Message[]
}

/** Kinds of items that are found as they stand: what a layer wrote, with the messages that it was made from. */
export const derivedKinds = ['gist', 'bank'] as const

/** A gist or an entry of a bank that was found. */
export interface DerivedHit extends Found {
  readonly kind: (typeof derivedKinds)[number]
  /** Its session; a digest has none, and on a shared bank it is not told whose talk an entry is of. */
  readonly session?: string
  readonly seq?: undefined
  readonly role?: undefined
  readonly externalId?: undefined
  readonly passage?: undefined
  /** The session's title. */
  readonly name?: string
  readonly firstAt: number
  readonly writer: string
  readonly provisional: boolean
  /** Of a bank entry. */
  readonly granularity?: Granularity
  readonly period?: string
  /** On the project's bank, which all of its members see. */
  readonly shared?: boolean
  readonly neighbours: readonly never[]
}

/** A fact that was found. */
export interface FactHit extends Found {
  readonly kind: 'fact'
  readonly fact: Fact
  /** Where it was said first; none for what was added by hand. */
  readonly session?: string
  readonly seq?: undefined
  readonly role?: undefined
  readonly name?: undefined
  readonly externalId?: undefined
  readonly passage?: undefined
  readonly neighbours: readonly never[]
}

/** A block of working memory that was found. */
export interface BlockHit extends Found {
  readonly kind: 'block'
  /** The block's name. */
  readonly name: string
  /** Of a session's block. */
  readonly session?: string
  readonly seq?: undefined
  readonly role?: undefined
  readonly externalId?: undefined
  readonly passage?: undefined
  /** When it was made; `at` is when its text was last changed. */
  readonly firstAt: number
  readonly writer: string
  readonly provisional: false
  /** The project's, which all of its members read. */
  readonly shared?: true
  readonly neighbours: readonly never[]
}

/** A document, or the notes of a session, of which a passage was found: `text` is that passage. */
interface FoundPage<Kind extends 'document' | 'notes'> extends Found {
  readonly kind: Kind
  /** The document's name; of notes, the session's title or else its own name. */
  readonly name: string
  readonly description: string
  /** Of notes. */
  readonly session?: string
  readonly seq?: undefined
  readonly role?: undefined
  readonly externalId?: undefined
  readonly passage?: undefined
  /** When it was made; `at` is when it was last changed. */
  readonly firstAt: number
  readonly revision: number
  readonly writer: string
  readonly provisional: false
  /** The project's, which all of its members read. */
  readonly shared?: true
  readonly neighbours: readonly never[]
}

export type PageHit = FoundPage<'document'> | FoundPage<'notes'>

export type Hit = MessageHit | DerivedHit | BlockHit | FactHit | PageHit

/** Kinds of memory that can be searched. */
export const hitKinds = ['message', 'gist', 'bank', 'block', 'fact', 'document', 'notes'] as const
export type HitKind = (typeof hitKinds)[number]

/** Kinds that stand in their owner's partition alone. */
export const ownKinds: ReadonlySet<HitKind> = new Set(['gist', 'notes'])

/** Kinds that a project shares with every member who asks. */
export const sharedKinds: ReadonlySet<HitKind> = new Set(['bank', 'block', 'document'])

export interface Recalled {
  /** Best first; equal scores newest first. Empty when nothing matches. */
  readonly hits: readonly Hit[]
  /** What kept recall from its best, such as `partial index`; empty when nothing did. */
  readonly degraded: readonly string[]
}

/** Facts that were found, the best first. */
export interface RecalledFacts {
  readonly hits: readonly FactHit[]
  /** Reasons why recall was less than its best; empty when it was not. */
  readonly degraded: readonly string[]
}
