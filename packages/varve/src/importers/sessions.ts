import type { LRUCache } from 'lru-cache'
import { growingCache } from '../caches/growing-cache.ts'
import type { Tally } from './reasons.ts'
import { cleanName, sessionId } from './text.ts'
import type { ImportHandle } from './importer.ts'
import type { ImportTarget } from './import-targets.ts'
import { readTime } from './times.ts'

/** The most sessions that an import remembers at a time. */
export const maxTrackedSessions = 100_000

/** A session as an import knows it. */
export interface TrackedSession {
  /** Tells it apart from another user's session of the same id. */
  readonly key: string
  readonly handle: ImportHandle
  /** An id that the store takes. */
  readonly id: string
  name: string | undefined
  /** The last name that was sent to the store. */
  toldName: string | undefined
  /** True when it had a name before the import. */
  keepsName: boolean
  /** Messages met so far, stored or not: the place of the next one. Ids are derived from places. */
  place: number
  /** The time of the last message, or else of the session's start: UTC milliseconds. */
  lastAt: number | undefined
  messages: number
}

/**
 * The sessions of an import, by id. Over `max`, the session that was met longest ago is dropped.
 *
 * From then on a new session may be a dropped one. So its places continue from the number of all messages so far: they
 * never repeat, and a second import of the file derives the same.
 */
export class TrackedSessions {
  readonly #tally: Tally
  readonly #known: LRUCache<string, TrackedSession>
  #forgotten = false
  #met = 0
  /** Sessions with at least one message; one that was dropped and met again counts twice. */
  withMessages = 0

  constructor(tally: Tally, max = maxTrackedSessions) {
    this.#tally = tally
    this.#known = growingCache(max, {
      dispose: (_session, _id, reason) => {
        if (reason === 'evict') this.#forgotten = true
      },
    })
  }

  /** Returns the target's session of an id as it stands in the file. */
  get(rawId: string, target: ImportTarget): TrackedSession {
    const { id, replaced } = sessionId(rawId)
    const key = `${target.key}\0${id}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (replaced) this.#tally.repair('session id replaced')
    const session = {
      key,
      handle: target.handle,
      id,
      name: undefined,
      toldName: undefined,
      keepsName: false,
      place: this.#forgotten ? this.#met : 0,
      lastAt: undefined,
      messages: 0,
    }
    this.#known.set(key, session)
    return session
  }

  /** Takes over the file's facts about a session: its name and its start. */
  describe(rawId: string, target: ImportTarget, facts: { readonly name?: string | undefined; readonly at?: unknown }): void {
    const session = this.get(rawId, target)
    const name = cleanName(facts.name, this.#tally)
    if (name !== undefined) session.name = name
    const at = readTime(facts.at)
    if (at.kind === 'time') session.lastAt ??= at.ms
  }

  /** Returns the place of a message that was just met. */
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
