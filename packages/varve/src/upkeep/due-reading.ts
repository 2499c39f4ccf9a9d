import type { Layer } from '../storage/layers.ts'

/** A request to the host's own model: what to send it, and until when its answer is awaited. */
export interface DueReading {
  /** Names it for `readings.done`. It serves this user alone, and once. */
  readonly id: string
  /** `distil` reads a part of a conversation, `fuse` joins several parts, `edit` works facts into a document. */
  readonly task: string
  readonly layers: readonly Layer[]
  /** What to do, for the model. It is Varve's own text. */
  readonly instructions: string
  /** The data, quoted within a fence, and what is asked. */
  readonly prompt: string
  /** JSON Schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Estimated tokens of instructions, prompt and schema. */
  readonly tokens: number
  readonly maxOutputTokens: number
  /** From then on, another host may be handed the same: UTC milliseconds. */
  readonly expiresAt: number
}

/**
 * Why there is no reading. `off`: the project has not switched readings on. `model`: a language model is configured, and
 * writes. `nothing`: nothing is due, or other hosts have it. `session` and `day`: the bounds of readings. `ceiling`: the
 * project's ceiling.
 */
export type NoReading = 'off' | 'model' | 'nothing' | 'session' | 'day' | 'ceiling'

/** The next reading, or why there is none; `about` says it in words. */
export type NextReading =
  | { readonly reading: DueReading; readonly about: string }
  | { readonly reading?: never; readonly none: NoReading; readonly about: string }

/**
 * What became of an answer.
 *
 * - `stored`: every part was usable. Single facts and instructions that the span does not bear out are left out.
 * - `again`: some parts were not usable; `reading` asks for those alone, once.
 * - `unused`: some parts were not usable. The text that was written without a model stays in their place.
 * - `stale`: the span changed, the reading was answered already, or another host has it. Nothing was used.
 * - `off`: readings were switched off.
 */
export interface DoneReading {
  readonly outcome: 'stored' | 'again' | 'unused' | 'stale' | 'off'
  readonly about: string
  readonly reading?: DueReading
}
