import type { EmbeddingStatus } from '../models/embedding-model.ts'
import type { DistilledLayer } from '../storage/layers.ts'
import type { RunKind } from '../storage/log/run-work.ts'
import type { LayerCost } from './costs.ts'
import type { WaitingSessions } from './waiting.ts'

/** Sessions for each layer that is read from them. */
export type SessionsByLayer = Readonly<Record<DistilledLayer, number>>

/** The state of the background work. */
export interface UpkeepStatus {
  /**
   * Waiting work by kind. `erasures`: erasures whose bytes are not overwritten yet. `embeddings`: messages and derived
   * texts without a vector. By layer: sessions with messages that were not read, or were read before the layer was
   * switched on or rebuilt. `edits`: facts that wait to be worked into documents. `notes`: sessions whose notes are
   * due.
   */
  readonly backlog: SessionsByLayer & {
    readonly erasures: number
    readonly embeddings: number
    readonly edits: number
    readonly notes: number
  }
  /** Sessions that `run()` leaves for later. */
  readonly waiting: WaitingSessions
  /**
   * Sessions with provisional items, by layer. The extractive writer wrote them in place of the model. They serve, and
   * are written again.
   */
  readonly provisional: SessionsByLayer
  /** The time since which the oldest erasure, or the oldest settled unread session, waits: UTC milliseconds. */
  readonly oldestDue?: number
  /** The cost of the last 30 days, by layer. A call for several layers is divided among them: the sum is what the ledger has. */
  readonly cost: readonly LayerCost[]
  /** The language model; absent when the extractive writer writes. */
  readonly languageModel?: { readonly name: string; readonly notBefore?: number }
  /** Work that failed and is tried again. */
  readonly failures: readonly UpkeepFailure[]
  /** The embedding model; absent when there is none. */
  readonly embedding?: EmbeddingStatus & {
    /** Tokens embedded a second of work, in this process; absent before the first. */
    readonly tokensPerSecond?: number
    /** Passages that the model refused. Recall finds them by their words only. */
    readonly refused: number
  }
}

/** A piece of work that failed. `attempts` counts its failures in a row. */
export interface UpkeepFailure {
  readonly kind: RunKind
  /** The id of the receipt, or the number of the partition or session in the store. */
  readonly id: string
  readonly attempts: number
  readonly reason: string
}
