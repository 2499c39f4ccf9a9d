import { VarveError } from '../../errors/varve-error.ts'
import type { AuditAct, AuditNote } from '../../observe/audit-entry.ts'
import type { DoorStore } from '../../operations/door-store.ts'

/** The longest time that an entry waits to be stored, while the server runs: milliseconds. */
export const auditWaitMs = 250

/** Entries that are stored at once, without waiting for more. */
export const auditBatch = 200

/** The most entries that wait, also while the store fails. More are lost: they are counted, and warned of. */
export const mostAuditWaiting = 10_000

/** The most entries of one write. */
const mostAtOnce = 1_000

/** The time after which a failed write is tried again: milliseconds. */
const retryMs = 2_000

/** Deeds that are stored before their answer is sent. */
const storedFirst: ReadonlySet<AuditAct> = new Set(['share', 'forget', 'keys'])

type AuditStore = Pick<DoorStore, 'clock' | 'observer' | 'noteAudit'>

/** What a server notes of a call; the time is the log's. */
export type AuditDeed = Omit<AuditNote, 'at'>

/**
 * Stores what callers did, many entries in one write. A store that fails holds no request up. An engine that ends in the
 * middle of a write may store its entries twice.
 */
export class AuditLog {
  readonly #store: AuditStore
  #waiting: AuditNote[] = []
  /** The entries that were stored since the log began. */
  #stored = 0
  #timer: NodeJS.Timeout | undefined
  /** The write under way: one at a time, so that entries are stored in their order. */
  #writing: Promise<boolean> | undefined
  #isFailing = false
  #lost = 0

  constructor(store: AuditStore) {
    this.#store = store
  }

  /** The entries that were lost, since the store failed for long. */
  get lost(): number {
    return this.#lost
  }

  /**
   * Notes a deed. A deed that shares, forgets or changes keys resolves once its entry is stored; any other resolves at
   * once. It never rejects: false says that the store failed and the entry waits.
   */
  async note(deed: AuditDeed): Promise<boolean> {
    if (this.#waiting.length >= mostAuditWaiting) return this.#lose()
    this.#waiting.push({ ...deed, at: this.#store.clock.now() })
    if (storedFirst.has(deed.act)) return this.flush()
    // A store that failed is asked again after a while, and not at every entry.
    if (this.#waiting.length >= auditBatch && !this.#isFailing) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), auditWaitMs).unref()
    return true
  }

  /** Stores all that waits now. Returns whether it is stored. Entries that come meanwhile hold it up no further. */
  async flush(): Promise<boolean> {
    const last = this.#stored + this.#waiting.length
    while (this.#stored < last) {
      this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
      if (!(await this.#writing)) return false
    }
    return true
  }

  /** Stores all that waits. Call it before the memory is closed. */
  async close(): Promise<void> {
    if (!(await this.flush()) && this.#waiting.length > 0) this.#warn(`${this.#waiting.length} entries of the audit are lost`)
    clearTimeout(this.#timer)
  }

  async #write(): Promise<boolean> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const batch = this.#waiting.slice(0, mostAtOnce)
    try {
      await this.#store.noteAudit(batch)
    } catch (error) {
      this.#isFailing = true
      this.#warn(`entries of the audit wait: ${VarveError.is(error) ? error.code : 'STORE_FAILED'}`)
      this.#timer ??= setTimeout(() => void this.flush(), retryMs).unref()
      return false
    }
    this.#waiting = this.#waiting.slice(batch.length)
    this.#stored += batch.length
    this.#isFailing = false
    return true
  }

  #lose(): false {
    this.#lost += 1
    this.#warn('the store fails for long: entries of the audit are lost')
    return false
  }

  #warn(message: string): void {
    this.#store.observer.warn('AUDIT_WAITS', message, message.replaceAll(/\d+/g, ''))
  }
}
