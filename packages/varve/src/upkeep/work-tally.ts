import type { StoredReason } from '../errors/stored-reason.ts'
import type { Limits } from '../distil/limits.ts'
import type { PieceOfWork } from '../storage/claims.ts'
import type { PartitionWork } from '../storage/log/runs.ts'
import { addedWork, type RunKind } from '../storage/log/run-work.ts'

/** The limits of a turn, with the tally that its work is counted in. */
export interface TalliedLimits extends Limits {
  readonly tally?: WorkTally
}

/** Counts the work of a turn by kind and partition: each piece once, however often it is looked at. */
export class WorkTally {
  readonly #work = new Map<string, PartitionWork>()
  readonly #seen: Set<string>

  /** `seen` holds the pieces that the run counted in earlier turns. */
  constructor(seen: Set<string>) {
    this.#seen = seen
  }

  due(kind: RunKind, piece: PieceOfWork): void {
    if (this.#isNew('due', kind, piece)) this.add({ ...nothingOf(kind, piece.partition), due: 1 })
  }

  done(kind: RunKind, piece: PieceOfWork): void {
    if (this.#isNew('done', kind, piece)) this.add({ ...nothingOf(kind, piece.partition), done: 1 })
  }

  /** Gives the receiver of a piece's failures. */
  failing(kind: RunKind, piece: PieceOfWork): (failure: StoredReason) => void {
    return (failure) => {
      const failed = Number(this.#isNew('failed', kind, piece))
      this.add({ ...nothingOf(kind, piece.partition), failed, failures: [{ ...failure, count: 1 }] })
    }
  }

  add({ partition, ...work }: PartitionWork): void {
    const key = `${work.kind} ${partition}`
    this.#work.set(key, { partition, ...addedWork(this.#work.get(key), work) })
  }

  /** Gives the work so far. */
  read(): readonly PartitionWork[] {
    return [...this.#work.values()]
  }

  #isNew(count: 'due' | 'done' | 'failed', kind: RunKind, { ref }: PieceOfWork): boolean {
    const key = `${count} ${kind} ${ref}`
    if (this.#seen.has(key)) return false
    this.#seen.add(key)
    return true
  }
}

/** The pieces that the newest run of upkeep counted, in all of its turns. */
export class CountedPieces {
  #run: string | undefined
  #seen = new Set<string>()

  of(run: string | undefined): Set<string> {
    if (run === undefined || run !== this.#run) this.#seen = new Set()
    this.#run = run
    return this.#seen
  }
}

/** Gives an empty count. */
export function nothingOf(kind: RunKind, partition: number | undefined): PartitionWork {
  return { kind, partition, due: 0, done: 0, failed: 0, failures: [] }
}
