import type { Sentence } from '../models/writer.ts'
import type { Composed, Finished, ReadState } from '../storage/derived/distilled.ts'
import type { NewPart } from '../storage/derived/parts.ts'
import type { Chunk } from './chunks.ts'
import type { Outline, Outlines } from './compose.ts'
import type { Asked, LedgerTasks } from './model-calls.ts'
import type { Parsed, Problem } from './prompts/problem.ts'
import type { ReadingOptions, SessionReading } from './session-reading.ts'

/** Of what writes, and how it is told to be looked at again. */
export interface Written {
  readonly writer: string
  /** Written without the model that should have: to be written again. */
  readonly provisional: boolean
}

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

/** What distilling needs of a store and of the thread that writes for it. */
export interface DistilTasks extends LedgerTasks {
  readSession(id: number, options: ReadingOptions): Promise<SessionReading | undefined>
  /** What to ask a model about a span; undefined when no writer may read any of it. */
  askSpan(span: SpanOf): Promise<Asked | undefined>
  /** The same for one layer whose answer could not be used, with the problem. */
  askSpanAgain(span: SpanOf, problem: Problem): Promise<Asked | undefined>
  parseSpan(span: SpanOf, object: Readonly<Record<string, unknown>>, written: Written): Promise<ParsedSpan>
  extractSpan(span: SpanOf, written: Written): Promise<readonly NewPart[]>
  /** Stores parts, and holds the session until a time. */
  storeParts(read: ReadState, parts: readonly NewPart[], now: number, until: number): Promise<boolean>
  outlines(session: number, project: number, wanted: number, again: boolean): Promise<Outlines>
  /** What to ask a model to fuse an outline's parts. */
  askFusion(outline: Outline): Promise<Asked>
  /** Sentences, or what is wrong with the answer. */
  parseFusion(outline: Outline, object: Readonly<Record<string, unknown>>): Promise<Parsed>
  extractFusion(outline: Outline, session: number): Promise<readonly Sentence[]>
  /** The item that an outline comes to, analysed for the index. */
  compose(outline: Outline, sentences: readonly Sentence[], session: number, written: Written): Promise<Composed>
  finishReading(read: ReadState, finished: Finished, now: number): Promise<boolean>
}
