import { LRUCache } from 'lru-cache'
import { shinglesIn, type ShownBefore, type ShownHashes } from '../messages/echo.ts'
import { KeptHashes } from '../messages/kept-hashes.ts'
import {
  contextKeys,
  contextsAfter,
  contextsKept,
  type ContextPlace,
  newestContextKey,
  newestContexts,
  shinglesOfContexts,
  standingContexts,
} from '../storage/log/contexts.ts'
import type { Program } from '../storage/program.ts'

/** The newest contexts of other sessions that are compared. Echoes of older ones are not found. */
const mostElsewhere = 40

/** The contexts whose hashes are kept, some thousand each: 20 KB. */
const maxContexts = 640

/** The partitions whose newest contexts are kept. */
const maxPartitions = 1_000

/** The most contexts of the store since the last look that are read one by one. After more, the partition's are read anew. */
const mostSince = 500

/** A partition's newest contexts, the newest first, as of the store's newest context at the last look. */
interface Newest {
  readonly places: readonly ContextPlace[]
  readonly upTo: number
}

const nothing: ShownHashes = new Set<number>()

/** The texts that sessions were shown, as hashes of their words. */
export class ShownTexts {
  readonly #hashes = new LRUCache<number, KeptHashes>({ max: maxContexts })
  readonly #newest = new LRUCache<number, Newest>({ max: maxPartitions })
  /** Forgets everything kept. Call it after a failed commit. */
  forget(): void {
    this.#hashes.clear()
    this.#newest.clear()
  }

  /** Gives what a session was shown, and what the others of its partition were shown lately. */
  *to(partition: number, session: string): Program<ShownBefore> {
    const here = yield* contextKeys(partition, session)
    const elsewhere = (yield* this.#newestOf(partition)).filter((one) => one.session !== session).slice(0, mostElsewhere)
    const standing = yield* standingContexts(elsewhere.map(({ id }) => id))
    return { here: yield* this.#read(here), elsewhere: yield* this.#read(standing) }
  }

  /**
   * Gives a partition's newest contexts, the newest first. Some may be gone. To find them, the keys of all its contexts
   * are read; after that, only what came since, of any process.
   */
  *#newestOf(partition: number): Program<readonly ContextPlace[]> {
    const known = this.#newest.get(partition)
    const since = known === undefined ? [] : yield* contextsAfter(known.upTo, mostSince)
    if (known === undefined || since.length === mostSince) {
      const upTo = yield* newestContextKey()
      const places = yield* newestContexts(partition, mostElsewhere + contextsKept)
      this.#newest.set(partition, { places, upTo })
      return places
    }
    const mine = since.filter((one) => one.partition === partition).toReversed()
    const places = [...mine, ...known.places].slice(0, mostElsewhere + contextsKept)
    this.#newest.set(partition, { places, upTo: since.at(-1)?.id ?? known.upTo })
    return places
  }

  *#read(ids: readonly number[]): Program<ShownHashes> {
    if (ids.length === 0) return nothing
    const lacking = ids.filter((id) => !this.#hashes.has(id))
    const read = new Map((yield* shinglesOfContexts(lacking)).map(({ id, shingles }) => [id, new KeptHashes(shinglesIn(shingles))]))
    for (const [id, hashes] of read) this.#hashes.set(id, hashes)
    const all = ids.flatMap((id) => read.get(id) ?? this.#hashes.get(id) ?? [])
    return { has: (hash) => all.some((hashes) => hashes.has(hash)), size: all.length }
  }
}
