import { LRUCache } from 'lru-cache'
import { shinglesIn, type ShownBefore, type ShownHashes } from '../messages/echo.ts'
import { KeptHashes } from '../messages/kept-hashes.ts'
import { type ContextsAround, contextsShownTo } from '../storage/log/contexts-around.ts'
import { shinglesOfContexts } from '../storage/log/contexts.ts'
import type { Program } from '../storage/program.ts'

/** The contexts whose hashes are kept, some thousand each: 20 KB. */
const maxContexts = 640

const nothing: ShownHashes = new Set<number>()

/**
 * The texts that sessions were shown, as hashes of their words. An erasure empties contexts, so they are read again after it: also
 * after one of derived items, and of what the project shares.
 */
export class ShownTexts {
  readonly #hashes = new LRUCache<string, KeptHashes>({ max: maxContexts })
  /** Forgets everything kept. Call it after a failed commit. */
  forget(): void {
    this.#hashes.clear()
  }

  /** Gives what a session was shown, and what the others of its partition were shown lately. */
  *to(partition: number, session: string): Program<ShownBefore> {
    return yield* this.of(partition, yield* contextsShownTo(partition, session))
  }

  /** The same, of contexts that were looked up already. */
  *of(partition: number, { around, here, elsewhere }: ContextsAround): Program<ShownBefore> {
    const epochs = JSON.stringify(around)
    return { here: yield* this.#read(partition, here, epochs), elsewhere: yield* this.#read(partition, elsewhere, epochs) }
  }

  *#read(partition: number, ids: readonly number[], epochs: string): Program<ShownHashes> {
    if (ids.length === 0) return nothing
    const keyOf = (id: number): string => `${epochs}/${id}`
    const lacking = ids.filter((id) => !this.#hashes.has(keyOf(id)))
    const read = new Map(
      (yield* shinglesOfContexts(partition, lacking)).map(({ id, shingles }) => [id, new KeptHashes(shinglesIn(shingles))]),
    )
    for (const [id, hashes] of read) this.#hashes.set(keyOf(id), hashes)
    const all = ids.flatMap((id) => read.get(id) ?? this.#hashes.get(keyOf(id)) ?? [])
    return { has: (hash) => all.some((hashes) => hashes.has(hash)), size: all.length }
  }
}
