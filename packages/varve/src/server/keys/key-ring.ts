import { growingCache } from '../../caches/growing-cache.ts'
import { VarveError } from '../../errors/varve-error.ts'
import type { DoorStore } from '../../operations/door-store.ts'
import type { CallerKey } from '../../keys/caller-key.ts'
import { idInKey, keyDigest, sameDigest } from '../../keys/key-text.ts'

/** A key that another process revoked is refused after this time: milliseconds. */
export const keyKeptMs = 1_000

/** The most keys that are kept in memory. */
const mostKept = 10_000

/** The use of a key is told to the store at most once in this time: milliseconds. */
const useToldMs = 60_000

/** What a text is compared with when no key has its id, so that a wrong id takes as long as a wrong secret. */
const noDigest = keyDigest('')

/** A key as it was read, with the difference between the store's time and this process's. */
interface FoundKey {
  readonly key: CallerKey
  readonly digest: Uint8Array
  readonly aheadMs: number
}

/** What was read under an id; that there is no key is kept as well, or an unknown id would take longer than a known one. */
interface Kept {
  readonly found: FoundKey | undefined
  readonly readAt: number
}

/** Milliseconds of this process, for the age of what is kept. */
type Elapsed = () => number

type RingStore = Pick<DoorStore, 'clock' | 'observer' | 'keyNow' | 'noteUse' | 'onKeyChange'>

/** Tells whose key a text is. Keeps keys in memory for a second. */
export class KeyRing {
  readonly #store: RingStore
  readonly #elapsed: Elapsed
  readonly #kept = growingCache<string, Kept>(mostKept)
  readonly #toldAt = growingCache<string, number>(mostKept)
  readonly #telling = new Set<Promise<void>>()
  readonly #stopListening: () => void
  /** Rises with every change, so that a read that began before one is not kept. */
  #changes = 0

  constructor(store: RingStore, elapsed: Elapsed = () => performance.now()) {
    this.#store = store
    this.#elapsed = elapsed
    this.#stopListening = store.onKeyChange(() => {
      this.#changes += 1
      this.#kept.clear()
    })
  }

  /**
   * Gives the key of a text; undefined for one that is garbled, unknown, revoked or expired. Which of these it is, nobody
   * learns. Rejects only when the store cannot be read.
   */
  async verify(text: unknown): Promise<CallerKey | undefined> {
    const id = idInKey(text)
    if (id === undefined || typeof text !== 'string') return undefined
    const found = await this.#find(id)
    const isSame = sameDigest(keyDigest(text), found?.digest ?? noDigest)
    if (!isSame || found === undefined) return undefined
    const { key, aheadMs } = found
    const now = this.#store.clock.now() + aheadMs
    if (key.revokedAt !== undefined || (key.expiresAt !== undefined && key.expiresAt <= now)) return undefined
    this.#tellUse(key, now)
    return key
  }

  /** Waits until the last uses are stored, and stops listening. */
  async close(): Promise<void> {
    this.#stopListening()
    await Promise.all(this.#telling)
  }

  async #find(id: string): Promise<FoundKey | undefined> {
    const kept = this.#kept.get(id)
    if (kept !== undefined && this.#elapsed() - kept.readAt < keyKeptMs) return kept.found
    const [readAt, changes] = [this.#elapsed(), this.#changes]
    const { found, now } = await this.#store.keyNow(id)
    const read = found === undefined ? undefined : { ...found, aheadMs: now - this.#store.clock.now() }
    if (changes === this.#changes) this.#kept.set(id, { found: read, readAt })
    return read
  }

  #tellUse({ id, usedAt = Number.NEGATIVE_INFINITY }: CallerKey, now: number): void {
    if (now - Math.max(usedAt, this.#toldAt.get(id) ?? Number.NEGATIVE_INFINITY) <= useToldMs) return
    this.#toldAt.set(id, now)
    const told = this.#store
      .noteUse(id)
      .catch((error: unknown) => this.#warn(error))
      .finally(() => this.#telling.delete(told))
    this.#telling.add(told)
  }

  /** The request is answered all the same: only the time of a key's last use is missing. */
  #warn(error: unknown): void {
    const code = VarveError.is(error) ? error.code : 'STORE_FAILED'
    this.#store.observer.warn(code, `the use of a key is not noted: ${code}`, 'use of keys')
  }
}
