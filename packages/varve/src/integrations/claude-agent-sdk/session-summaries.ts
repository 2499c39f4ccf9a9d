import { growingCache } from '../../caches/growing-cache.ts'
import { transcriptName, type TranscriptEntry, type TranscriptKey } from './transcript-key.ts'
import type { TranscriptMemory } from './transcript-memory.ts'

/** A summary of a session. Its data are the SDK's. */
export interface TranscriptSummary {
  sessionId: string
  mtime: number
  data: Record<string, unknown>
}

/** The SDK's own `foldSessionSummary`. */
export type FoldSummary = (
  previous: TranscriptSummary | undefined,
  key: TranscriptKey,
  entries: TranscriptEntry[],
  options?: { mtime?: number },
) => TranscriptSummary

const maxSummaries = 10_000
const changesRead = 1_000

/**
 * Summaries of sessions, made of their entries and kept until the session changes. They are not stored: a stored summary
 * would hold a prompt's words after the prompt was forgotten.
 */
export class SessionSummaries {
  readonly #memory: TranscriptMemory
  readonly #kept = growingCache<string, TranscriptSummary>(maxSummaries)
  #place: string | undefined

  constructor(memory: TranscriptMemory) {
    this.#memory = memory
  }

  /** Drops the summaries of sessions that any process changed. */
  async refresh(): Promise<void> {
    let isRead = false
    while (!isRead) {
      const asked = this.#place === undefined ? {} : { after: this.#place }
      const { changes, place, missed } = await this.#memory.changes({ limit: changesRead, ...asked })
      this.#place = place
      if (missed) this.#kept.clear()
      for (const { session } of changes) this.#drop(session)
      isRead = changes.length < changesRead
    }
  }

  get(key: TranscriptKey): TranscriptSummary | undefined {
    return this.#kept.get(nameOf(key))
  }

  keep(key: TranscriptKey, summary: TranscriptSummary): void {
    this.#kept.set(nameOf(key), summary)
  }

  /** A change that names no session may be of any. */
  #drop(session: string | undefined): void {
    if (session === undefined) this.#kept.clear()
    else for (const name of this.#kept.keys()) if (name.startsWith(`${session}\0`)) this.#kept.delete(name)
  }
}

function nameOf(key: TranscriptKey): string {
  return `${key.sessionId}\0${transcriptName(key)}`
}
