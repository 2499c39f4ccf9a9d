import { MemoryClosed } from '../../errors/memory-closed.ts'
import type { RowScope } from '../call-scope.ts'
import type { Patience } from '../patience.ts'
import type { Program } from '../program.ts'
import { endsConnection } from './classify.ts'

/** The most that one commit carries, in messages: it bounds how long an acknowledgement waits for the others. */
const maxCommitWeight = 500

/** What a write asks of its transaction. */
export interface AskedOfWrite {
  readonly patience: Patience
  /** The partition of the call that writes; undefined for work on the whole store. */
  readonly scope: RowScope | undefined
}

interface Queued extends AskedOfWrite {
  /** Writes of one lane go in their order; one without a lane waits for nobody. A lane has one scope. */
  readonly lane: string | undefined
  readonly weight: number
}

interface Waiting extends AskedOfWrite {
  readonly program: () => Program<void>
  readonly weight: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Runs programs in one transaction, in their order. */
export type WriteAll = (programs: readonly (() => Program<void>)[], asked: AskedOfWrite) => Promise<void>

/**
 * Writes of one process. Those of one partition go in their order, in a lane, and those that wait together share a
 * commit: side by side they would change the same row, and all but one begin anew. Lanes run beside each other.
 */
export class Lanes {
  readonly #write: WriteAll
  readonly #lanes = new Map<string, Waiting[]>()
  readonly #underWay = new Set<Promise<void>>()
  #isClosed = false

  constructor(write: WriteAll) {
    this.#write = write
  }

  /** Queues a program. */
  write<Result>(program: () => Program<Result>, { lane, weight, patience, scope }: Queued): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new MemoryClosed())
    return new Promise<Result>((resolve, reject) => {
      const results: Result[] = []
      const waiting: Waiting = {
        ...{ weight, patience, scope, reject },
        *program() {
          // A program that begins anew has the result of its last run.
          results[0] = yield* program()
        },
        resolve: () => results.forEach((result) => resolve(result)),
      }
      if (lane === undefined) return this.#follow(this.#one(waiting))
      const queue = this.#lanes.get(lane)
      if (queue !== undefined) return void queue.push(waiting)
      const made = [waiting]
      this.#lanes.set(lane, made)
      this.#follow(this.#serve(lane, made))
    })
  }

  /** Refuses further writes, and resolves when all earlier ones are answered. */
  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  #follow(work: Promise<void>): void {
    this.#underWay.add(work)
    void work.finally(() => this.#underWay.delete(work))
  }

  async #serve(lane: string, queue: Waiting[]): Promise<void> {
    // Calls of the same turn of the event loop share the first commit.
    await Promise.resolve()
    while (queue.length > 0) await this.#commit(taken(queue))
    this.#lanes.delete(lane)
  }

  /** Refusals are rare, so a commit has no savepoints; after one, each request has a transaction of its own. */
  async #commit(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch
    if (first === undefined) return
    if (batch.length === 1) return this.#one(first)
    const patience = batch.some((one) => one.patience === 'full') ? 'full' : 'brief'
    try {
      await this.#write(
        batch.map(({ program }) => program),
        { patience, scope: first.scope },
      )
      for (const { resolve } of batch) resolve()
    } catch (error) {
      // One of them may have been refused. Without its server, the store would refuse each.
      if (endsConnection(error)) for (const { reject } of batch) reject(error)
      else for (const waiting of batch) await this.#one(waiting)
    }
  }

  async #one({ program, patience, scope, resolve, reject }: Waiting): Promise<void> {
    try {
      await this.#write([program], { patience, scope })
      resolve()
    } catch (error) {
      reject(error)
    }
  }
}

function taken(queue: Waiting[]): Waiting[] {
  let weight = 0
  let count = 0
  for (const waiting of queue) {
    weight += waiting.weight
    if (count > 0 && weight > maxCommitWeight) break
    count += 1
  }
  return queue.splice(0, count)
}
