import { LRUCache } from 'lru-cache'
import type { ImportItem } from '../importer.ts'
import type { TranscriptLine } from './claude-code-lines.ts'

/** The most titles that wait for their line, and the most sessions whose titles are remembered. */
export const maxTitles = 1000

/** A person's title goes before a model's, and that before a summary. */
const ranks = { custom: 3, made: 2, summary: 1 } as const

/**
 * The titles of sessions. A summary names the last line of its session, which is often in another file. The summary
 * counts for the session of that line.
 */
export class Titles {
  readonly #waiting = new Map<string, string>()
  readonly #rankOf = new LRUCache<string, number>({ max: maxTitles })
  /** The number of summaries that were given up. */
  #lost = 0

  rest(): readonly ImportItem[] {
    const count = this.#lost + this.#waiting.size
    return count > 0 ? [{ kind: 'skipped', reason: 'title of another session', count }] : []
  }

  /** Reads a session's title from a line; `sessionOf` returns the session of a line. */
  *take(line: TranscriptLine, ownSession: string, sessionOf: (uuid: string) => string | undefined): Generator<ImportItem> {
    const { customTitle, aiTitle, summary, leafUuid } = line
    const own = customTitle ?? aiTitle
    if (own !== undefined) yield* this.#told(ownSession, own, customTitle === undefined ? ranks.made : ranks.custom)
    else if (summary === undefined || leafUuid === undefined) yield { kind: 'skipped', reason: 'bookkeeping' }
    else {
      const session = sessionOf(leafUuid)
      if (session === undefined) this.#wait(leafUuid, summary)
      else yield* this.#told(session, summary, ranks.summary)
    }
  }

  /** Notes that a line of that session was read. */
  *met(uuid: string, session: string): Generator<ImportItem> {
    const summary = this.#waiting.get(uuid)
    if (summary === undefined) return
    this.#waiting.delete(uuid)
    yield* this.#told(session, summary, ranks.summary)
  }

  *#told(session: string, name: string, rank: number): Generator<ImportItem> {
    if (rank < (this.#rankOf.get(session) ?? 0)) return
    this.#rankOf.set(session, rank)
    yield { kind: 'session', id: session, name }
  }

  #wait(uuid: string, summary: string): void {
    if (this.#waiting.has(uuid) || this.#waiting.size >= maxTitles) this.#lost += 1
    else this.#waiting.set(uuid, summary)
  }
}
