import type { ModelAnswer } from '../models/language-model.ts'
import type { Ceiling } from '../storage/log/ledger.ts'

/** A request to a model, with its size. */
export interface SizedPrompt {
  readonly instructions: string
  readonly prompt: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly schemaName: string
  readonly maxOutputTokens: number
  /** Estimated tokens of the prompt. */
  readonly tokens: number
  /** True where an earlier answer could not be used. */
  readonly isAgain?: true
}

/** The tokens of a request to a host's own model, with its answer. The prompt takes room in a running conversation. */
export const handedWindow = 16_384

export interface AskedFor {
  readonly project: number
  readonly task: string
  /** Bits of the layers that it is for. */
  readonly layers: number
  /** The run of upkeep that makes it. */
  readonly run: string | undefined
  readonly ceiling: Ceiling
  /** The end of the ceiling's day: UTC milliseconds. */
  readonly dayEnds: number
}

/** A language model as the loops that write layers know it. Its requests are counted, and it gets none while it fails. */
export interface AskedModel {
  /** The name `provider:model`, which stands as the writer of its texts. */
  readonly name: string
  /** The time, by the store's clock, from which it may be asked again: UTC milliseconds. */
  readonly notBefore: number
  /** The reason of its last failure; undefined while it answers. */
  readonly failure: string | undefined
  /** Requests that were sent since the process began, to any of the models. */
  readonly made: number
  isUp(): boolean
  /** Tokens of prompt and answer together. */
  window(signal: AbortSignal): Promise<number>
  /**
   * Asks the model. ModelFailed when there is no answer, the ceiling included; `retryAfterMs` then tells when another
   * try may succeed.
   */
  ask(asked: SizedPrompt, about: AskedFor, signal: AbortSignal): Promise<ModelAnswer>
}
