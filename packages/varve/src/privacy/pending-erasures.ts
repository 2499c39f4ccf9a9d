import { uuidv7 } from '../ids/uuid.ts'
import { claimErasures, markErasuresDone, pendingErasures, type Receipt, releaseErasures } from '../storage/erase/receipts.ts'
import type { WritingHere } from '../storage/here.ts'
import { maxNeedleBytes } from '../storage/needles.ts'

/** The lease of an erasure: a rewrite of a large file takes seconds. */
const leaseMs = 60_000

/** Tries within one call: a reader that holds the log is often gone a moment later. */
const triesPerCall = 5
const pauseBetweenTriesMs = 40

/** The result of a turn at erasing: receipts that are done, and those that are left, with the reason of the last failure. */
export interface FinishedErasures {
  readonly done: number
  readonly settled: boolean
  readonly left: number
  readonly reason?: string
}

/**
 * Erasures whose words may still stand in the files' bytes. The words themselves live only here, until the files were
 * searched for them.
 */
export class PendingErasures {
  readonly #holder = uuidv7()
  readonly #needles = new Map<string, readonly Uint8Array[]>()
  #needleBytes = 0

  remember({ id, physical }: Receipt, needles: readonly Uint8Array[] | undefined): void {
    if (physical === 'done' || needles === undefined) return
    const bytes = needles.reduce((sum, needle) => sum + needle.length, 0)
    if (this.#needleBytes + bytes > maxNeedleBytes) return
    this.#needleBytes += bytes
    this.#needles.set(id, needles)
  }

  /**
   * Overwrites the words of erasures in the files' bytes, unless another process is doing it. Gives the number of
   * receipts that are done.
   */
  async finish(here: WritingHere): Promise<FinishedErasures> {
    let finished = 0
    let failure: string | undefined
    for (let tries = 0; tries < triesPerCall; tries += 1) {
      if ((await here.read(pendingErasures())).length === 0) return { done: finished, settled: true, left: 0 }
      const { done, reason } = await this.#try(here)
      finished += done
      failure = reason
      if (reason !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseBetweenTriesMs))
    }
    const left = (await here.read(pendingErasures())).length
    return { done: finished, settled: left === 0, left, ...(left === 0 || failure === undefined ? {} : { reason: failure }) }
  }

  async #try(here: WritingHere): Promise<{ readonly done: number; readonly reason: string | undefined }> {
    const { ids, upTo } = await here.write(() => claimErasures(this.#holder, here.now, here.now + leaseMs))
    if (ids.length === 0) return { done: 0, reason: undefined }
    const words = ids.every((id) => this.#needles.has(id)) ? ids.flatMap((id) => this.#needles.get(id) ?? []) : undefined
    const reason = await here.eraseBytes(words)
    if (reason !== undefined) {
      await here.write(() => releaseErasures(this.#holder, reason))
      return { done: 0, reason }
    }
    await here.write(() => markErasuresDone(this.#holder, upTo, here.now))
    for (const id of ids) this.#drop(id)
    return { done: ids.length, reason: undefined }
  }

  #drop(id: string): void {
    for (const needle of this.#needles.get(id) ?? []) this.#needleBytes -= needle.length
    this.#needles.delete(id)
  }
}

/** Gives the erasures that a place must finish. */
export function erasuresIn(here: Pick<WritingHere, 'keep'>): PendingErasures {
  return here.keep(PendingErasures, () => new PendingErasures())
}
