import type { DueScope } from '../distil/due.ts'
import type { Limits } from '../distil/distiller.ts'
import type { LayerGround } from '../distil/layer-ground.ts'
import type { Noted, NotesUpdater } from '../distil/notes-updater.ts'
import { type DueNotes, dueNotes } from '../notes/read-notes.ts'
import type { Leases, LeasedWork } from './leased.ts'
import type { UpkeepTurn } from './loop.ts'
import { turnOf } from './turns.ts'
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
  readonly #leases: Leases
  readonly #layers: number
  readonly #work: LeasedWork<DueNotes, Noted>
  /** By the store's clock: since when talk was looked at, and when all of it was. */
  #since = Number.MIN_SAFE_INTEGER
  #allAt = Number.MIN_SAFE_INTEGER

  constructor(
    ground: LayerGround,
    updater: NotesUpdater,
    leases: Leases,
    own: { layers: number; files: NotesFiles | undefined; isSpent: (limits: Limits) => boolean },
  ) {
    this.#ground = ground
    this.#leases = leases
    this.#layers = own.layers
    const isOver = (limits: Limits): boolean => limits.signal.aborted || own.isSpent(limits) || performance.now() >= limits.until
    this.#work = {
      kind: 'notes',
      piece: ({ session, partition }) => ({ ref: session, partition }),
      work: async ({ session }, { holder, again }, limits) => {
        await own.files?.takeIn(session)
        let noted = await updater.update(session, holder, limits)
        while (noted.outcome === 'more' && !isOver(limits) && (await again())) noted = await updater.update(session, holder, limits)
        return noted
      },
      giveBack: () => ({}),
      progress: (noted) => {
        const isNoted = noted?.outcome === 'done' || noted?.outcome === 'more'
        return { done: Number(isNoted), moved: isNoted, ends: noted?.outcome === 'more' }
      },
      isSpent: own.isSpent,
      released: ({ session }) => own.files?.takeIn(session),
    }
  }

  /**
   * Updates what is due until nothing is, or the limits come first. By itself it keeps to talk that may be going on;
   * who asks for it has old talk noted too.
   */
  async turn(limits: Limits, only: DueScope | undefined, reach: Reach): Promise<UpkeepTurn> {
    const now = this.#ground.clock.now()
    const since =
      reach === 'background'
        ? Math.max(now - runningMs, this.#since)
        : only !== undefined || now - this.#allAt > allEveryMs || now < this.#since
          ? Number.MIN_SAFE_INTEGER
          : this.#since
    const due = (): Promise<readonly DueNotes[]> =>
      this.#ground.read(dueNotes(this.#layers, { now: this.#ground.clock.now(), since }, perList, only))
    const turn = await turnOf(this.#leases, this.#work, due, limits)
    if (turn.settled && only === undefined) {
      if (since === Number.MIN_SAFE_INTEGER) this.#allAt = now
      this.#since = now - overlapMs
    }
    return turn
  }

  /**
   * Updates one session's notes, if nobody else is at it; undefined when somebody is, `more` when the limits came
   * first: what was written stands.
   */
  update(one: DueNotes, limits: Limits): Promise<Noted | undefined> {
    return this.#leases.leased(this.#work, one, limits)
  }
}
