import { StoreBusy } from '../errors/store-busy.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { Engine } from '../engine/engine.ts'
import { ownReason } from '../errors/wordless.ts'
import type { Observer } from '../observe/observer.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Epochs } from '../storage/epochs.ts'
import type { ContextRecord, ShownTo } from '../storage/log/contexts.ts'
import type { Patience } from '../storage/patience.ts'

/** A text that was shown, and the id of its item. */
interface ShownItem {
  readonly id: string
  readonly text: string
}

/** Texts of recalls and renders that will be one note. */
interface Gathered {
  /** Those of the first look: when anything was erased since, nothing of all is kept. */
  readonly epochs: Epochs
  readonly items: ShownItem[]
  length: number
}

/** A write of what was shown. */
interface Note {
  readonly of: 'context' | 'recall'
  readonly write: (patience: Patience) => Promise<unknown>
  /** By performance.now. */
  readonly since: number
}

/** The notes of a partition. */
interface Waiting {
  readonly partition: PartitionId
  gathered: Gathered | undefined
  /** The notes to be written, the oldest first. */
  readonly notes: Note[]
  /** The last attempt, while it runs. It never rejects. */
  attempt: Promise<StoreBusy | undefined> | undefined
}

/** The most of one text that is noted, and the length at which no further text waits, in UTF-16 code units. */
const longestText = 65_536

/** The wait until what was shown is noted, so that many recalls cost one write, and between attempts on a locked store. */
const waitMs = 1_000

/** The age at which a note is given up, when the store was locked at every attempt. */
const longestWaitMs = 60_000

/** The most notes of a partition that wait: the store keeps twenty of a session. */
const mostNotes = 20

/**
 * The contexts, and the texts of recalls and renders, until they are noted in the store. Contexts are noted at once. Texts
 * are noted together: before the next append to their partition, after a second, or when the memory closes.
 *
 * A note waits only briefly for another process's lock, since the host's recalls may wait for the same thread. It is then
 * tried again later. Only an append gives it the full wait, which is also the append's own.
 */
export class ShownLately {
  readonly #engine: Engine
  readonly #observer: Observer
  readonly #waiting = new Map<string, Waiting>()
  #timer: NodeJS.Timeout | undefined
  #isClosing = false

  constructor(engine: Engine, observer: Observer) {
    this.#engine = engine
    this.#observer = observer
  }

  /** Remembers what a user was shown, and the epochs of the state that it was read from. */
  add(partition: PartitionId, epochs: Epochs, items: readonly ShownItem[]): void {
    if (this.#engine.readOnly || this.#isClosing || partition.owner.kind === 'shared' || items.length === 0) return
    const waiting = this.#of(partition)
    const gathered = (waiting.gathered ??= { epochs, items: [], length: 0 })
    for (const { id, text } of items) {
      if (gathered.length > longestText) break
      gathered.items.push({ id, text: text.slice(0, longestText) })
      gathered.length += Math.min(text.length, longestText)
    }
    this.#later()
  }

  /** Notes a context that a user was shown. Resolves after the first attempt, and never rejects. */
  async context(partition: PartitionId, session: ShownTo, record: ContextRecord): Promise<void> {
    if (this.#engine.readOnly || this.#isClosing) return
    const write: Note['write'] = (patience) => this.#engine.write('log.saveContext', partition, session, record, patience)
    const waiting = this.#of(partition)
    waiting.notes.push({ of: 'context', write, since: performance.now() })
    await this.#attempt(waiting, 'brief')
  }

  waits(partition: PartitionId): boolean {
    return this.#waiting.has(keyOf(partition))
  }

  /**
   * Notes all that waits of a partition, with full patience. Rejects with StoreBusy when another process still holds the
   * store: an append after it would wait for the same lock again. Any other failure costs a warning.
   */
  async note(partition: PartitionId): Promise<void> {
    const waiting = this.#waiting.get(keyOf(partition))
    if (waiting === undefined) return
    this.#gather(waiting)
    const busy = await this.#attempt(waiting, 'full')
    if (busy !== undefined) throw busy
  }

  /** Waits for the attempts that run now: those of a partition, or all. */
  async underWay(partition?: PartitionId): Promise<void> {
    if (partition !== undefined) await this.#waiting.get(keyOf(partition))?.attempt
    else await Promise.all([...this.#waiting.values()].map(({ attempt }) => attempt))
  }

  /** Notes all that waits, or warns. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#noteAll()
  }

  async #noteAll(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const attempts = [...this.#waiting.values()].map((waiting) => {
      this.#gather(waiting)
      return this.#attempt(waiting, 'brief')
    })
    await Promise.all(attempts)
  }

  #later(): void {
    this.#timer ??= setTimeout(() => void this.#noteAll(), waitMs).unref()
  }

  #of(partition: PartitionId): Waiting {
    const key = keyOf(partition)
    const waiting = this.#waiting.get(key) ?? { partition, gathered: undefined, notes: [], attempt: undefined }
    this.#waiting.set(key, waiting)
    return waiting
  }

  /** Makes the gathered texts a note. */
  #gather(waiting: Waiting): void {
    const { partition, gathered } = waiting
    if (gathered === undefined) return
    waiting.gathered = undefined
    const { items, epochs } = gathered
    const write: Note['write'] = (patience) => this.#engine.write('log.noteShown', partition, items, epochs, patience)
    waiting.notes.push({ of: 'recall', write, since: performance.now() })
  }

  /** Writes the notes of a partition, after the attempt that runs. Resolves with StoreBusy when notes are left. */
  async #attempt(waiting: Waiting, patience: Patience): Promise<StoreBusy | undefined> {
    const attempt = (waiting.attempt ?? Promise.resolve()).then(() => this.#write(waiting, patience))
    waiting.attempt = attempt
    const busy = await attempt
    if (waiting.attempt === attempt) waiting.attempt = undefined
    const isIdle = waiting.attempt === undefined && waiting.notes.length === 0 && waiting.gathered === undefined
    if (isIdle) this.#waiting.delete(keyOf(waiting.partition))
    return busy
  }

  async #write({ notes }: Waiting, patience: Patience): Promise<StoreBusy | undefined> {
    // The first one alone: on a locked store each of them might wait for seconds.
    const busy = (await this.#writeSome(notes, 1, patience)) ?? (await this.#writeSome(notes, notes.length, patience))
    if (busy !== undefined) this.#putBack(notes, busy)
    return busy
  }

  /** Writes the first notes, together. Those that met a lock stay. */
  async #writeSome(notes: Note[], count: number, patience: Patience): Promise<StoreBusy | undefined> {
    const some = notes.slice(0, count)
    const outcomes = await Promise.allSettled(some.map(({ write }) => write(patience)))
    let busy: StoreBusy | undefined
    for (const [place, note] of some.entries()) {
      const outcome = outcomes[place]
      const error: unknown = outcome?.status === 'rejected' ? outcome.reason : undefined
      if (error instanceof StoreBusy) {
        busy = error
        continue
      }
      if (error !== undefined) this.#warn(note, error)
      notes.splice(notes.indexOf(note), 1)
    }
    return busy
  }

  /** Lets the notes wait for the next attempt, but not too many, nor for too long. */
  #putBack(notes: Note[], error: StoreBusy): void {
    const oldest = performance.now() - longestWaitMs
    const kept = this.#isClosing ? [] : notes.filter(({ since }) => since > oldest).slice(-mostNotes)
    for (const note of notes) if (!kept.includes(note)) this.#warn(note, error)
    notes.splice(0, notes.length, ...kept)
    if (kept.length > 0) this.#later()
  }

  #warn({ of }: Note, error: unknown): void {
    const code = VarveError.is(error) ? error.code : 'STORE_FAILED'
    this.#observer.warn(code, `a ${of} was not noted, so the echo of its text may be indexed: ${ownReason(error)}`, `shown ${code}`)
  }
}

function keyOf(partition: PartitionId): string {
  return JSON.stringify(partition)
}
