import { LRUCache } from 'lru-cache'

interface KnownReply {
  /** Project and user. */
  readonly scope: string
  readonly session: string | undefined
}

/** Ids of replies that a provider keeps, by which a later request goes on from them. They hold no words. */
export class KnownReplies {
  readonly #replies = new LRUCache<string, KnownReply>({ max: 10_000 })

  learn(id: string, reply: KnownReply): void {
    this.#replies.set(id, reply)
  }

  /** Tells whether the reply was another's: whoever goes on from it would read it. */
  isOfAnother(id: string, scope: string): boolean {
    const known = this.#replies.get(id)
    return known !== undefined && known.scope !== scope
  }

  sessionOf(id: string): string | undefined {
    return this.#replies.get(id)?.session
  }
}
