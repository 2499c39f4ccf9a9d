import type { SaidState, SourceMessage, StatedFact, SubjectFact } from '../models/writer.ts'
import type { InstructionEndings } from './instructions/instruction-endings.ts'
import type { InstructionPatterns } from './instructions/instruction-patterns.ts'

/**
 * Phrases that tell how much a sentence is worth. Each is the source of a regular expression that matches whole words in
 * upper or lower case.
 */
export interface CuePhrases {
  /** Decisions, outcomes and plans. */
  readonly decision: readonly string[]
  /** Wishes, rules and habits: they hold from now on. */
  readonly standing: readonly string[]
  /** Days, months and other times that are named in words. */
  readonly time: readonly string[]
  /** The speaker speaks of himself. */
  readonly firstPerson: readonly string[]
  /** The speaker speaks of the listener. */
  readonly secondPerson: readonly string[]
  /** A sentence that begins with one of these points back: without the sentence before it, nobody understands it. */
  readonly pointsBack: readonly string[]
}

/** Talk that says nothing. */
export interface SmallTalk {
  /** Phrases that may stand before a sentence, with a mark after them: `oh`, `thanks a lot`. */
  readonly interjections: readonly string[]
  /** A sentence of these words and names alone makes no statement. */
  readonly politeWords: readonly string[]
  /** Words of feelings and resolves. A sentence that has one, and hardly a word beside it, tells nothing. */
  readonly feelings?: readonly string[]
  /** Words that say little beside a feeling: `go`, `thing`. */
  readonly plainWords?: readonly string[]
  /** Matches a resolve: `keep going`. */
  readonly resolve?: RegExp
  /** Matches the beginning of a sentence that only reacts to what another said. */
  readonly reaction?: RegExp
  /** Phrases that may stand after a sentence: `by the way`. */
  readonly afterthoughts?: readonly string[]
}

/** Patterns that sort the sentences of a working session into the sections of its notes. */
export interface RemarkPatterns {
  /** Do not do this again; this was wrong. */
  readonly correction?: RegExp
  /** A failure, or the cause of one. */
  readonly failure?: RegExp
  /** A decision, or a rule for the future. */
  readonly decision?: RegExp
  /** The verb "decide" in any form: in an assistant's sentence it marks a decision as well. */
  readonly decides?: RegExp
  readonly learning?: RegExp
  readonly result?: RegExp
  /** A statement about the system's structure. */
  readonly system?: RegExp
  /** A next step. */
  readonly next?: RegExp
  /** The sentence tells what somebody else says. */
  readonly reported?: RegExp
  /** A question, by its first word: people in haste leave out the mark. */
  readonly question?: RegExp
  /** An assistant announces its next step. The step itself goes into the notes, not the announcement. */
  readonly announcement?: RegExp
  /** Words of a plan, which may be no more than a resolve: `I'll`. */
  readonly intends?: RegExp
  /** Thanks and greetings at the beginning of a sentence, which are cut off. */
  readonly pleasantry?: RegExp
}

/** All that the extractive writers know of one language. A part that is absent is left out for that language. */
export interface LanguagePack {
  /** ISO 639-1. */
  readonly language: string
  readonly cues: CuePhrases
  readonly smallTalk: SmallTalk
  /** Abbreviations whose full stop ends no sentence, without that stop. Each is the source of a regular expression. */
  readonly abbreviations: readonly string[]
  readonly remarks: RemarkPatterns
  /** Matches the beginning of an assistant's sentence that tells only what its answer is about to do. */
  readonly opensAnswer?: RegExp
  /** Matches a conjunction at the beginning of a sentence. It is cut off where the sentence before is not written. */
  readonly conjunction?: RegExp
  /**
   * The facts that persons plainly state in this language. Sentences in another language yield none. The lists of all packs are
   * joined, so that no fact may use `restsOn`.
   */
  readonly facts?: (messages: readonly SourceMessage[]) => StatedFact[]
  /** Tells whether a later statement about the same subject ends an earlier one that was said in other words. */
  readonly statesEndedBy?: (later: SaidState, earlier: readonly SaidState[]) => readonly SaidState[]
  /** The sentences in which persons tell of themselves, of their things or of their decisions. */
  readonly subjects?: (messages: readonly SourceMessage[]) => SubjectFact[]
  /** The patterns of standing instructions. */
  readonly instructions?: InstructionPatterns
  /** The words by which a later instruction ends an earlier one. */
  readonly endings?: InstructionEndings
}
