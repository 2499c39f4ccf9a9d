import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ErasureWatch, HeldWords } from '../erasure-watch.ts'
import type { Utterance } from './said.ts'

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
  readonly #late = new LRUCache<string, (reply: Utterance) => void>({ max: 100 })
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

  expect(id: string, take: (reply: Utterance) => void): void {
    this.#late.set(id, take)
  }

  /** Takes a reply that was made meanwhile, once. */
  arrived(id: string, reply: Utterance): void {
    const take = this.#late.get(id)
    this.#late.delete(id)
    take?.(reply)
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
    return this.#late.size > 0 || this.#replies.values().some(({ session }) => session !== undefined)
  }
}

function hashed(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}
