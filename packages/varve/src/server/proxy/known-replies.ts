import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ErasureWatch, HeldWords } from '../erasure-watch.ts'

interface KnownReply {
  readonly project: string
  /** A hash of project and user. */
  readonly scope: string
  session: string | undefined
}

/** Whose reply it is: a scope names project and user. */
interface Whose {
  readonly project: string
  readonly scope: string
}

/**
 * Ids of replies that a provider keeps, by which a later request goes on from them. They hold no words but names of
 * sessions, which go when something is forgotten in their project. Whose a reply is stays known, as a hash.
 */
export class KnownReplies implements HeldWords {
  readonly #replies = new LRUCache<string, KnownReply>({ max: 10_000 })
  readonly #erasures: ErasureWatch

  constructor(erasures: ErasureWatch) {
    this.#erasures = erasures
    erasures.add(this)
  }

  learn(id: string, { project, scope }: Whose, session: string | undefined): void {
    this.#replies.set(id, { project: hashed(project), scope: hashed(scope), session })
    this.#erasures.follow()
  }

  /** Tells whether the reply was another's: whoever goes on from it would read it. */
  isOfAnother(id: string, scope: string): boolean {
    const known = this.#replies.get(id)
    return known !== undefined && known.scope !== hashed(scope)
  }

  sessionOf(id: string): string | undefined {
    return this.#replies.get(id)?.session
  }

  drop(project: string | undefined): void {
    const of = project === undefined ? undefined : hashed(project)
    for (const known of this.#replies.values()) if (of === undefined || known.project === of) known.session = undefined
  }

  holds(): boolean {
    return this.#replies.values().some(({ session }) => session !== undefined)
  }
}

function hashed(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}
