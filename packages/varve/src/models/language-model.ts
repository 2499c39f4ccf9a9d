/** How a request to a provider ended; stands in the ledger. */
export const callOutcomes = ['answered', 'refused', 'limited', 'unavailable', 'late', 'unreadable', 'cancelled'] as const

/**
 * `refused`: it will refuse the same request again (4xx). `limited`: too many requests (429). `unavailable`: 5xx, or nobody
 * answered. `late`: nothing within the deadline. `unreadable`: an answer that holds no JSON object. `cancelled`: by the caller.
 */
export type CallOutcome = (typeof callOutcomes)[number]

/** What became of one request. Tokens are the provider's own count, 0 where it gives none. */
export interface CallEnd {
  readonly outcome: CallOutcome
  readonly inputTokens: number
  readonly outputTokens: number
  readonly ms: number
}

/** Counts requests. Whatever it rejects with ends the call, and nothing is sent. */
export interface CallMeter {
  /** Before each request to the provider, repeated ones included; gives back what is to be called when that request has ended. */
  begin(): Promise<(end: CallEnd) => Promise<void>>
}

/** What is asked of a model: one JSON object. */
export interface ModelRequest {
  /** The system prompt: the only place for instructions. */
  readonly instructions: string
  /** The user prompt: instructions about the data, and the data within fences. */
  readonly prompt: string
  /** JSON schema (draft 2020-12, as zod's toJSONSchema makes it) of the object that is asked for. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Letters, digits, _ and -: what providers take for a schema's name. */
  readonly schemaName: string
  readonly maxOutputTokens: number
  /** For the whole call, repeated requests and their pauses included. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
  readonly meter: CallMeter
}

/** What the model answered: an object as JSON, not yet held against the schema. */
export interface ModelAnswer {
  readonly object: Readonly<Record<string, unknown>>
  /** Why the model stopped: `length` means that the answer was cut at `maxOutputTokens`. */
  readonly finish: 'stop' | 'length' | 'other'
}

/** A language model that answers with JSON. What cannot be done rejects with `ModelFailed`, or with `Cancelled` for the caller's signal. */
export interface LanguageModel {
  /** Stands in the ledger, and as the writer of what it wrote: `provider:model`. */
  readonly name: string
  /** Tokens of prompt and answer together: as configured, as the provider tells, or a careful default. */
  window(signal: AbortSignal): Promise<number>
  ask(request: ModelRequest): Promise<ModelAnswer>
}
