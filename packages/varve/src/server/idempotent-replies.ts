import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { InvalidRequest } from '../errors/invalid-request.ts'
import type { ErasureWatch, HeldWords } from './erasure-watch.ts'
import type { Reply } from './reply.ts'

/** The bounds of the kept answers: their number, their characters in all, and their age. */
const bounds = { count: 10_000, characters: 32 * 1024 * 1024, ageMs: 86_400_000 } as const

/** What an entry without its answer counts, in characters. */
const entrySize = 200
const longestKey = 255

interface Kept {
  readonly fingerprint: string
  readonly project: string
  /** Absent while the request runs, and once its answer was dropped. */
  reply?: Reply
  readonly running?: Promise<Reply>
  /** The erasures in its project since it began. */
  erasures: number
}

/** A write that may come again. */
export interface Repeatable {
  readonly caller: string
  readonly key: string
  /** Whose memory it is about: the users of a gateway, which have one key, choose theirs apart. */
  readonly project: string
  readonly user: string
  /** The request's verb, its address, its condition and its body. */
  readonly request: readonly string[]
  /** Tells after the write how many erasures there may be after which its answer is still good: its own. */
  erased(): number
  /** True for a write whose key the store has too: it may be made again, and tells then what became of it. */
  readonly isStored: boolean
}

/**
 * Answers of writes, by idempotency key, in this process: a request that comes again gets the first one's answer, and
 * does nothing. Answers of a project are dropped when something of it is erased, since they may hold its words.
 */
export class IdempotentReplies implements HeldWords {
  readonly #erasures: ErasureWatch
  readonly #kept = new LRUCache<string, Kept>({
    max: bounds.count,
    maxSize: bounds.characters,
    ttl: bounds.ageMs,
    sizeCalculation: ({ reply }) => entrySize + (typeof reply?.body === 'string' ? reply.body.length : 0),
  })

  constructor(erasures: ErasureWatch) {
    this.#erasures = erasures
    erasures.add(this)
  }

  /** Runs a write, or gives the answer of the same one before it. Failures that may pass are not kept. */
  async once({ caller, key, project, user, request, erased, isStored }: Repeatable, run: () => Promise<Reply>): Promise<Reply> {
    if (key.length > longestKey || !/^[\x21-\x7e]+$/.test(key))
      throw new InvalidRequest({ status: 400, reason: `its Idempotency-Key must have 1 to ${longestKey} visible characters of ASCII` })
    const place = hashed([caller, project, user, key])
    const fingerprint = hashed(request)
    const before = this.#kept.get(place)
    if (before !== undefined) return this.#again(place, before, fingerprint, isStored ? run : undefined)
    const running = this.#erasures.ready().then(run)
    const kept: Kept = { fingerprint, project, running, erasures: 0 }
    this.#kept.set(place, kept)
    try {
      const reply = await running
      if (reply.status >= 500 || reply.status === 429) this.#kept.delete(place)
      else {
        // What was erased while it ran may be in its answer; one that lost its place meanwhile was told of no erasure.
        const isGood = this.#kept.peek(place) === kept && kept.erasures <= erased()
        this.#kept.set(place, { fingerprint, project, erasures: 0, ...(isGood ? { reply } : {}) })
      }
      this.#erasures.follow()
      return reply
    } catch (error) {
      this.#kept.delete(place)
      throw error
    }
  }

  /** Drops the answers of a project, or all. A request that comes again is still known. */
  drop(project: string | undefined, erasures: number): void {
    for (const [place, kept] of this.#kept.entries()) {
      if (project !== undefined && kept.project !== project) continue
      kept.erasures += erasures
      if (kept.reply !== undefined) this.#kept.set(place, { fingerprint: kept.fingerprint, project: kept.project, erasures: 0 })
    }
  }

  holds(): boolean {
    this.#kept.purgeStale()
    return this.#kept.values().some(({ reply }) => reply !== undefined)
  }

  async #again(place: string, before: Kept, asked: string, run: (() => Promise<Reply>) | undefined): Promise<Reply> {
    if (before.fingerprint !== asked) throw new InvalidRequest({ status: 422, reason: 'its Idempotency-Key was used for another request' })
    const first = await before.running
    if (first === undefined) await this.#erasures.look()
    const known = first ?? this.#kept.get(place)?.reply ?? (await run?.())
    if (known === undefined)
      throw new InvalidRequest({ status: 409, reason: 'it was done before, and its answer was dropped when something was forgotten' })
    return { ...known, headers: { ...known.headers, 'idempotent-replayed': 'true' } }
  }
}

function hashed(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
