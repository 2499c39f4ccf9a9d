import { VarveError } from '../../errors/varve-error.ts'
import type { Memory } from '../../memory/memory.ts'

type Changes = Awaited<ReturnType<ReturnType<Memory['project']>['changes']>>

/** The most changes that one look reads. */
const mostAtOnce = 100

/** A stream that waits for changes of a project. */
export interface Waiting {
  /** The user whose changes it waits for; undefined for all. */
  readonly user: string | undefined
  /** Something happened that it may have to tell. */
  wake(): void
}

/** Looks at one project of a store for all of its readers, while there are any. */
export class ProjectFeed {
  readonly #project: ReturnType<Memory['project']>
  readonly #pauseMs: number
  readonly #waiting = new Set<Waiting>()
  /** The reads that are under way, by user and place: readers at one place share one. */
  readonly #reads = new Map<string, Promise<Changes>>()
  #place: string | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isAsked = false

  constructor(memory: Memory, project: string, pauseMs: number) {
    this.#project = memory.project(project)
    this.#pauseMs = pauseMs
  }

  get size(): number {
    return this.#waiting.size
  }

  get waiting(): Iterable<Waiting> {
    return this.#waiting
  }

  add(one: Waiting): void {
    this.#waiting.add(one)
    this.look()
  }

  remove(one: Waiting): void {
    this.#waiting.delete(one)
    if (this.#waiting.size === 0) this.stop()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#place = undefined
  }

  /** Reads changes after a place, or the place of now. */
  read(user: string | undefined, after: string | undefined): Promise<Changes> {
    const key = JSON.stringify([user ?? null, after ?? null])
    const underWay = this.#reads.get(key)
    if (underWay !== undefined) return underWay
    const read = this.#project
      .changes({ limit: mostAtOnce, ...(after === undefined ? {} : { after }), ...(user === undefined ? {} : { user }) })
      .finally(() => this.#reads.delete(key))
    this.#reads.set(key, read)
    return read
  }

  /** Looks now. A look that is asked for during another comes after it. */
  look(): void {
    if (this.#looking !== undefined) {
      this.#isAsked = true
      return
    }
    clearTimeout(this.#timer)
    this.#looking = this.#lookOnce().finally(() => {
      this.#looking = undefined
      if (this.#waiting.size === 0) return
      if (this.#isAsked) {
        this.#isAsked = false
        this.look()
      } else this.#timer = setTimeout(() => this.look(), this.#pauseMs).unref()
    })
  }

  async #lookOnce(): Promise<void> {
    try {
      const { changes, place, missed } = await this.read(undefined, this.#place)
      const isFirst = this.#place === undefined
      this.#place = place
      if (changes.length === 0 && !missed && !isFirst) return
      // A change of the project as a whole may be the end of a user's memory.
      const isForAll = missed || isFirst || changes.some(({ user }) => user === undefined)
      const users = new Set(changes.map(({ user }) => user))
      for (const one of [...this.#waiting]) if (isForAll || one.user === undefined || users.has(one.user)) one.wake()
      if (changes.length === mostAtOnce) this.#isAsked = true
    } catch (error) {
      // The next look tries again. Readers are told nothing meanwhile, and lose nothing.
      if (!VarveError.is(error)) throw error
    }
  }
}
