import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ErasureWatch, HeldWords } from '../erasure-watch.ts'
import type { Utterance } from '../../turns/said.ts'

/** The bounds of the conversations whose reply is still being made: their number, their bytes in all, and their age. */
const lateBounds = { max: 100, maxSize: 64 * 1024 * 1024, ttl: 3_600_000 } as const

/** A conversation whose reply is still being made: its bytes, and what stores it once it has come. */
interface LateReply {
  readonly bytes: number
  readonly take: (reply: Utterance) => void
}

interface KnownReply {
  readonly project: string
  /** A hash of project and user. */
  readonly scope: string
  /** The key of the call that it answered. */
  readonly keyId: string
  session: string | undefined
}

/** Whose reply it is: a scope names project and user. */
interface Whose {
  readonly project: string
  readonly scope: string
  readonly keyId: string
}

/**
 * Ids of replies that a provider keeps, by which a later request goes on from them. The names of their sessions go when
 * something is forgotten in their project, and so do the conversations of those that are still being made. Whose a reply
 * is stays known, as a hash.
 */
export class KnownReplies implements HeldWords {
  readonly #replies = new LRUCache<string, KnownReply>({ max: 10_000 })
  /** What to do with replies that the provider still makes, in the background. They hold a conversation each. */
  readonly #late = new LRUCache<string, LateReply>({ ...lateBounds, sizeCalculation: ({ bytes }) => bytes + 1 })
  readonly #erasures: ErasureWatch

  constructor(erasures: ErasureWatch) {
    this.#erasures = erasures
    erasures.add(this)
  }

  learn(id: string, { project, scope, keyId }: Whose, session: string | undefined): void {
    this.#replies.set(id, { project: hashed(project), scope: hashed(scope), keyId, session })
    this.#erasures.follow()
  }

  /** Tells whether the reply was another's: whoever goes on from it would read it. */
  isOfAnother(id: string, scope: string): boolean {
    const known = this.#replies.get(id)
    return known !== undefined && known.scope !== hashed(scope)
  }

  /** Tells whether a call with this key got the reply: to others it is not shown. */
  isOfKey(id: string, scope: string, keyId: string): boolean {
    const known = this.#replies.get(id)
    return known?.scope === hashed(scope) && known.keyId === keyId
  }

  expect(id: string, late: LateReply): void {
    this.#late.set(id, late)
  }

  /** Takes a reply that was made meanwhile, once. */
  arrived(id: string, reply: Utterance): void {
    const late = this.#late.get(id)
    this.#late.delete(id)
    late?.take(reply)
  }

  sessionOf(id: string): string | undefined {
    return this.#replies.get(id)?.session
  }

  drop(project: string | undefined): void {
    const of = project === undefined ? undefined : hashed(project)
    for (const [id, known] of this.#replies.entries()) {
      if (of !== undefined && known.project !== of) continue
      known.session = undefined
      this.#late.delete(id)
    }
  }

  holds(): boolean {
    this.#late.purgeStale()
    return this.#late.size > 0 || this.#replies.values().some(({ session }) => session !== undefined)
  }
}

function hashed(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}
