import type { Cost } from '../shared/usage.ts'
import type { Origin } from './product.ts'

/** The store of a task: `messages` in all, in equal partitions. */
export interface Store {
  readonly file: string
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

/** The cost of all messages but the first. */
export interface Imported extends Cost {
  readonly first: Cost & { readonly messages: number }
  readonly peakMb: number
  readonly bytesPerMessage: number
}

export interface AppendedAt extends Cost {
  readonly atOnce: number
  readonly appends: number
}

export interface Appended {
  /** The system's own cost to sync a page at that time. */
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

export interface Answers {
  readonly import: Imported
  readonly append: Appended
  readonly load: Loaded
  readonly recall: RecalledAt
}

/** Returns the name of a partition's user. */
export function userOf(partition: number): string {
  return `user-${partition}`
}
