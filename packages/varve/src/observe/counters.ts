/** Counters of a memory while it is open. */
export interface Counters {
  readonly appended: number
  readonly duplicates: number
  readonly replaced: number
  readonly recalls: number
  readonly contexts: number
  readonly forgotten: number
  /** Messages that an append left out, since they had been forgotten. */
  readonly forgottenBefore: number
  readonly erased: number
  /** Passages that got a vector. */
  readonly embedded: number
  /** Sessions that were read to their end for derived layers. */
  readonly distilled: number
  /** Digests that were added to banks. */
  readonly digested: number
  /** Statements that were refused as facts or instructions: their words are not in their message, or are nobody's own. */
  readonly factsRefused: number
  /** Updates of notes, and refused calls of their writers. */
  readonly noted: number
  readonly notesRefused: number
  /** Statements about subjects that were worked into documents. */
  readonly documented: number
  /** Requests to language models. */
  readonly modelCalls: number
  /** Calls that failed open: recall or context returned nothing, because the store failed. */
  readonly failedOpen: number
  readonly warnings: number
  /** Threads of the engine that ended by themselves and were started anew. */
  readonly threadsRestarted: number
}

export type CounterName = keyof Counters

export class Counting {
  readonly #counts: Record<CounterName, number> = {
    appended: 0,
    duplicates: 0,
    replaced: 0,
    recalls: 0,
    contexts: 0,
    forgotten: 0,
    forgottenBefore: 0,
    erased: 0,
    embedded: 0,
    distilled: 0,
    digested: 0,
    factsRefused: 0,
    noted: 0,
    notesRefused: 0,
    documented: 0,
    modelCalls: 0,
    failedOpen: 0,
    warnings: 0,
    threadsRestarted: 0,
  }

  add(name: CounterName, count = 1): void {
    this.#counts[name] += count
  }

  read(): Counters {
    return { ...this.#counts }
  }
}
