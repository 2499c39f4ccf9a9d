import type { Origin, Role } from '../messages/message.ts'

/** The writer's name of what a person wrote, and of what was written without a language model. */
export const byHand = 'person'
export const extractive = 'extractive'

/** What a writer reads of a message: its words, without what Varve itself had put into them. */
export interface SourceMessage {
  /** Its place in its session: what is written cites it by this number. */
  readonly seq: number
  readonly role: Role
  readonly origin: Origin
  /** Who speaks, where that is known. */
  readonly name?: string
  /** When it was said: UTC milliseconds. */
  readonly at: number
  readonly text: string
  /** The message's own vector, of length 1, where it has one. */
  readonly vector?: Float32Array
}

/** A sentence of a gist, or a bullet of a bank entry, and what it rests upon: places (seq) of messages, ascending. */
export interface Sentence {
  readonly text: string
  readonly from: readonly number[]
}

/** How long a gist may be. */
export interface GistBounds {
  readonly maxSentences: number
  readonly maxWords: number
}

/** How long the bullets of a bank entry may be, together. */
export interface BulletBounds {
  readonly maxBullets: number
  readonly maxWords: number
}

/** 4 to 8 sentences, as the systems before this one asked for. */
export const gistBounds: GistBounds = { maxSentences: 8, maxWords: 180 }
/** 1 to 3 bullets of a conversation, in under 80 words. */
export const bulletBounds: BulletBounds = { maxBullets: 3, maxWords: 80 }
/** 2 to 4 bullets of a day, a week, a month or a year, in under 120 words. */
export const digestBounds: BulletBounds = { maxBullets: 4, maxWords: 120 }

/** An entry of a bank that goes into a digest. */
export interface DigestSource {
  readonly bullets: readonly { readonly text: string }[]
  /** How much it counts beside the others, over 0. */
  readonly weight: number
}

/** A bullet of a digest, and the places of the entries that it rests upon. */
export interface DigestBullet {
  readonly text: string
  readonly from: readonly number[]
}

/**
 * What one statement of a person says, as a writer took it from the words: that something holds (`is`; from when on, `when`
 * tells), that it holds no more (`ends`), or that it never did (`wrong`).
 */
export interface StatedFact {
  readonly says: 'is' | 'ends' | 'wrong'
  /** A name as it was said; '' for whoever speaks. */
  readonly subject: string
  /** In the present tense, lower case, as one would say it after the subject: `lives in`, `works at`, `likes`. */
  readonly predicate: string
  /** As it was said, without an article. '' only where something ends of which it is not said what: "I quit my job". */
  readonly object: string
  /** The object in whose place this one comes, where the speaker corrects a statement: "my birthday is the 5th, not the 4th". */
  readonly instead?: string
  /** The message (its place in the session) that says so, and words of it exactly as they stand there. */
  readonly seq: number
  readonly quote: string
  /** Other messages whose words it takes, such as the one that named the subject: it goes with any of them. */
  readonly also?: readonly number[]
  /** When it began, ended, happens or happened, in words of the message: "in May", "last Friday", "two weeks ago". */
  readonly when?: string
  /** Until when it holds, where that is said along with the rest: "until Friday". */
  readonly until?: string
  /** Of the statement: past for "moved in May", future for "will move in May". */
  readonly tense: 'past' | 'present' | 'future'
  /** From 0 to 1. */
  readonly confidence: number
  /** Whether a subject has one object of it at a time. Counts only for predicates that the registry does not know; absent: several. */
  readonly single?: boolean
  /** Places in the same list (from 0) of the facts without which this one does not hold. */
  readonly restsOn?: readonly number[]
}

/** What a person said of a subject, to be kept in the document of that subject. */
export interface SubjectFact {
  /** As it was named; '' for whoever speaks. */
  readonly subject: string
  /** In one line. */
  readonly fact: string
  /** The message that says so. */
  readonly seq: number
  /** Other messages whose words it takes: it goes with any of them. */
  readonly also?: readonly number[]
}

/** Writes without a language model, from the words that were said. Each method is pure: the same input, the same output. */
export interface ExtractiveWriter {
  /** What a span was about, in the order of the talk. Empty for a span that says nothing. */
  gist(messages: readonly SourceMessage[], bounds?: GistBounds): Sentence[]
  /** What is most worth keeping of a span; the first most of all. */
  bullets(messages: readonly SourceMessage[], bounds?: BulletBounds): Sentence[]
  /**
   * One out of what was written of several parts of a session: a gist in the order of the parts, or bullets in the
   * order of their worth, as the bounds say.
   */
  fuse(parts: readonly (readonly Sentence[])[], bounds: GistBounds | BulletBounds): Sentence[]
  /** The bullets of one entry out of several entries', in the order of their worth. */
  digest(children: readonly DigestSource[], bounds?: BulletBounds): DigestBullet[]
  /** Plain statements of persons, precise rather than many. Nothing of what an assistant or a tool said. English. */
  facts(messages: readonly SourceMessage[]): StatedFact[]
  /** What persons plainly say of themselves, of what is theirs and of what they decided: the sentences as they were said. English. */
  subjects(messages: readonly SourceMessage[]): SubjectFact[]
}
