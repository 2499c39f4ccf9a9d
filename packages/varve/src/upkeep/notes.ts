import type { DueScope } from '../storage/due-place.ts'
import type { Limits } from '../distil/limits.ts'
import type { WritingMeans } from '../distil/writing-means.ts'
import type { Noted, NotesUpdater } from '../distil/notes-updater.ts'
import { type DueNotes, dueNotes } from '../notes/read-notes.ts'
import type { Leases, LeasedWork } from './leased.ts'
import type { UpkeepTurn } from './loop.ts'
import type { TalliedLimits } from './work-tally.ts'
import { turnOf } from './turns.ts'
import type { ScopedLook } from './scoped-look.ts'
import type { Reach } from './waiting.ts'

/** The mirror of notes in files. It never rejects: a file that cannot be written holds up no memory. */
export interface NotesFiles {
  /** Takes in edits by hand, and writes the standing notes. */
  takeIn(session: DueNotes): Promise<void>
}

/** The sessions of one list. */
export const notesPerList = 16

/** The time by which a turn looks back beyond the turn before it, and the time between two looks at all talk. */
const overlapMs = 60_000
const allEveryMs = 600_000

/** Talk in which something was recorded since then may be going on. */
const runningMs = 7 * 86_400_000

/** Keeps notes up to date. Manual and automatic updates are one writer: the holder of the lease. */
export class NotesUpkeep {
  readonly #means: WritingMeans
  readonly #leases: Leases
  readonly #layers: number
  readonly #work: LeasedWork<DueNotes, Noted>
  /** By the store's clock: the times of the last look at new talk, and at all talk. */
  #since = Number.MIN_SAFE_INTEGER
  #allAt = Number.MIN_SAFE_INTEGER

  constructor(
    means: WritingMeans,
    updater: NotesUpdater,
    leases: Leases,
    own: { layers: number; files: NotesFiles | undefined; isSpent: (limits: Limits) => boolean },
  ) {
    this.#means = means
    this.#leases = leases
    this.#layers = own.layers
    const isOver = (limits: Limits): boolean => limits.signal.aborted || own.isSpent(limits) || performance.now() >= limits.until
    this.#work = {
      kind: 'notes',
      piece: ({ session, partition }) => ({ ref: session, partition }),
      work: async (due, { holder, again }, limits) => {
        await own.files?.takeIn(due)
        let noted = await updater.update(due, holder, limits)
        while (noted.outcome === 'more' && !isOver(limits) && (await again())) noted = await updater.update(due, holder, limits)
        return noted
      },
      giveBack: () => ({}),
      progress: (noted) => {
        const isNoted = noted?.outcome === 'done' || noted?.outcome === 'more'
        return { done: Number(isNoted), moved: isNoted, ends: noted?.outcome === 'more' }
      },
      isSpent: own.isSpent,
      released: (due) => own.files?.takeIn(due),
    }
  }

  /**
   * Updates due notes until none is due, or the limits come first. The background keeps to talk that may be going on.
   * When a caller asks for it, old talk gets notes too.
   */
  async turn(limits: TalliedLimits, only: DueScope | undefined, reach: Reach, look?: ScopedLook): Promise<UpkeepTurn> {
    if (look !== undefined) return turnOf(this.#leases, this.#work, () => look.notes(), limits)
    const now = this.#means.clock.now()
    const since =
      reach === 'background'
        ? Math.max(now - runningMs, this.#since)
        : only !== undefined || now - this.#allAt > allEveryMs || now < this.#since
          ? Number.MIN_SAFE_INTEGER
          : this.#since
    const due = (): Promise<readonly DueNotes[]> =>
      this.#means.read(dueNotes(this.#layers, { now: this.#means.clock.now(), since }, notesPerList, only))
    const turn = await turnOf(this.#leases, this.#work, due, limits)
    if (turn.settled && only === undefined) {
      if (since === Number.MIN_SAFE_INTEGER) this.#allAt = now
      this.#since = now - overlapMs
    }
    return turn
  }

  /**
   * Updates one session's notes. Undefined when another is updating them. `more` when the limits came first; the notes
   * so far stand.
   */
  update(one: DueNotes, limits: Limits): Promise<Noted | undefined> {
    return this.#leases.leased(this.#work, one, limits)
  }
}
