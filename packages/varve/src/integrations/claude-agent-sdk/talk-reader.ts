import { Transcript } from '../../importers/formats/claude-code.ts'
import type { ImportHandle } from '../../importers/importer.ts'
import { OneTarget } from '../../importers/import-targets.ts'
import { Tally } from '../../importers/reasons.ts'
import { repaired } from '../../importers/repair.ts'
import { TrackedSessions } from '../../importers/sessions.ts'
import { cleanName } from '../../importers/text.ts'
import type { MessageInput } from '../../messages/message.ts'
import { withBoundedTools } from '../claude-code/bounded-tools.ts'
import type { TranscriptEntry } from './transcript-key.ts'

/** What an entry says. */
export interface EntryTalk {
  readonly messages: readonly { readonly session: string; readonly message: MessageInput }[]
  /** A title of the session. */
  readonly title: string | undefined
  /** The time of the entry, or of the one before it: UTC milliseconds. */
  readonly at: number | undefined
}

/**
 * Reads the talk in a transcript's entries, one after another, as `varve import` and Claude Code's hooks read it: the same ids, so that
 * store, import and hooks together keep each message once.
 */
export class TalkReader {
  readonly #session: string
  readonly #transcript: Transcript
  readonly #tally = new Tally()
  readonly #sessions = new TrackedSessions(this.#tally)
  readonly #targets: OneTarget

  constructor(session: string, handle: ImportHandle) {
    this.#session = session
    this.#transcript = new Transcript(session)
    this.#targets = new OneTarget(handle)
  }

  read(entry: TranscriptEntry, bytes: number, now: number): EntryTalk {
    const target = this.#targets.targetOf(undefined)
    if (typeof target === 'string') return { messages: [], title: undefined, at: undefined }
    const messages: { readonly session: string; readonly message: MessageInput }[] = []
    let title: string | undefined
    // Entries come in the order in which they were written: none waits for one that belongs before it.
    for (const read of [...this.#transcript.take(entry, bytes), ...this.#transcript.rest()]) {
      const item = withBoundedTools(read)
      if (item.kind === 'session' && item.id === this.#session) title = cleanName(item.name, this.#tally) ?? title
      if (item.kind !== 'message') continue
      const session = this.#sessions.get(item.session, target)
      const context = { tally: this.#tally, sessions: this.#sessions, now }
      for (const message of repaired(session, item.message, context)) messages.push({ session: session.id, message })
    }
    return { messages, title, at: this.#sessions.get(this.#session, target).lastAt }
  }
}
