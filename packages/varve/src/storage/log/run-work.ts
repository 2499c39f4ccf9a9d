import type { WorkKind } from '../work.ts'

/** A kind of work of upkeep, as its log and its failures name it. */
export type RunKind = 'erasure' | 'embedding' | WorkKind

/** A reason why work failed, in Varve's own words. */
export interface RunFailure {
  /** The code of the error. */
  readonly code: string
  readonly reason: string
  /** How often it was met. */
  readonly count: number
}

/** What a run did of one kind of work. */
export interface RunWork {
  readonly kind: RunKind
  /**
   * Pieces of work that were found: erasures, texts without a vector, sessions to read or to take notes of, banks, and
   * users whose facts wait for documents.
   */
  readonly due: number
  /** Pieces that were finished, or got further. One that the extractive writer did in place of the model failed too. */
  readonly done: number
  /** Pieces that failed, and are tried again. */
  readonly failed: number
  /** The newest reasons, at most five, the newest first. */
  readonly failures: readonly RunFailure[]
}

/** The most reasons of one kind that are kept. */
const mostReasons = 5

/** Adds up the work of one kind; the reasons of `later` come first. */
export function addedWork(earlier: RunWork | undefined, later: RunWork): RunWork {
  if (earlier === undefined) return { ...later, failures: later.failures.slice(0, mostReasons) }
  const failures = [...later.failures]
  for (const one of earlier.failures) {
    const at = failures.findIndex(({ code, reason }) => code === one.code && reason === one.reason)
    const known = failures[at]
    if (known === undefined) failures.push(one)
    else failures[at] = { ...known, count: known.count + one.count }
  }
  return {
    kind: later.kind,
    due: earlier.due + later.due,
    done: earlier.done + later.done,
    failed: earlier.failed + later.failed,
    failures: failures.slice(0, mostReasons),
  }
}
