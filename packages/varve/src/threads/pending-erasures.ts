import { uuidv7 } from '../ids/uuid.ts'
import type { Erasure } from '../storage/erase/erasure.ts'
import { maxNeedleBytes } from '../storage/needles.ts'
import { claimErasures, finishErasures, type Receipt, releaseErasures } from '../storage/erase/receipts.ts'
import { classify } from '../storage/sqlite/classify.ts'
import { eraseBytes } from '../storage/sqlite/erase-bytes.ts'
import type { Writer } from '../storage/sqlite/writer.ts'

/** How long an erasure is claimed for: a rewrite of a large file takes seconds. */
const leaseMs = 60_000

/** What was erased and may still stand in the files' bytes. The words themselves live only here, until the files were searched for them. */
export class PendingErasures {
  readonly #writer: Writer
  readonly #file: string
  readonly #holder = uuidv7()
  readonly #needles = new Map<string, readonly Uint8Array[]>()
  #needleBytes = 0

  constructor(writer: Writer, file: string) {
    this.#writer = writer
    this.#file = file
  }

  remember({ receipt, needles }: Erasure): Receipt {
    if (receipt.physical === 'done' || needles === undefined) return receipt
    const bytes = needles.reduce((sum, needle) => sum + needle.length, 0)
    if (this.#needleBytes + bytes > maxNeedleBytes) return receipt
    this.#needleBytes += bytes
    this.#needles.set(receipt.id, needles)
    return receipt
  }

  /** Gets what was erased out of the files' bytes, as far as nobody else is at it; gives back how many receipts are done. */
  async finish(now: number): Promise<{ done: number; reason: string | undefined }> {
    const { ids, upTo } = await this.#writer.write(() => claimErasures(this.#holder, now, now + leaseMs))
    if (ids.length === 0) return { done: 0, reason: undefined }
    const words = ids.every((id) => this.#needles.has(id)) ? ids.flatMap((id) => this.#needles.get(id) ?? []) : undefined
    const reason = await this.#tryErasing(words)
    if (reason !== undefined) {
      await this.#writer.write(() => releaseErasures(this.#holder, reason))
      return { done: 0, reason }
    }
    await this.#writer.write(() => finishErasures(this.#holder, upTo, now))
    for (const id of ids) this.#drop(id)
    return { done: ids.length, reason: undefined }
  }

  async #tryErasing(words: readonly Uint8Array[] | undefined): Promise<string | undefined> {
    try {
      const outcome = await eraseBytes(this.#writer.connection, words)
      return outcome.done ? undefined : outcome.reason
    } catch (error) {
      return classify(error, this.#file, 'erasure').message
    }
  }

  #drop(id: string): void {
    for (const needle of this.#needles.get(id) ?? []) this.#needleBytes -= needle.length
    this.#needles.delete(id)
  }
}
