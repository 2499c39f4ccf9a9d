import type { Origin, Role } from '../messages/message.ts'

/** The writer names of texts by a person, and of texts written without a language model. */
export const byHand = 'person'
export const extractive = 'extractive'

/**
 * The predicate of an end that a person asked for: "forget what I said about my car". It ends every fact that holds all
 * words of its object, and waits until the host erases the messages or dismisses the request.
 */
export const askedToForget = 'asked to forget'
/** The same of a request that a person dismissed: its end stays. */
export const dismissedForget = 'had asked to forget'

/** A message for a writer: its words, without text that Varve itself had added. */
export interface SourceMessage {
  /** Its place in its session: written sentences cite it by this number. */
  readonly seq: number
  readonly role: Role
  readonly origin: Origin
  /** The speaker, where known. */
  readonly name?: string
  /** The time when it was said: UTC milliseconds. */
  readonly at: number
  readonly text: string
  /** True for an assistant's answer that its project shares. */
  readonly isShared?: true
  /** The message's own vector, of length 1, if it has one. */
  readonly vector?: Float32Array
}

/** A sentence of a gist, or a bullet of a bank entry, with its sources: places (seq) of messages, ascending. */
export interface Sentence {
  readonly text: string
  readonly from: readonly number[]
}

/** The bounds of a gist. The dates that Varve adds (`added-dates.ts`) come on top of its words. */
export interface GistBounds {
  readonly maxSentences: number
  readonly maxWords: number
}

/** The bounds of a bank entry's bullets together. Dates come on top, as in gists. */
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
  /** Its weight beside the others, over 0. */
  readonly weight: number
}

/** A bullet of a digest, and the places of its source entries. */
export interface DigestBullet {
  readonly text: string
  readonly from: readonly number[]
}

/**
 * One statement of a person, as a writer read it: a fact holds (`is`), holds no more (`ends`), or never held (`wrong`).
 * `when` gives the start of an `is`.
 */
export interface StatedFact {
  readonly says: 'is' | 'ends' | 'wrong'
  /** A name as it was said; '' for the speaker. */
  readonly subject: string
  /**
   * In the present tense and lower case, as it follows the subject: `lives in`, `works at`, `likes`. An end with `*` or
   * `asked to forget` is about every fact that holds all words of its object.
   */
  readonly predicate: string
  /** As it was said, without an article. '' only for an end without a named object: "I quit my job". */
  readonly object: string
  /** The object that this one replaces, when the speaker corrects a statement: "my birthday is the 5th, not the 4th". */
  readonly instead?: string
  /** The message that says so (its place in the session), and words of it exactly as they stand there. */
  readonly seq: number
  readonly quote: string
  /** Other messages whose words it uses, such as the one that named the subject. It goes with any of them. */
  readonly also?: readonly number[]
  /** The time when it began, ended, happens or happened, in words of the message: "in May", "last Friday", "two weeks ago". */
  readonly when?: string
  /** The end of its time, where the same statement gives it: "until Friday". */
  readonly until?: string
  /** The tense of the statement: past for "moved in May", future for "will move in May". */
  readonly tense: 'past' | 'present' | 'future'
  /** From 0 to 1. */
  readonly confidence: number
  /**
   * True when a subject has one object of it at a time. Counts only for predicates that the registry does not know;
   * absent: several.
   */
  readonly single?: boolean
  /**
   * True for a state that holds for a while only and has a told end: "this week only". Then the state before it holds
   * again.
   */
  readonly passing?: boolean
  /** True for what happened once: it has the time that its words tell, or the day of its message, and ends no state. */
  readonly event?: boolean
  /** Places in the same list (from 0) of the facts that this one depends on. */
  readonly restsOn?: readonly number[]
}

/** A person's statement about a subject, for the document of that subject. */
export interface SubjectFact {
  /** As it was named; '' for the speaker. */
  readonly subject: string
  /** The statement in one line. */
  readonly fact: string
  /** The place of the message that says so. */
  readonly seq: number
  /** Other messages whose words it uses. It goes with any of them. */
  readonly also?: readonly number[]
  /** The thing without a name of its own that it is about. It is the speaker's: Ann's boat is not Bob's. */
  readonly thing?: string
}

/** A standing instruction that a person gave, in the person's words. */
export interface StatedInstruction {
  /**
   * The words as said, whitespace joined, at most 300 characters. A clause cut out of a longer sentence is enough when it
   * stands by itself.
   */
  readonly text: string
  /** The message it was said in: its place among the messages given, and its range there, in UTF-16 code units. */
  readonly message: number
  readonly begins: number
  readonly ends: number
  /**
   * True when it only takes back earlier instructions and asks nothing new: "you can stop showing TypeScript", "forget what
   * I said about emojis".
   */
  readonly isWithdrawal: boolean
}

/** A statement that something holds, with the words that said it. */
export interface SaidState {
  readonly predicate: string
  readonly object: string
  /** The sentence, as it was said. */
  readonly text: string
  /** The time when it was said: UTC milliseconds. */
  readonly at: number
  /** True for what was read loosely: it takes more to link it with another statement. */
  readonly isLoose?: boolean
}

/**
 * Writes without a language model, from the words that were said. Each method is pure: the same input, the same output. A list of
 * messages must not change after it was read: what was read of it is kept with it.
 */
export interface ExtractiveWriter {
  /** Summarises a span in the order of the talk. Returns an empty list for a span without content. */
  gist(messages: readonly SourceMessage[], bounds?: GistBounds): Sentence[]
  /** Returns the points of a span most worth keeping, the most valuable first. */
  bullets(messages: readonly SourceMessage[], bounds?: BulletBounds): Sentence[]
  /**
   * Joins the sentences of several parts of a session. With gist bounds they keep the order of the parts, with bullet
   * bounds the order of their worth.
   */
  fuse(parts: readonly (readonly Sentence[])[], bounds: GistBounds | BulletBounds): Sentence[]
  /** Makes the bullets of one entry out of several entries', the most valuable first. */
  digest(children: readonly DigestSource[], bounds?: BulletBounds): DigestBullet[]
  /** Returns plain statements of persons: rather few and precise. Ignores assistants and tools. English only. */
  facts(messages: readonly SourceMessage[]): StatedFact[]
  /**
   * Returns the sentences in which persons plainly speak of themselves, their things and their decisions, as they were
   * said. English only.
   */
  subjects(messages: readonly SourceMessage[]): SubjectFact[]
  /**
   * Returns the standing instructions and preferences that persons plainly give, in the order of the messages: rather few
   * and precise. Ignores assistants and tools. English only.
   */
  instructions(messages: readonly SourceMessage[]): StatedInstruction[]
  /** Tells whether an instruction ends an earlier one: it takes its place, or takes it back. */
  endsInstruction(later: string, earlier: string): boolean
  /** Tells whether a person's later statement about the same subject ends an earlier one that was said in other words. */
  statesEndedBy(later: SaidState, earlier: readonly SaidState[]): readonly SaidState[]
}
