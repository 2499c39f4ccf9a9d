import { LRUCache } from 'lru-cache'
import { shinglesIn, type ShownBefore, type ShownHashes } from '../messages/echo.ts'
import { KeptHashes } from '../messages/kept-hashes.ts'
import { type Epochs, epochsAround } from '../storage/epochs.ts'
import { contextKeys, contextsKept, newestContexts, shinglesOfContexts } from '../storage/log/contexts.ts'
import { abreast, type Program } from '../storage/program.ts'

/** The newest contexts that are compared: of other sessions, and 20 each of contexts and recalls without a session. */
const mostElsewhere = 40 + 2 * contextsKept

/** The contexts whose hashes are kept, some thousand each: 20 KB. */
const maxContexts = 640

const nothing: ShownHashes = new Set<number>()

/** The numbers of the contexts that a session was shown, and of those that others of its partition were shown lately. */
export interface ContextsAround {
  readonly around: Epochs
  readonly here: readonly number[]
  readonly elsewhere: readonly number[]
}

/** Looks them up in one step. */
export function* contextsShownTo(partition: number, session: string): Program<ContextsAround> {
  const [around, here, newest] = yield* abreast([
    epochsAround(partition),
    contextKeys(partition, session),
    newestContexts(partition, mostElsewhere + contextsKept),
  ])
  const elsewhere = newest.filter((one) => one.session !== session).slice(0, mostElsewhere)
  return { around, here: here.map(({ id }) => id), elsewhere: elsewhere.map(({ id }) => id) }
}

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
