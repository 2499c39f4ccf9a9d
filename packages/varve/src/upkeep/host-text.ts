import { estimateTokenCount } from 'tokenx'
import { objectIn } from '../models/json-answer.ts'
import type { ModelAnswer } from '../models/language-model.ts'

/** The longest answer of a host's own model, in bytes of UTF-8: as long as that of a configured one may be. */
export const longestAnswer = 262_144

/** An answer of the host's own model, as it was read. */
export interface HostText {
  readonly object: ModelAnswer['object']
  /** `unreadable`: there is no JSON object in it, which counts as an answer without a single part. */
  readonly outcome: 'answered' | 'unreadable'
  /** Estimated tokens. */
  readonly tokens: number
}

/** Reads an answer: a JSON object, or a text that holds one. */
export function hostText(answer: string | ModelAnswer['object']): HostText {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const object = typeof answer === 'string' ? objectIn(answer) : answer
  return { object: object ?? {}, outcome: object === undefined ? 'unreadable' : 'answered', tokens: estimateTokenCount(text) }
}
