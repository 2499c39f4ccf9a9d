import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { InvalidRequest } from '../errors/invalid-request.ts'
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
}

/**
 * Answers of writes, by idempotency key, in this process: a request that comes again gets the first one's answer, and
 * does nothing. Answers of a project are dropped when something of it is erased, since they may hold its words.
 */
export class IdempotentReplies {
  readonly #kept = new LRUCache<string, Kept>({
    max: bounds.count,
    maxSize: bounds.characters,
    ttl: bounds.ageMs,
    sizeCalculation: ({ reply }) => entrySize + (typeof reply?.body === 'string' ? reply.body.length : 0),
  })

  /** Runs a write, or gives the answer of the same one before it. Failures that may pass are not kept. */
  async once({ caller, key, project, user, request }: Repeatable, run: () => Promise<Reply>): Promise<Reply> {
    if (key.length > longestKey || !/^[\x21-\x7e]+$/.test(key))
      throw new InvalidRequest({ status: 400, reason: `its Idempotency-Key must have 1 to ${longestKey} visible characters of ASCII` })
    const place = hashed([caller, project, user, key])
    const fingerprint = hashed(request)
    const before = this.#kept.get(place)
    if (before !== undefined) return repeated(before, fingerprint)
    const running = run()
    this.#kept.set(place, { fingerprint, project, running })
    try {
      const reply = await running
      if (reply.status >= 500 || reply.status === 429) this.#kept.delete(place)
      else this.#kept.set(place, { fingerprint, project, reply })
      return reply
    } catch (error) {
      this.#kept.delete(place)
      throw error
    }
  }

  /** Drops the answers of a project, or all. A request that comes again is still known. */
  drop(project: string | undefined): void {
    for (const [place, kept] of this.#kept.entries())
      if (kept.reply !== undefined && (project === undefined || kept.project === project))
        this.#kept.set(place, { fingerprint: kept.fingerprint, project: kept.project })
  }
}

async function repeated({ fingerprint, reply, running }: Kept, asked: string): Promise<Reply> {
  if (fingerprint !== asked) throw new InvalidRequest({ status: 422, reason: 'its Idempotency-Key was used for another request' })
  const known = reply ?? (await running)
  if (known === undefined)
    throw new InvalidRequest({ status: 409, reason: 'it was done before, and its answer was dropped when something was forgotten' })
  return { ...known, headers: { ...known.headers, 'idempotent-replayed': 'true' } }
}

function hashed(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
