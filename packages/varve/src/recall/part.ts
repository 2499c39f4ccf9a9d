import type { FoundWord, WordScores } from '../index/score-words.ts'
import type { Segment } from '../index/segment.ts'
import type { Question } from './question.ts'
import type { weights } from './weights.ts'

export type PartName = keyof typeof weights

/** The values of one signal for one question: one a candidate, in their order, with the reason in plain words. */
export interface Part {
  readonly name: PartName
  /** Each from 0 to 1. */
  readonly values: Float32Array
  /**
   * `about`: a signal on the words of the message. `is`: a signal on its speaker or time; it counts only as far as the
   * message answers the question.
   */
  readonly kind: 'about' | 'is'
  /**
   * Gives the reason, from the value and its place among the candidates. Other programs go on with the segment before
   * this call. So it may read only columns that never change for a message.
   */
  text(doc: number, value: number, at: number): string
}

/** The least cosine that is called close. Below it two texts only touch. */
export const closeCosine = 0.4

/** The input of the signals. A signal that lacks its part of it gives nothing, so that it misleads nobody. */
export interface SignalInput {
  readonly segment: Segment
  readonly question: Question
  /** Messages that may be found and have words or a vector. */
  readonly candidates: Int32Array
  /** The messages around each candidate (index/windows.ts). */
  readonly windows: Int32Array
  readonly words: readonly FoundWord[]
  readonly scores: WordScores
  /**
   * Cosines of all messages with the question, and one place after the last message. `noVector` marks a message without
   * a vector. Undefined without vectors.
   */
  readonly cosines: Float32Array | undefined
}

/** The input of a signal that looks at each message by itself. */
export type OwnSignalInput = Pick<SignalInput, 'segment' | 'question' | 'candidates'>
