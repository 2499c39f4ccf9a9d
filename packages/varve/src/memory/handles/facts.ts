// Written from operations/facts.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { Fact, Merge } from '../../facts/fact.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { RecalledFacts } from '../../recall/hit.ts'
import type { Time } from '../../messages/time.ts'
import { factOperations } from '../../operations/facts.ts'

/** Options of `facts.list`. */
export interface FactsListOptions extends CallOptions, ListOptions {
  /** A name, or `I`, `me`, `user` for the user. */
  readonly subject?: string | undefined
  /** True at this time. Default: at `asOf`, else now. */
  readonly validAt?: Time | undefined
  /** As it was believed at this time. Default: now. */
  readonly asOf?: Time | undefined
}

/** Options of `facts.query`. */
export interface FactQuery extends CallOptions, ListOptions {
  /** Only this subject: a name, or `I`, `me`, `user` for the user. */
  readonly subject?: string | undefined
  /** Only this predicate, in words that mean the same. */
  readonly predicate?: string | undefined
  /** Only this object. */
  readonly object?: string | undefined
  /** True at this time. Default: at `asOf`, else now. */
  readonly validAt?: Time | undefined
  /** As it was believed at this time. Default: now. */
  readonly asOf?: Time | undefined
}

/** Options of `facts.recall`. */
export interface FactsRecallOptions extends CallOptions {
  /** The most hits. Default 10. From 1 to 1,000. */
  readonly limit?: number | undefined
  /** Only this session. */
  readonly session?: string | undefined
  /** All sessions but this one. */
  readonly excludeSession?: string | undefined
  /** Said at this time or later. */
  readonly from?: Time | undefined
  /** Said at this time or earlier; a bare day means its end. */
  readonly to?: Time | undefined
  /** Leaves out hits below this score, which compares the hits of one question. Default 0. From 0 to 1. */
  readonly minScore?: number | undefined
  /** A hit that was said this many days ago has half of its score. From 0.001 to 100,000. */
  readonly halfLifeDays?: number | undefined
  /** True at this time. Default: at `asOf`, else now. */
  readonly validAt?: Time | undefined
  /** As it was believed at this time. Default: now. */
  readonly asOf?: Time | undefined
}

/** Options of `facts.around`. */
export interface FactsAroundOptions extends CallOptions, ListOptions {
  /** The most steps. Default 2. From 1 to 4. */
  readonly hops?: number | undefined
  /** True at this time. Default: at `asOf`, else now. */
  readonly validAt?: Time | undefined
  /** As it was believed at this time. Default: now. */
  readonly asOf?: Time | undefined
}

/** Options of `facts.add`. */
export interface FactInput {
  /** A name. Default: the user. */
  readonly subject?: string | undefined
  /** The predicate, such as `lives in`, `likes`. */
  readonly predicate: string
  /** The object, such as `Oslo`. */
  readonly object: string
  /** The time from which it is true. Default: now. */
  readonly validFrom?: Time | undefined
  /** The time until which it is true. Default: no end. */
  readonly validUntil?: Time | undefined
  /** Its confidence. Default 1. From 0 to 1. */
  readonly confidence?: number | undefined
  /** Whether an unknown predicate has one object at a time. Default false. */
  readonly single?: boolean | undefined
  /** Ids of the facts without which it does not hold. */
  readonly dependsOn?: readonly string[] | undefined
  /** Messages that say so. */
  readonly sources?:
    | readonly {
        /** The id of a message. */
        readonly message: string
        /** Words of it, as they stand there. */
        readonly text?: string | undefined
        /** The first character. */
        readonly from?: number | undefined
        /** The character after the last. */
        readonly to?: number | undefined
      }[]
    | undefined
  /**
   * The name of the agent that writes; left out: a person. Without a source, what an agent writes is a note: it ends and
   * changes nothing that a person said.
   */
  readonly writer?: string | undefined
  /** The session from which an agent notes it: the note is no claim about a message, and goes with the session. */
  readonly during?: string
}

/** Options of `facts.correct`. */
export interface FactChanges {
  /** The object, such as `Oslo`. */
  readonly object?: string | undefined
  /** The time from which it is true. */
  readonly validFrom?: Time | undefined
  /** The time until which it is true. */
  readonly validUntil?: Time | undefined
  /** Its confidence. From 0 to 1. */
  readonly confidence?: number | undefined
  /**
   * The name of the agent that writes; left out: a person. Without a source, what an agent writes is a note: it ends and
   * changes nothing that a person said.
   */
  readonly writer?: string | undefined
  /** The session from which an agent notes it: the note is no claim about a message, and goes with the session. */
  readonly during?: string
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `facts.retract`. */
export interface FactsRetractOptions extends CallOptions {
  /** The end of the time in which it was true. */
  readonly validUntil?: Time | undefined
  /**
   * The name of the agent that writes; left out: a person. Without a source, what an agent writes is a note: it ends and
   * changes nothing that a person said.
   */
  readonly writer?: string | undefined
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `facts.restore`. */
export interface FactsRestoreOptions extends CallOptions {
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/**
 * Facts: subject, predicate and object, when each is true, when it was believed, and whose words say so. Statements
 * are stored, and validity is derived from them, so a forgotten statement leaves nothing behind.
 */
export class UserFacts {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Lists the facts that hold now, the last said first; of one subject, or of all. A page has at most 50 items by
   * default.
   */
  list(options: FactsListOptions = {}): Listing<Fact> {
    return this.calls.list(factOperations.list, {}, options)
  }

  /**
   * Finds facts by subject, predicate and object, the last said first. By default it finds the facts that hold now, as
   * they are believed now; `validAt` and `asOf` name other times. Empty when nothing was said. A page has at most 50
   * items by default.
   *
   * @example await ada.facts.query({ subject: 'I', predicate: 'lives in', validAt: '2026-06-01' })
   */
  query(options: FactQuery = {}): Listing<Fact> {
    return this.calls.list(factOperations.query, {}, options)
  }

  /**
   * Finds facts by their words and their meaning. Fails open as recall does.
   *
   * @param query The question, in words: it has no syntax.
   */
  recall(query: string, options: FactsRecallOptions = {}): Promise<RecalledFacts> {
    return this.calls.call(factOperations.recall, { query }, options)
  }

  /**
   * Lists the facts that hold within some steps of a name: its own facts, those of the names in them, and so on. A page
   * has at most 100 items by default.
   *
   * @param entity A name, or `I`, `me`, `user` for the user.
   */
  around(entity: string, options: FactsAroundOptions = {}): Listing<Fact & { hops: number }> {
    return this.calls.list(factOperations.around, { entity }, options)
  }

  /**
   * Lists the history of a fact’s slot, by the fact’s id, or of a subject with or without a predicate. Replaced facts
   * are in it too. The first to begin comes first. A page has at most 10,000 items by default.
   *
   * @param of The id of a fact, or a subject with or without a predicate.
   * @throws {VarveError} NOT_FOUND
   */
  history(
    of:
      | string
      | {
          /** A name, or `I`, `me`, `user` for the user. */
          readonly subject: string
          /** The predicate, such as `lives in`, `likes`. */
          readonly predicate?: string | undefined
        },
    options: CallOptions & ListOptions = {},
  ): Listing<Fact> {
    return this.calls.list(factOperations.history, { of }, options)
  }

  /**
   * Adds a fact by hand. Where the predicate has one object at a time, the fact closes the fact that began before it. A
   * fact about an earlier time takes its place in between, and closes no later one. The same fact again gets one source
   * more.
   *
   * @throws {VarveError} NOT_FOUND, LIMIT_EXCEEDED
   * @example await ada.facts.add({ subject: 'I', predicate: 'works at', object: 'the ferry office', validFrom: '2026-03-01' })
   */
  add(fact: FactInput, options: CallOptions = {}): Promise<Fact> {
    return this.calls.whole(factOperations.add, { named: 'fact', fields: fact }, options)
  }

  /**
   * Corrects a fact that was never true as it was said, with effect on the past. Its begin stays, unless it is changed.
   * For something that changed, add a new fact.
   *
   * @param id The id of a fact.
   * @throws {VarveError} NOT_FOUND, LIMIT_EXCEEDED, STALE_REVISION
   */
  correct(id: string, changes: FactChanges, options: CallOptions = {}): Promise<Fact> {
    return this.calls.whole(factOperations.correct, { placed: { id }, named: 'changes', fields: changes }, options)
  }

  /**
   * Takes back a fact that was never true. With `validUntil`, it was true until then. The history still has the old
   * belief. To erase words, forget the messages.
   *
   * @param id The id of a fact.
   * @throws {VarveError} NOT_FOUND, LIMIT_EXCEEDED, STALE_REVISION
   */
  retract(id: string, options: FactsRetractOptions = {}): Promise<Fact> {
    return this.calls.call(factOperations.retract, { id }, options)
  }

  /**
   * Takes back the last correction or retraction by hand of a fact: it is believed again, with its own times and
   * sources. `list` with `asOf` tells the belief in between. A second call changes nothing. InvalidOption for a fact
   * that nobody changed, and for one whose correction was changed in its turn.
   *
   * @param id The id of a fact.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  restore(id: string, options: FactsRestoreOptions = {}): Promise<Fact> {
    return this.calls.call(factOperations.restore, { id }, options)
  }

  /**
   * Lists the merges of names of the last 30 days, the newest first, with who made each and when. A page has at most 100
   * items by default.
   */
  merges(options: CallOptions & ListOptions = {}): Listing<Merge> {
    return this.calls.list(factOperations.merges, {}, options)
  }

  /**
   * Takes a merge of names back: each name counts as it did before. A second call changes nothing. InvalidOption when
   * the merge is older than 30 days, or when one of its names was forgotten since.
   *
   * @param id The id of a merge.
   * @throws {VarveError} NOT_FOUND
   */
  unmerge(id: string, options: CallOptions = {}): Promise<Merge> {
    return this.calls.call(factOperations.unmerge, { id }, options)
  }

  /**
   * Makes a name count as another from now on, in earlier facts too.
   *
   * @param entity A name, or `I`, `me`, `user` for the user.
   * @param into The name that it counts as; `I` for the user.
   * @example await ada.facts.merge('Addie', 'I')
   */
  merge(entity: string, into: string, options: CallOptions = {}): Promise<void> {
    return this.calls.call(factOperations.merge, { entity, into }, options)
  }
}
