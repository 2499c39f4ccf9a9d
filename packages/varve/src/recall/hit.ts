import type { Granularity } from '../bank/granularity.ts'
import type { Fact } from '../facts/fact.ts'
import type { StateEnd } from '../facts/superseded.ts'
import type { Message, Origin, RecalledRange, Role } from '../messages/message.ts'
import type { PartName } from './part.ts'
import type { Span } from '../lineage/span.ts'
import { allKinds, kindsIn, type WrittenKind } from '../storage/kinds.ts'

/** A part of a hit's score, with its reason in plain words. */
export interface Signal {
  readonly name: PartName | 'age' | 'confidence' | 'doubt' | 'state'
  /** Its part of the score. A negative one lowers it. */
  readonly value: number
  readonly text: string
}

/** The mark of a text that tells a state which has ended; of several states, the one that the question is about. */
export interface Superseded extends StateEnd {
  /** Further states in it that have ended. */
  readonly others?: readonly StateEnd[]
}

/** The fields of every hit. The values of `signals` add up to `score`. */
interface Found {
  readonly id: string
  /** The time of the message: UTC milliseconds. Of a derived hit: the time of the last message behind it. */
  readonly at: number
  readonly text: string
  /** From 0 to 1. */
  readonly score: number
  readonly signals: readonly Signal[]
  /** The messages that the hit is, or was made from. */
  readonly lineage: readonly Span[]
  /** Present when it tells a state that has ended. */
  readonly superseded?: Superseded
  /**
   * On what a project's bank shares: the users whose words it rests on, `~` for the anonymous user. They are the owners
   * of the memory that the words came from; a name in the text is only what a caller claimed.
   */
  readonly members?: readonly string[]
}

/** A message that was found. */
export interface MessageHit extends Found {
  readonly kind: 'message'
  readonly externalId?: string
  /** The session. Empty for a message that another member shared, since the name of their session is private. */
  readonly session: string
  readonly seq: number
  readonly role: Role
  /** Whose words they are. In the user's place may stand an assistant's, such as a task for a subagent. */
  readonly origin: Origin
  readonly name?: string
  /** Of a long message, the part that is most like the question: text.slice(from, to). */
  readonly passage?: { readonly from: number; readonly to: number }
  /** Ranges of the text that Varve itself had rendered. Show them to no model as said. */
  readonly recalled?: readonly RecalledRange[]
  /** Messages around the hit in its session, in order, without the hit itself. */
  readonly neighbours: readonly Message[]
}

/** A gist or an entry of a bank that was found: the text of a layer, with the messages that it was made from. */
export interface DerivedHit extends Found {
  readonly kind: WrittenKind
  /** Its session. A digest has none. An entry of a shared bank does not tell whose talk it is of. */
  readonly session?: string
  readonly seq?: undefined
  readonly role?: undefined
  readonly externalId?: undefined
  readonly passage?: undefined
  /** The session's title. */
  readonly name?: string
  /** The time of the first message behind it: UTC milliseconds. */
  readonly firstAt: number
  /** `extractive`, the model's name, or `person`. */
  readonly writer: string
  /** True when it was written without the model that should have; upkeep writes it again. */
  readonly provisional: boolean
  /** Only on a bank entry. */
  readonly granularity?: Granularity
  readonly period?: string
  /** True for an entry of the project's bank, which all of its members see. */
  readonly shared?: boolean
  readonly neighbours: readonly never[]
}

/** A fact that was found. */
export interface FactHit extends Found {
  readonly kind: 'fact'
  readonly fact: Fact
  /** The session of its first source; absent for a fact that was added by hand. */
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
  /** The session of a session's block. */
  readonly session?: string
  readonly seq?: undefined
  readonly role?: undefined
  readonly externalId?: undefined
  readonly passage?: undefined
  /** The time of its creation; `at` is the time of its last change. */
  readonly firstAt: number
  readonly writer: string
  readonly provisional: false
  /** True for a block of the project, which all of its members read. */
  readonly shared?: true
  readonly neighbours: readonly never[]
}

/** A document, or the notes of a session, found by a passage: `text` is that passage. */
interface FoundPage<Kind extends 'document' | 'notes'> extends Found {
  readonly kind: Kind
  /** The document's name. Of notes: the session's title, or else its id. */
  readonly name: string
  readonly description: string
  /** The session of notes. */
  readonly session?: string
  readonly seq?: undefined
  readonly role?: undefined
  readonly externalId?: undefined
  readonly passage?: undefined
  /** The time of its creation; `at` is the time of its last change. */
  readonly firstAt: number
  readonly revision: number
  readonly writer: string
  readonly provisional: false
  /** True for a document of the project, which all of its members read. */
  readonly shared?: true
  readonly neighbours: readonly never[]
}

export type PageHit = FoundPage<'document'> | FoundPage<'notes'>

/** A hit of any kind; `kind` tells them apart. */
export type Hit = MessageHit | DerivedHit | BlockHit | FactHit | PageHit

/** Kinds of memory that can be searched. */
export const hitKinds = allKinds
export type HitKind = (typeof hitKinds)[number]

/** Kinds that stand only in their owner's partition. */
export const ownKinds: ReadonlySet<HitKind> = kindsIn('owner')

/** Kinds that a project shares with all of its members. */
export const sharedKinds: ReadonlySet<HitKind> = kindsIn('both')

/** The result of a recall. */
export interface Recalled {
  /** Best first; equal scores newest first. Empty when nothing matches. */
  readonly hits: readonly Hit[]
  /**
   * From 0 to 1: the chance that the question is about something that the searched messages talk about. Of answers with
   * .8, about 80 % are; see docs/reference/recall-quality.md for the questions behind that. 0 when no message was found;
   * absent when no messages were searched. It does not say that the answer itself was ever given.
   */
  readonly confidence?: number
  /** Reasons why recall was less than its best, such as `partial index`; empty when it was not. */
  readonly degraded: readonly string[]
}

/** Facts that were found, the best first. */
export interface RecalledFacts {
  readonly hits: readonly FactHit[]
  /** Reasons why recall was less than its best; empty when it was not. */
  readonly degraded: readonly string[]
}
