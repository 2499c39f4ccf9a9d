import type { DueScope } from '../distil/due.ts'
import type { Limits } from '../distil/distiller.ts'
import type { LayerGround } from '../distil/layer-ground.ts'
import type { Noted, NotesUpdater } from '../distil/notes-updater.ts'
import { VarveError } from '../errors/varve-error.ts'
import { type DueNotes, dueNotes } from '../notes/read-notes.ts'
import type { Turn } from './loop.ts'
import type { Reach } from './waiting.ts'

/** Where notes are mirrored. It rejects with nothing: a file that cannot be written holds up no memory. */
export interface NotesFiles {
  /** Takes in what was edited by hand, and writes what stands. */
  takeIn(session: number): Promise<void>
}

/** Sessions of one list. */
const perList = 16

/** How far back a turn looks for talk beyond the turn before it, and how often it looks at all of it. */
const overlapMs = 60_000
const allEveryMs = 600_000

/** Talk in which something was recorded since then may be going on. */
const runningMs = 7 * 86_400_000

/** Keeps notes up to date. Manual and automatic updates are one writer: who holds the lease. */
export class NotesUpkeep {
  readonly #ground: LayerGround
  readonly #updater: NotesUpdater
  readonly #own: {
    readonly holder: string
    readonly layers: number
    readonly files: NotesFiles | undefined
    readonly isSpent: (limits: Limits) => boolean
  }
  /** By the store's clock: since when talk was looked at, and when all of it was. */
  #since = Number.MIN_SAFE_INTEGER
  #allAt = Number.MIN_SAFE_INTEGER
  #claims = 0

  constructor(
    ground: LayerGround,
    updater: NotesUpdater,
    own: { holder: string; layers: number; files: NotesFiles | undefined; isSpent: (limits: Limits) => boolean },
  ) {
    this.#ground = ground
    this.#updater = updater
    this.#own = own
  }

  /**
   * Updates what is due until nothing is, or the limits come first. By itself it keeps to talk that may be going on;
   * who asks for it has old talk noted too.
   */
  async turn(limits: Limits, only: DueScope | undefined, reach: Reach): Promise<Turn> {
    let done = 0
    const now = this.#ground.clock.now()
    const since =
      reach === 'background'
        ? Math.max(now - runningMs, this.#since)
        : only !== undefined || now - this.#allAt > allEveryMs || now < this.#since
          ? Number.MIN_SAFE_INTEGER
          : this.#since
    for (;;) {
      const due = await this.#ground.read(dueNotes(this.#own.layers, { now: this.#ground.clock.now(), since }, perList, only))
      if (due.length === 0) {
        if (only === undefined && since === Number.MIN_SAFE_INTEGER) this.#allAt = now
        if (only === undefined) this.#since = now - overlapMs
        return { done, settled: true }
      }
      const before = done
      for (const one of due) {
        if (this.#isOver(limits, done > 0)) return { done, settled: false }
        const { outcome } = (await this.update(one, limits)) ?? {}
        if (outcome === 'done' || outcome === 'more') done += 1
        if (outcome === 'more') return { done, settled: false }
      }
      if (done === before) return { done, settled: false }
    }
  }

  /** At least one piece is done in each turn, so that it goes on however short the time is. */
  #isOver(limits: Limits, hasBegun: boolean): boolean {
    return limits.signal.aborted || this.#own.isSpent(limits) || (hasBegun && performance.now() >= limits.until)
  }

  /**
   * Updates one session's notes, if nobody else is at it; undefined when somebody is, `more` when the limits came
   * first: what was written stands.
   */
  async update(one: DueNotes, limits: Limits): Promise<Noted | undefined> {
    const { files } = this.#own
    // One's own loop and one who asks for it now keep out of each other's way as two processes do.
    this.#claims += 1
    const holder = `${this.#own.holder}/${this.#claims}`
    if (!(await this.#hold(one, holder))) return undefined
    try {
      await files?.takeIn(one.session)
      let noted = await this.#updater.update(one.session, holder, limits)
      while (noted.outcome === 'more' && !this.#isOver(limits, true) && (await this.#hold(one, holder)))
        noted = await this.#updater.update(one.session, holder, limits)
      await this.#ground.write.releaseNotes(one.session, holder)
      await files?.takeIn(one.session)
      return noted
    } catch (error) {
      const reason = limits.signal.aborted ? undefined : error instanceof VarveError ? error.code : 'UNEXPECTED'
      await this.#ground.write.releaseNotes(one.session, holder, reason)
      throw error
    }
  }

  #hold({ session, partition }: DueNotes, holder: string): Promise<boolean> {
    return this.#ground.write.claimNotes(session, partition, holder)
  }
}
