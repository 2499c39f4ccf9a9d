import type { NewPart } from '../storage/derived/part-stores.ts'
import type { Chunk } from '../tasks/parts/read-span.ts'
import type { Problem } from '../tasks/problem.ts'

/** A run of a session's messages, for some layers (bits). Its words are read from the store where they are needed. */
export interface SpanOf {
  readonly session: number
  readonly name: string
  readonly chunk: Chunk
  readonly layers: number
  /** Tokens that one message may have. */
  readonly maxTokens: number
}

/** What was made of an answer: the parts that can be used, and what is wrong with the others, in our own words. */
export interface ParsedSpan {
  readonly parts: readonly NewPart[]
  readonly bad: readonly { readonly layer: number; readonly problem: Problem }[]
}
