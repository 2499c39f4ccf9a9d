import type { PlacedSession } from '../storage/derived/parts.ts'
import type { NewPart } from '../storage/derived/part-stores.ts'
import type { Chunk } from '../tasks/parts/read-span.ts'
import type { ProjectCalendar } from './dated/said-phrase.ts'
import type { Problem } from '../tasks/problem.ts'

/** A run of a session's messages, for some layers (bits). Its words are read from the store where they are needed. */
export interface SpanOf extends PlacedSession {
  readonly name: string
  readonly chunk: Chunk
  readonly layers: number
  /** The most tokens of one message. */
  readonly maxTokens: number
  /** The project's, by which times are dated. */
  readonly calendar: ProjectCalendar
  /** Attributes of its owner's states, for the prompt of a layer that sees them. */
  readonly attributes?: readonly string[]
}

/** A layer whose part of an answer cannot be used, with the reason. */
export interface BadPart {
  readonly layer: number
  readonly problem: Problem
}

/** The result of an answer: the usable parts, and the problems of the others, in Varve's own words. */
export interface ParsedSpan {
  readonly parts: readonly NewPart[]
  readonly bad: readonly BadPart[]
}

/** Gives the key of a span within its session, which does not depend on the order of reading. */
export function spanKey({ chunk: { from, to }, layers }: SpanOf): string {
  return `${from} ${to} ${layers}`
}
