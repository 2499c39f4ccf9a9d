import type { Cost } from '../shared/usage.ts'
import type { Origin } from './product.ts'

/** The store of a task: `messages` in all, in equal partitions. */
export interface Store {
  /** A file, or the address of a PostgreSQL store. */
  readonly place: string
  readonly partitions: number
  readonly messages: number
  /** The measured varve. */
  readonly from: Origin
}

/** The tasks of a child process. Each has a process of its own, with its own memory and first times. */
export type Task =
  | { readonly kind: 'import'; readonly store: Store }
  | { readonly kind: 'append'; readonly store: Store; readonly appends: number; readonly atOnce: readonly number[] }
  | { readonly kind: 'load'; readonly store: Store }
  | { readonly kind: 'recall'; readonly store: Store; readonly questions: number }
  | { readonly kind: 'forget'; readonly store: Store; readonly sessions: number; readonly delayMs: number }
  | { readonly kind: 'upkeep'; readonly store: Store; readonly sessions: number; readonly delayMs: number }
  | { readonly kind: 'idle'; readonly store: Store; readonly seconds: number }

/** The cost of all messages but the first. */
export interface Imported extends Cost {
  readonly first: Cost & { readonly messages: number }
  readonly peakMb: number
  readonly bytesPerMessage: number
}

export interface AppendedAt extends Cost {
  readonly atOnce: number
  readonly appends: number
  /** The time of the median append. */
  readonly p50Ms: number
}

export interface Appended {
  /** The least cost of a commit at that time: to sync a page of a file, or a server's for one row. */
  readonly sync: Cost
  readonly lanes: readonly AppendedAt[]
}

export interface Loaded {
  readonly first: Cost
  /** The same question again, right after: the part of the first that was not loading. */
  readonly again: Cost
}

export interface RecalledAt {
  readonly open: Cost
  /** The first question of the process. */
  readonly first: Cost
  readonly warm: readonly Cost[]
  readonly openMb: number
  readonly residentMb: number
  /** The mean tokens of a question, as the model counts them; 0 without vectors. */
  readonly tokens: number
}

/** One call over a network. */
export interface Called {
  readonly wallMs: number
  readonly turns: number
  readonly statements: number
}

/** Calls over a network that takes a little longer. */
export interface CalledFarAway {
  /** The delay as it was, on average. */
  readonly delayMs: number
  readonly calls: readonly Called[]
  /** The same call when nothing is left to do, where there is such a call. */
  readonly again: readonly Called[]
}

/** What an instance costs that nobody asks anything. */
export interface Idled {
  readonly statementsPerSecond: number
  readonly connections: number
  readonly cpuMsPerSecond: number
  /** CPU of the server; undefined where its processes cannot be seen. */
  readonly serverCpuMsPerSecond?: number
}

export interface Answers {
  readonly forget: CalledFarAway
  readonly upkeep: CalledFarAway
  readonly idle: Idled
  readonly import: Imported
  readonly append: Appended
  readonly load: Loaded
  readonly recall: RecalledAt
}

/** Returns the name of a partition's user. */
export function userOf(partition: number): string {
  return `user-${partition}`
}
