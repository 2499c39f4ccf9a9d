import type { Clock } from '../clock/clock.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import { extractive } from '../models/writer.ts'
import type { Notes } from '../notes/notes.ts'
import type { WrittenNotes } from '../notes/write-notes.ts'
import type { Observer } from '../observe/observer.ts'
import { layerBits } from '../storage/layers.ts'
import { askedFor, type Limits, spanTokens } from './distiller.ts'
import type { Asked, ModelCalls } from './model-calls.ts'
import type { DraftedNotes, NotesReading } from './notes-reading.ts'
import type { NotesTasks } from './notes-tasks.ts'

/** Of a model's window, what a page may take: beside it there has to be room for what is new. */
const mostOfWindow = 0.6

/** Tokens of new talk that are read at once, at least and without a model. */
const leastNew = 1_000
const extractiveNew = 32_000

/** How often a model whose answers cannot be used is asked about one page. */
const tries = 2

/** What became of notes: `more` when not all that is new was read, `stale` when something was changed meanwhile. */
export interface Noted {
  readonly outcome: 'done' | 'more' | 'stale' | 'nothing'
  readonly notes?: Notes
}

/** Brings the notes of a session up to date. */
export class NotesUpdater {
  readonly #tasks: NotesTasks
  readonly #calls: ModelCalls | undefined
  readonly #clock: Clock
  readonly #observer: Observer

  constructor(tasks: NotesTasks, calls: ModelCalls | undefined, clock: Clock, observer: Observer) {
    this.#tasks = tasks
    this.#calls = calls
    this.#clock = clock
    this.#observer = observer
  }

  /** Reads what is new in a session that `holder` holds, as much as fits one call, and commits the page with its cursor. */
  async update(session: number, holder: string, limits: Limits): Promise<Noted> {
    const window = this.#calls?.isUp() === true ? await this.#calls.model.window(limits.signal) : undefined
    const reading = await this.#tasks.readForNotes(session, window === undefined ? extractiveNew : Math.max(leastNew, Math.floor(spanTokens(window) * (1 - mostOfWindow))))
    if (reading === undefined) return { outcome: 'nothing' }
    const written = await this.#write(reading, window, limits)
    const notes = await this.#tasks.storeNotes({ ...reading, holder }, { ...written, template: reading.template }, this.#clock.now())
    if (notes === undefined) return { outcome: 'stale' }
    this.#observer.count('noted')
    this.#observer.emit({ type: 'noted', project: reading.partition.project, session: reading.name, revision: notes.revision, messages: reading.to - reading.from + 1 })
    return { outcome: reading.hasMore ? 'more' : 'done', notes }
  }

  async #write(reading: NotesReading, window: number | undefined, limits: Limits): Promise<Omit<WrittenNotes, 'template'>> {
    const calls = this.#calls
    const content = calls === undefined || window === undefined ? undefined : await this.#byModel(calls, reading, spanTokens(window), limits)
    if (calls !== undefined && content !== undefined) return { content, writer: calls.model.name, sawPage: true }
    return { content: await this.#tasks.extractNotes(reading), writer: extractive, sawPage: false }
  }

  /** Undefined where no call of the model's could be carried out: then the extractive writer serves, and the next update goes on from there. */
  async #byModel(calls: ModelCalls, reading: NotesReading, room: number, limits: Limits): Promise<string | undefined> {
    let draft: DraftedNotes | undefined
    for (let tried = 0; tried < tries && (draft === undefined || draft.refused.length > 0); tried += 1) {
      const asked = await this.#tasks.askNotes({ ...reading, page: draft?.content ?? reading.page }, draft?.refused ?? [])
      if (asked === undefined) return reading.page
      const object = asked.tokens > room + leastNew ? undefined : await this.#ask(calls, reading, asked, limits)
      if (object === undefined) break
      const answered = await this.#tasks.parseNotes({ ...reading, page: draft?.content ?? reading.page }, object)
      if (answered === undefined) continue
      this.#observer.count('notesRefused', answered.refused.length)
      draft = { ...answered, applied: answered.applied + (draft?.applied ?? 0) }
    }
    if (draft === undefined || (draft.applied === 0 && draft.refused.length > 0)) return undefined
    return draft.long.length === 0 ? draft.content : this.#condensed(calls, reading, draft, limits)
  }

  /** Sections over their cap are sent back once, then cut. */
  async #condensed(calls: ModelCalls, reading: NotesReading, draft: DraftedNotes, limits: Limits): Promise<string> {
    const object = await this.#ask(calls, reading, await this.#tasks.askCondensed(reading, draft), limits)
    const { content, refused } = await this.#tasks.parseCondensed(reading, draft, object)
    this.#observer.count('notesRefused', refused.length)
    return content
  }

  async #ask(calls: ModelCalls, reading: NotesReading, asked: Asked, limits: Limits): Promise<Readonly<Record<string, unknown>> | undefined> {
    if (!calls.isUp()) return undefined
    try {
      return (await calls.ask(asked, await askedFor(reading, 'notes', layerBits.notes, this.#clock.now()), limits.signal)).object
    } catch (error) {
      if (!(error instanceof ModelFailed)) throw error
      return undefined
    }
  }
}
