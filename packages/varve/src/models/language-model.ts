/** The outcomes of a request to a provider, as the ledger has them. */
export const callOutcomes = ['answered', 'refused', 'limited', 'unavailable', 'late', 'unreadable', 'cancelled'] as const

/**
 * The outcome of a request to a provider.
 *
 * - `answered`: with a JSON object.
 * - `refused`: it will refuse the same request again (4xx).
 * - `limited`: too many requests (429).
 * - `unavailable`: 5xx, or nobody answered.
 * - `late`: no answer within the deadline.
 * - `unreadable`: an answer without a JSON object.
 * - `cancelled`: by the caller.
 */
export type CallOutcome = (typeof callOutcomes)[number]

/** The end of one request. Tokens are the provider's own count, 0 when it gives none. `ms` is its time in milliseconds. */
export interface CallEnd {
  readonly outcome: CallOutcome
  readonly inputTokens: number
  readonly outputTokens: number
  /** Input tokens that were read from the provider's cache, and written to it; absent when it does not tell. */
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly ms: number
}

/** Counts requests. An error of it ends the call, and nothing is sent. */
export interface CallMeter {
  /** Called before each request to the provider, repeated ones included. Returns the function to call when that request has ended. */
  begin(): Promise<(end: CallEnd) => Promise<void>>
}

/** A request to a model for one JSON object. */
export interface ModelRequest {
  /** The system prompt: the only place for instructions. */
  readonly instructions: string
  /** The user prompt: instructions about the data, and the data within fences. */
  readonly prompt: string
  /** JSON schema (draft 2020-12, as zod's toJSONSchema makes it) of the requested object. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Letters, digits, _ and -, as providers take them for a schema's name. */
  readonly schemaName: string
  readonly maxOutputTokens: number
  /** Estimated tokens of the prompt; absent: unknown. */
  readonly tokens?: number
  /** Milliseconds for the whole call, with repeated requests and their pauses. A cut answer that is asked for again has them anew. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
  readonly meter: CallMeter
}

/** A model's answer: an object as JSON, not yet checked against the schema. */
export interface ModelAnswer {
  readonly object: Readonly<Record<string, unknown>>
  /** The reason why the model stopped: `length` means that the answer was cut at `maxOutputTokens`. */
  readonly finish: 'stop' | 'length' | 'other'
}

/** A language model that answers with JSON. Failures reject with `ModelFailed`, or with `Cancelled` for the caller's signal. */
export interface LanguageModel {
  /** `provider:model`: stands in the ledger, and as the writer of the model's texts. */
  readonly name: string
  /** Returns the tokens of prompt and answer together: as configured, as the provider tells, or a careful default. */
  window(signal: AbortSignal): Promise<number>
  ask(request: ModelRequest): Promise<ModelAnswer>
}
