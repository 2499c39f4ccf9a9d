/** What the parent asks of the process that has the memory. */
export type Task =
  | { readonly do: 'append'; readonly count: number; readonly atOnce: number }
  | { readonly do: 'recall'; readonly questions: readonly string[] }
  | { readonly do: 'fill'; readonly count: number }
  /** Waits until all that was appended can be found in every way. */
  | { readonly do: 'settle' }
  | { readonly do: 'usage' }
  /** Collects garbage first. */
  | { readonly do: 'live' }
  | { readonly do: 'end' }

/** What the process took for a task, or so far. */
export interface Taken {
  readonly wallMs: number
  readonly cpuMs: number
  readonly rssMb: number
  /** The objects of the thread that serves: after a collection, those in use. */
  readonly heapMb: number
}

/** The first word of the process. */
export interface Serving {
  readonly url: string
  readonly key: string
}
