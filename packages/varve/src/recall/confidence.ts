import { confidenceTerms, leastConfidence, leastEnglish, leastToLeaveOut, mostCosine, mostSaid } from './weights.ts'

/** The evidence that the messages of a partition have something to do with a question. */
export interface Evidence {
  /** The score of the best hit, whatever its age. */
  readonly score: number
  /** The cosine of its meaning, at least 0; undefined by words alone. */
  readonly cosine: number | undefined
  /** The share of the question's telling words that any message has, with rare words weighing more; 1 without such words. */
  readonly known: number
  /** The number of messages in the partition. */
  readonly messages: number
  /** The share of them in English. */
  readonly english: number
  /** The share of the question's words that the best hit says itself, with rare words weighing more. */
  readonly said: number
}

/** From this number of messages on, their number counts no more. */
const manyMessages = 1_000

/**
 * Estimates how likely it is that a question is about something that was talked about: 0 to 1. A logistic regression on
 * the best hit. With the same chance of both beforehand, of all answers with a confidence of .8 some 80 % are to
 * questions about something that was said. docs/reference/recall-quality.md has the questions and the figures.
 *
 * A best hit among few messages is seldom as good as one among many, so few messages raise it.
 */
export function answerConfidence({ score, cosine, known, messages }: Evidence): number {
  const terms = cosine === undefined ? confidenceTerms.wordsAlone : confidenceTerms.withVectors
  const sum = terms.base + terms.score * score + terms.cosine * (cosine ?? 0) + terms.known * known + terms.few * fewness(messages)
  return 1 / (1 + Math.exp(-sum))
}

/** Says how few messages there are: 0 from a thousand on, and 1 more for each time ten fewer. */
export function fewness(messages: number): number {
  return Math.max(0, Math.log10(manyMessages / Math.max(1, messages)))
}

/** The part of a request that decides whether an answer is worth showing. */
interface Asked {
  readonly minConfidence: number | undefined
  readonly session: string | undefined
  readonly from: number
  readonly to: number
  readonly metadata: object | undefined
}

/**
 * Gives the least confidence at which an answer shows its hits. By default nothing is left out in four cases. There are
 * few messages. A filter names the place or the time to search, so that the asker knows of something there. The talk is
 * not English, on which the confidence was fitted. The best hit says much of the question, or means nearly the same.
 */
export function leastToShow({ minConfidence, session, from, to, metadata }: Asked, evidence: Evidence): number {
  if (minConfidence !== undefined) return minConfidence
  const isNarrowed = session !== undefined || metadata !== undefined || Number.isFinite(from) || Number.isFinite(to)
  const isFitted = evidence.messages >= leastToLeaveOut && evidence.english >= leastEnglish
  const isNear = evidence.said >= mostSaid || (evidence.cosine ?? 0) >= mostCosine
  return isNarrowed || !isFitted || isNear ? 0 : leastConfidence
}
