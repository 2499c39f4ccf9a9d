import type { Cost } from '../../shared/usage.ts'
import type { Origin } from '../product.ts'
import type { Loaded, RecalledAt, Store } from '../tasks.ts'

/** The model's runtime, as VARVE_EMBEDDINGS names it. */
export const runtimes = ['wasm', 'native'] as const
export type Runtime = (typeof runtimes)[number]

/**
 * The tasks of a child with vectors, each in a process of its own. Those with a runtime make real ones.
 *
 * `asked` is a file of questions: onnxruntime-node 1.30 overflows the stack of a thread when the process's command line
 * has over 14 KB.
 */
export type EmbeddedTask =
  | { readonly kind: 'fill'; readonly store: Store; readonly questions: number }
  | { readonly kind: 'recall'; readonly store: Store; readonly runtime: Runtime; readonly asked: string }
  | { readonly kind: 'load'; readonly store: Store; readonly runtime: Runtime }
  | { readonly kind: 'embed'; readonly store: Store; readonly runtime: Runtime; readonly messages: number }
  | { readonly kind: 'settle'; readonly store: Store; readonly runtime: Runtime; readonly appends: number }
  | {
      readonly kind: 'model'
      readonly from: Origin
      readonly runtime: Runtime
      readonly threads: number
      readonly messages: number
      readonly asked: string
    }
  | { readonly kind: 'signals'; readonly store: Store; readonly asked: string }

export interface Filled {
  /** The file of the questions, which are made where the model's tokens can be counted. */
  readonly asked: string
  readonly bytesPerMessage: number
  /** The share of messages whose made-up vector is over the floor of a real question's. */
  readonly overFloor: number
}

export interface Embedded extends Cost {
  readonly tokens: number
  readonly messages: number
}

export interface Settled extends Cost {
  readonly appends: number
  /** Milliseconds until the last append was durable; the rest of the time is embedding. */
  readonly appendedMs: number
}

export interface Modelled extends Embedded {
  /** The cost of each question alone, after a warm-up. */
  readonly questions: readonly Cost[]
}

/** The cost of one step of ranking for a question, in µs. */
export interface StepCost {
  readonly name: string
  readonly cpu: number
  /** The best of each question's runs, averaged over questions. */
  readonly best: number
}

export interface SignalCosts {
  readonly messages: number
  readonly candidates: number
  readonly steps: readonly StepCost[]
}

export interface EmbeddedAnswers {
  readonly fill: Filled
  readonly recall: RecalledAt
  readonly load: Loaded
  readonly embed: Embedded
  readonly settle: Settled
  readonly model: Modelled
  readonly signals: SignalCosts
}
