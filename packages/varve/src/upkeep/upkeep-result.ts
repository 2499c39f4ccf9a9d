import { allWaiting, type WaitingSessions } from './waiting.ts'

/** The options of a run of upkeep. */
export interface UpkeepRunOptions {
  /** Begins no new work after so many seconds. Default 60. */
  readonly maxSeconds?: number | undefined
  /** The kinds of work. Default: all. */
  readonly kinds?: readonly UpkeepKind[] | undefined
  /**
   * Begins nothing new after so many requests to a language model. Begun work is finished, which may take a few more.
   * Default: no bound.
   */
  readonly maxCalls?: number | undefined
  /**
   * Reads every session that has something new, without waiting for 10 minutes of quiet or 20 messages. Default: false.
   * With a language model each session costs a call or more, again whenever something was added. Do not use it after
   * every write.
   */
  readonly all?: boolean | undefined
}

/** Kinds of work, in the order in which they are done. */
export const upkeepKinds = ['erasures', 'embeddings', 'layers'] as const
export type UpkeepKind = (typeof upkeepKinds)[number]

/** The result of a run of upkeep. */
export interface UpkeepResult {
  /** Erasures whose bytes were overwritten. */
  readonly erasures: number
  /** Passages that got a vector. */
  readonly embedded: number
  /** Sessions that were read to their end. */
  readonly distilled: number
  /** Digests that were made. */
  readonly digested: number
  /** Facts that were worked into documents. */
  readonly documented: number
  /** Sessions whose notes were brought up to date. */
  readonly noted: number
  /** True when nothing is left that could be done now. */
  readonly settled: boolean
  /** Sessions that are left for later, since they may go on. `run({ all: true })` reads them now. */
  readonly waiting: WaitingSessions
}

export const nothingDone: UpkeepResult = {
  erasures: 0,
  embedded: 0,
  distilled: 0,
  digested: 0,
  documented: 0,
  noted: 0,
  settled: true,
  waiting: { sessions: 0 },
}

/** Adds up the results of two runs. */
export function together(one: UpkeepResult, other: UpkeepResult): UpkeepResult {
  return {
    erasures: one.erasures + other.erasures,
    embedded: one.embedded + other.embedded,
    distilled: one.distilled + other.distilled,
    digested: one.digested + other.digested,
    documented: one.documented + other.documented,
    noted: one.noted + other.noted,
    settled: one.settled && other.settled,
    waiting: allWaiting(one.waiting, other.waiting),
  }
}
