import type { ModelAnswer } from '../models/language-model.ts'
import type { Ceiling } from '../storage/log/ledger.ts'

/** A prompt of a language model, and its length. */
export interface SizedPrompt {
  readonly instructions: string
  readonly prompt: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly schemaName: string
  readonly maxOutputTokens: number
  /** Tokens of the prompt, estimated. */
  readonly tokens: number
}

export interface AskedFor {
  readonly project: number
  readonly task: string
  /** Bits of the layers that it is for. */
  readonly layers: number
  readonly ceiling: Ceiling
  /** When the ceiling's day is over: UTC milliseconds. */
  readonly dayEnds: number
}

/** A language model as the loops that write layers know it: its requests are counted, and it is left alone while it fails. */
export interface AskedModel {
  /** Stands as the writer of what it wrote: `provider:model`. */
  readonly name: string
  /** Since when, by the store's clock, it may be asked again: UTC milliseconds. */
  readonly notBefore: number
  /** Requests that were sent since the process began, to any of the models. */
  readonly made: number
  isUp(): boolean
  /** Tokens of prompt and answer together. */
  window(signal: AbortSignal): Promise<number>
  /** The model's answer. ModelFailed when there is none, the ceiling included: then `retryAfterMs` says when another try makes sense. */
  ask(asked: SizedPrompt, about: AskedFor, signal: AbortSignal): Promise<ModelAnswer>
}
