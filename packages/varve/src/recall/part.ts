import type { FoundWord, WordScores } from '../index/score-words.ts'
import type { Segment } from '../index/segment.ts'
import type { Question } from './question.ts'
import type { weights } from './weights.ts'

export type PartName = keyof typeof weights

/** What a signal gives for one question: its values of the candidates, in their order, and why, in plain words. */
export interface Part {
  readonly name: PartName
  /** Each from 0 to 1. */
  readonly values: Float32Array
  /** `about`: what the message says; `is`: what it is, which counts only as far as it says something to the question. */
  readonly kind: 'about' | 'is'
  /**
   * Why, given its value, and its place among the candidates. Other programs go on with the segment before it is
   * asked for: only what never changes for a message may be read.
   */
  text(doc: number, value: number, at: number): string
}

/** A cosine that may be called close: below it two texts only touch. */
export const closeCosine = 0.4

/** What signals are made from. A signal whose ground is missing here is left out: it is silent, and misleads nobody. */
export interface SignalGround {
  readonly segment: Segment
  readonly question: Question
  /** Messages that may be found and have something to be found by. */
  readonly candidates: Int32Array
  /** Those around each candidate (index/windows.ts). */
  readonly windows: Int32Array
  readonly words: readonly FoundWord[]
  readonly scores: WordScores
  /**
   * Cosines of all messages with the question, and of a place after the last, `noVector` where there is none;
   * undefined without vectors.
   */
  readonly cosines: Float32Array | undefined
}

/** What a signal needs that looks at each message by itself. */
export type OwnGround = Pick<SignalGround, 'segment' | 'question' | 'candidates'>
