import { VarveError } from '../errors/varve-error.ts'
import type { DoorStore } from '../operations/door-store.ts'

/** The time between two looks while something is held: milliseconds. */
const followMs = 2_000

/** What a server's process holds of memory's words, beside the store. */
export interface HeldWords {
  /** Drops what is held of a project, or of all, after so many erasures there. */
  drop(project: string | undefined, erasures: number): void
  /** Drops what is too old, and tells whether any words are left. */
  holds(): boolean
}

type Journal = Pick<DoorStore, 'erasedSince'>
type Mark = NonNullable<Parameters<Journal['erasedSince']>[0]>

/**
 * Drops what this process holds when something was erased, by whatever process: the store's journal tells of it. A look
 * before a held thing is answered keeps what was forgotten from going out. A timer, which runs only while something is
 * held, drops what nobody asks for.
 */
export class ErasureWatch {
  readonly #journal: Journal
  readonly #pauseMs: number
  readonly #held: HeldWords[] = []
  /** Everything that is held was read from memory after these erasures. */
  #after: Mark
  #looking: Promise<void> | undefined
  #next: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  private constructor(journal: Journal, pauseMs: number, { place, ahead }: Mark) {
    this.#journal = journal
    this.#pauseMs = pauseMs
    this.#after = { place, ahead }
  }

  /** Watches a store from now on. */
  static async start(journal: Journal, pauseMs = followMs): Promise<ErasureWatch> {
    return new ErasureWatch(journal, pauseMs, await journal.erasedSince(undefined))
  }

  add(held: HeldWords): void {
    this.#held.push(held)
  }

  /** Drops what was erased until now. Rejects when the store cannot be read: then nothing that is held may be answered. */
  look(): Promise<void> {
    if (this.#looking === undefined) return this.#begin()
    // The look under way may have read the store before this call.
    this.#next ??= Promise.allSettled([this.#looking]).then(() => {
      this.#next = undefined
      return this.#begin()
    })
    return this.#next
  }

  /** Looks, and leaves a store that cannot be read to the next look. */
  async tryLook(): Promise<void> {
    try {
      await this.look()
    } catch (error) {
      if (!VarveError.is(error)) throw error
    }
  }

  /**
   * To be awaited before something is read that will be held. After a time in which nothing was, it looks first: else an
   * old erasure would be found later, and what was read after it be dropped.
   */
  ready(): Promise<void> {
    return this.#timer === undefined ? this.tryLook() : Promise.resolve()
  }

  /** Looks again and again while anything is held: to be called when something is. */
  follow(): void {
    if (!this.#isStopped) this.#timer ??= setTimeout(() => void this.#followed(), this.#pauseMs).unref()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #begin(): Promise<void> {
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { projects, isAll, place, ahead } = await this.#journal.erasedSince(this.#after)
    this.#after = { place, ahead }
    for (const held of this.#held) {
      if (isAll) held.drop(undefined, Number.POSITIVE_INFINITY)
      for (const { project, erasures } of projects) held.drop(project, erasures)
    }
  }

  async #followed(): Promise<void> {
    const isHeld = this.#held.map((held) => held.holds()).includes(true)
    if (isHeld) await this.tryLook()
    this.#timer = undefined
    if (isHeld) this.follow()
  }
}
