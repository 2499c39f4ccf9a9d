import type { FactChanges, FactInput } from '../facts/fact-input.ts'
import type { Fact } from '../facts/fact.ts'
import type { FactQuery, FactTimes, Time } from '../facts/request.ts'
import { factOperations } from '../operations/facts.ts'
import type { Listing, ListOptions } from '../operations/list.ts'
import type { PartitionMeans } from '../operations/means.ts'
import type { CallOptions } from '../operations/call-options.ts'
import type { FactHit } from '../recall/hit.ts'
import type { RecallOptions } from '../recall/request.ts'
import type { Calls } from './calls/calls.ts'

/** Facts that were found; best first. */
export interface RecalledFacts {
  readonly hits: readonly FactHit[]
  /** What kept recall from its best; empty when nothing did. */
  readonly degraded: readonly string[]
}

/**
 * What is known: subject, predicate and object, when it is true and when it was believed, and by whose words. Statements
 * are stored, and validity is derived from them: so a forgotten statement leaves nothing behind.
 */
export class UserFacts {
  readonly #calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.#calls = calls
  }

  /** What holds now, what was said last first; of one subject, or of all. Default limit 50. */
  list(options: FactTimes & CallOptions & ListOptions & { subject?: string | undefined } = {}): Listing<Fact> {
    return this.#calls.list(factOperations.list, {}, options)
  }

  /**
   * Facts by subject, predicate and object: what holds now as far as is known now, or at other times; what was said last
   * first. Empty when nothing was said of it.
   *
   * @example await ada.facts.query({ subject: 'I', predicate: 'lives in', validAt: '2026-06-01' })
   */
  query(query: FactQuery & ListOptions & CallOptions): Listing<Fact> {
    return this.#calls.list(factOperations.query, {}, query)
  }

  /** Finds facts by their words and their meaning; the options are those of `recall`, with the times. Fails open as recall does. */
  recall(
    query: string,
    options: Omit<RecallOptions, 'kinds' | 'metadata' | 'neighbours'> & FactTimes & CallOptions = {},
  ): Promise<RecalledFacts> {
    return this.#calls.call(factOperations.recall, { query }, options)
  }

  /**
   * What holds within so many steps of a name (1 to 4, default 2): its own facts, those of what they speak of, and so
   * on. Default limit 100.
   */
  around(
    entity: string,
    options: FactTimes & CallOptions & ListOptions & { hops?: number | undefined } = {},
  ): Listing<Fact & { readonly hops: number }> {
    return this.#calls.list(factOperations.around, { entity }, options)
  }

  /**
   * All that was ever believed of what a fact is about (by its id), or of a subject, perhaps with a predicate: what
   * took its place too. What began first first.
   */
  history(of: string | { subject: string; predicate?: string | undefined }, options: CallOptions & ListOptions = {}): Listing<Fact> {
    return this.#calls.list(factOperations.history, { of }, options)
  }

  /**
   * Adds a fact by hand. Of a predicate with one object at a time it closes the one before it, and comes in its place if it
   * began earlier; the same fact said again has one source more.
   *
   * @example await ada.facts.add({ subject: 'I', predicate: 'works at', object: 'the ferry office', validFrom: '2026-03-01' })
   */
  add(fact: FactInput, options: CallOptions = {}): Promise<Fact> {
    return this.#calls.whole(factOperations.add, { named: 'fact', fields: fact }, options)
  }

  /**
   * Puts a fact right, with effect on the past: it never was as it was said. When it began stays, unless that is what
   * is wrong. For something that changed, add what is new.
   */
  correct(id: string, changes: FactChanges, options: CallOptions = {}): Promise<Fact> {
    return this.#calls.whole(factOperations.correct, { placed: { id }, named: 'changes', fields: changes }, options)
  }

  /**
   * Takes a fact back: it never was so; or, with `validUntil`, it was so until then. Its history still tells what was
   * believed. To erase words, forget the messages.
   */
  retract(id: string, options: CallOptions & { validUntil?: Time | undefined } = {}): Promise<Fact> {
    return this.#calls.call(factOperations.retract, { id }, options)
  }

  /**
   * Has a name count as another from now on, in what was said before as well: `merge('Sandy', 'Alexandra Wind')`,
   * `merge('Addie', 'I')`.
   */
  merge(entity: string, into: string, options: CallOptions = {}): Promise<void> {
    return this.#calls.call(factOperations.merge, { entity, into }, options)
  }
}
