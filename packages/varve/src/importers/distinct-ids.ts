import { growingCache } from '../caches/growing-cache.ts'
import { hash } from './text.ts'

/** The most ids of a file that are remembered. */
const mostIds = 100_000

/**
 * Tells an id that stands for one message from one that several share. Some programs give every message the same made-up
 * id: by it, all but the first would count as stored already.
 */
export class DistinctIds {
  readonly #known = growingCache<string, string>(mostIds)

  /** Returns the id; undefined where another message of this session has it. The same message again keeps it. */
  of(session: string, id: string | undefined, role: string, content: string): string | undefined {
    if (id === undefined) return undefined
    const key = hash(session, id)
    const message = hash(role, content)
    const known = this.#known.get(key)
    if (known === undefined) this.#known.set(key, message)
    return known === undefined || known === message ? id : undefined
  }
}
