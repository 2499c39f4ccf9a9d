import type { PlacedSession } from '../storage/derived/parts.ts'
import { notes } from '../layers/notes.ts'
import { extractive } from '../models/writer.ts'
import type { Notes } from '../notes/notes.ts'
import type { WrittenNotes } from '../notes/write-notes.ts'
import { askUnlessDown } from './ask-unless-down.ts'
import { askedFor, type Limits } from './limits.ts'
import { spanTokens } from './span-tokens.ts'
import type { WritingMeans } from './writing-means.ts'
import type { SizedPrompt, AskedModel } from './asked-model.ts'
import { NotesDrafts } from './notes-drafts.ts'
import type { DraftedNotes, NotesReading } from './notes-reading.ts'

/** The share of a model's window that a page may take. The rest is for new messages. */
const mostOfWindow = 0.6

/** Tokens of new talk that are read at once: the least with a model, and the most without one. */
const leastNew = 1_000
const extractiveNew = 32_000

/** The most requests to a model with useless answers about one page. */
const tries = 2

/** The result of an update: `more` when new messages are left, `stale` when something changed meanwhile. */
export interface Noted {
  readonly outcome: 'done' | 'more' | 'stale' | 'nothing'
  readonly notes?: Notes
}

/** Brings the notes of a session up to date. */
export class NotesUpdater {
  readonly #means: WritingMeans
  readonly #drafts: NotesDrafts
  readonly #model: AskedModel | undefined

  constructor(means: WritingMeans, model: AskedModel | undefined) {
    this.#means = means
    this.#drafts = new NotesDrafts(means)
    this.#model = model
  }

  /** Reads the new messages of a session that `holder` holds, as many as fit one call. Commits the page with its cursor. */
  async update(session: PlacedSession, holder: string, limits: Limits): Promise<Noted> {
    const window = this.#model?.isUp() === true ? await this.#model.window(limits.signal) : undefined
    const reading = await this.#drafts.reading(
      session,
      window === undefined ? extractiveNew : Math.max(leastNew, Math.floor(spanTokens(window) * (1 - mostOfWindow))),
    )
    if (reading === undefined) return { outcome: 'nothing' }
    const written = await this.#write(reading, window, limits)
    const notes = await this.#means.storeNotes({ ...reading, holder }, { ...written, template: reading.template })
    if (notes === undefined) return { outcome: 'stale' }
    this.#means.observer.count('noted')
    this.#means.observer.emit({
      type: 'noted',
      project: reading.partition.project,
      session: reading.name,
      revision: notes.revision,
      messages: reading.to - reading.from + 1,
    })
    return { outcome: reading.hasMore ? 'more' : 'done', notes }
  }

  async #write(reading: NotesReading, window: number | undefined, limits: Limits): Promise<Omit<WrittenNotes, 'template'>> {
    const model = this.#model
    const content =
      model === undefined || window === undefined ? undefined : await this.#byModel(model, reading, spanTokens(window), limits)
    if (model !== undefined && content !== undefined) return { content, writer: model.name, sawPage: true }
    return { content: await this.#drafts.extract(reading), writer: extractive, sawPage: false }
  }

  /**
   * Updates a page by the model. Undefined when none of its calls could be carried out. Then the extractive writer
   * serves, and the next update goes on from there.
   */
  async #byModel(model: AskedModel, reading: NotesReading, room: number, limits: Limits): Promise<string | undefined> {
    let draft: DraftedNotes | undefined
    for (let tried = 0; tried < tries && (draft === undefined || draft.refused.length > 0); tried += 1) {
      const asked = await this.#drafts.ask({ ...reading, page: draft?.content ?? reading.page }, draft?.refused ?? [])
      if (asked === undefined) return reading.page
      const object = asked.tokens > room + leastNew ? undefined : await this.#ask(model, reading, asked, limits)
      if (object === undefined) break
      const answered = await this.#drafts.parse({ ...reading, page: draft?.content ?? reading.page }, object)
      if (answered === undefined) continue
      this.#means.observer.count('notesRefused', answered.refused.length)
      draft = { ...answered, applied: answered.applied + (draft?.applied ?? 0) }
    }
    if (draft === undefined || (draft.applied === 0 && draft.refused.length > 0)) return undefined
    return draft.long.length === 0 ? draft.content : this.#condensed(model, reading, draft, limits)
  }

  /** Sends sections over their cap back once, then cuts them. */
  async #condensed(model: AskedModel, reading: NotesReading, draft: DraftedNotes, limits: Limits): Promise<string> {
    const object = await this.#ask(model, reading, await this.#drafts.askCondensed(reading, draft), limits)
    const { content, refused } = await this.#drafts.parseCondensed(reading, draft, object)
    this.#means.observer.count('notesRefused', refused.length)
    return content
  }

  async #ask(
    model: AskedModel,
    reading: NotesReading,
    asked: SizedPrompt,
    limits: Limits,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { clock } = this.#means
    const about = await askedFor(reading, 'notes', notes.bit, clock.now(), limits)
    const answer = await askUnlessDown(model, [asked, about], clock, limits.signal)
    if (!('reason' in answer)) return answer.object
    if (!answer.isUntried) limits.failed?.(answer.reason)
    return undefined
  }
}
