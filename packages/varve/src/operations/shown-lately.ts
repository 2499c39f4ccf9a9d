import { VarveError } from '../errors/varve-error.ts'
import type { Engine } from '../engine/engine.ts'
import { ownReason } from '../errors/wordless.ts'
import type { Observer } from '../observe/observer.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Epochs } from '../storage/epochs.ts'

/** A text that was shown, and the id of its item. */
interface ShownItem {
  readonly id: string
  readonly text: string
}

interface Waiting {
  readonly partition: PartitionId
  /** Those of the first look: when anything was erased since, nothing of all is kept. */
  readonly epochs: Epochs
  readonly items: ShownItem[]
  length: number
}

/** The most of one text that is noted, and the length at which no further text waits, in UTF-16 code units. */
const longestText = 65_536

/** The wait until what was shown is noted, so that many recalls cost one write. */
const waitMs = 1_000

/**
 * The texts that recalls and renders showed, until they are noted in the store. They are noted together: before the next
 * append to their partition, after a second, or when the memory closes.
 */
export class ShownLately {
  readonly #engine: Engine
  readonly #observer: Observer
  readonly #waiting = new Map<string, Waiting>()
  #timer: NodeJS.Timeout | undefined

  constructor(engine: Engine, observer: Observer) {
    this.#engine = engine
    this.#observer = observer
  }

  /** Remembers what a user was shown, and the epochs of the state that it was read from. */
  add(partition: PartitionId, epochs: Epochs, items: readonly ShownItem[]): void {
    if (this.#engine.readOnly || partition.owner.kind === 'shared' || items.length === 0) return
    const key = keyOf(partition)
    const waiting = this.#waiting.get(key) ?? { partition, epochs, items: [], length: 0 }
    this.#waiting.set(key, waiting)
    for (const { id, text } of items) {
      if (waiting.length > longestText) break
      waiting.items.push({ id, text: text.slice(0, longestText) })
      waiting.length += Math.min(text.length, longestText)
    }
    this.#timer ??= setTimeout(() => void this.noteAll(), waitMs).unref()
  }

  waits(partition: PartitionId): boolean {
    return this.#waiting.has(keyOf(partition))
  }

  /** Notes what waits of a partition. A store that cannot be written now costs a warning. */
  async note(partition: PartitionId): Promise<void> {
    const key = keyOf(partition)
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) return
    this.#waiting.delete(key)
    try {
      await this.#engine.write('log.noteShown', partition, waiting.items, waiting.epochs)
    } catch (error) {
      const code = VarveError.is(error) ? error.code : 'STORE_FAILED'
      this.#observer.warn(code, `what a recall showed was not noted, so its echo may be indexed: ${ownReason(error)}`, `shown ${code}`)
    }
  }

  async noteAll(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await Promise.all([...this.#waiting.values()].map(({ partition }) => this.note(partition)))
  }
}

function keyOf(partition: PartitionId): string {
  return JSON.stringify(partition)
}
