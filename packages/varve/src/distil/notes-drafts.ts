import type { PlacedSession } from '../storage/derived/parts.ts'
import { extractiveNotesWriter } from '../extractive/notes-writer.ts'
import type { RefusedCall } from '../notes/edit.ts'
import { type DistilStore, promptMark, redacted, sized, withoutSecrets } from './distil-store.ts'
import type { SizedPrompt } from './asked-model.ts'
import { type DraftedNotes, fittedNotes, longIn, notedMessages, type NotesReading, readForNotes, writtenNotes } from './notes-reading.ts'
import { checkNotes } from '../tasks/check-notes.ts'
import { condensePrompt, notesPrompt, retryNotesPrompt } from '../tasks/notes-prompt.ts'

/** The most tokens that a writer of notes reads of one message. */
const noteTokens = 4_000

/** Drafts the notes of sessions. */
export class NotesDrafts {
  readonly #store: DistilStore

  constructor(store: DistilStore) {
    this.#store = store
  }

  reading(session: PlacedSession, maxTokens: number): Promise<NotesReading | undefined> {
    return this.#store.read(readForNotes(session, maxTokens))
  }

  async ask(reading: NotesReading, refused: readonly RefusedCall[]): Promise<SizedPrompt | undefined> {
    const messages = await withoutSecrets(await this.#store.read(notedMessages(reading, noteTokens)), 'model')
    if (messages.length === 0) return undefined
    const prompt = notesPrompt(await redacted(reading.page), messages, reading.notes, { mark: promptMark(this.#store) })
    return sized(refused.length === 0 ? prompt : retryNotesPrompt(prompt, refused))
  }

  async parse(reading: NotesReading, object: Readonly<Record<string, unknown>>): Promise<DraftedNotes | undefined> {
    const checked = checkNotes(object, reading.page, reading.notes)
    if ('problem' in checked) return undefined
    const content = await redacted(checked.content)
    return { ...checked, content, long: longIn(content, reading) }
  }

  async askCondensed({ notes }: NotesReading, { content, long }: DraftedNotes): Promise<SizedPrompt> {
    return sized(condensePrompt(content, long, notes, { mark: promptMark(this.#store) }))
  }

  async parseCondensed(
    reading: NotesReading,
    draft: DraftedNotes,
    object: Readonly<Record<string, unknown>> | undefined,
  ): Promise<DraftedNotes> {
    const checked =
      object === undefined
        ? undefined
        : checkNotes(
            object,
            draft.content,
            reading.notes,
            draft.long.map(({ heading }) => heading),
          )
    const { content, applied, refused } =
      checked === undefined || 'problem' in checked ? { content: draft.content, applied: 0, refused: [] } : checked
    return { content: fittedNotes(await redacted(content), reading), applied, refused, long: [] }
  }

  async extract(reading: NotesReading): Promise<string> {
    return redacted(writtenNotes(extractiveNotesWriter, reading, await this.#store.read(notedMessages(reading, noteTokens))))
  }
}
