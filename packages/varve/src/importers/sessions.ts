import type { LRUCache } from 'lru-cache'
import { growingCache } from '../caches/growing-cache.ts'
import type { Tally } from './reasons.ts'
import { cleanName, sessionId } from './text.ts'
import { readTime } from './times.ts'

/** How many sessions an import remembers at a time. */
export const maxTrackedSessions = 100_000

/** What an import knows of a session. */
export interface TrackedSession {
  /** An id that the store takes. */
  readonly id: string
  name: string | undefined
  /** The name that the store has been told. */
  toldName: string | undefined
  /** Whether it had a name already. */
  keepsName: boolean
  /** Messages met so far, stored or not: the place of the next one, from which ids are derived. */
  place: number
  /** When the last message was said, or the session began. */
  lastAt: number | undefined
  messages: number
}

/**
 * The sessions of an import, by id. Bounded: over `max` the one that was met longest ago is forgotten. From then on a
 * session that is met for the first time may be one that was forgotten, so its places go on from the number of all
 * messages so far: they never come twice, and a second import of the file derives the same.
 */
export class TrackedSessions {
  readonly #tally: Tally
  readonly #known: LRUCache<string, TrackedSession>
  #forgotten = false
  #met = 0
  /** Sessions with at least one message (one that was forgotten and met again counts twice). */
  withMessages = 0

  constructor(tally: Tally, max = maxTrackedSessions) {
    this.#tally = tally
    this.#known = growingCache(max, {
      dispose: (_session, _id, reason) => {
        if (reason === 'evict') this.#forgotten = true
      },
    })
  }

  /** The session of that id as the file has it. */
  get(rawId: string): TrackedSession {
    const { id, replaced } = sessionId(rawId)
    const known = this.#known.get(id)
    if (known !== undefined) return known
    if (replaced) this.#tally.repair('session id replaced')
    const session = {
      id,
      name: undefined,
      toldName: undefined,
      keepsName: false,
      place: this.#forgotten ? this.#met : 0,
      lastAt: undefined,
      messages: 0,
    }
    this.#known.set(id, session)
    return session
  }

  /** What the file says of a session itself. */
  describe(rawId: string, facts: { readonly name?: string | undefined; readonly at?: unknown }): void {
    const session = this.get(rawId)
    const name = cleanName(facts.name, this.#tally)
    if (name !== undefined) session.name = name
    const at = readTime(facts.at)
    if (at.kind === 'time') session.lastAt ??= at.ms
  }

  /** The place of a message that has just been met. */
  nextPlace(session: TrackedSession): number {
    this.#met += 1
    const { place } = session
    session.place += 1
    return place
  }

  /** Counts a message that goes to the store. */
  counted(session: TrackedSession): void {
    if (session.messages === 0) this.withMessages += 1
    session.messages += 1
  }
}
