import { LRUCache } from 'lru-cache'
import type { ImportItem } from '../importer.ts'
import type { TranscriptLine } from './claude-code-lines.ts'

/** How many titles wait for the line that they are of, and how many sessions' titles are remembered. */
export const maxTitles = 1000

/** What a person chose goes before what a model made, and that before a summary. */
const ranks = { custom: 3, made: 2, summary: 1 } as const

/**
 * The titles of sessions. A summary names the last line of the session that it is of, which is often a session of
 * another file: it counts for the session in which that line is.
 */
export class Titles {
  readonly #waiting = new Map<string, string>()
  readonly #rankOf = new LRUCache<string, number>({ max: maxTitles })
  /** Summaries that had to be given up. */
  #lost = 0

  rest(): readonly ImportItem[] {
    const count = this.#lost + this.#waiting.size
    return count > 0 ? [{ kind: 'skipped', reason: 'title of another session', count }] : []
  }

  /** What a line says of a session's title; `sessionOf` knows in which session a line was. */
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

  /** A line of that session has come by. */
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
