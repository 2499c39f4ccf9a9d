import type { Clock } from '../clock/clock.ts'
import { Digester } from '../distil/digester.ts'
import type { DigestTasks } from '../distil/digest-tasks.ts'
import { Distiller, type Limits } from '../distil/distiller.ts'
import { Documenter } from '../distil/documenter.ts'
import type { DocumentTasks } from '../distil/document-tasks.ts'
import type { DueScope } from '../distil/due.ts'
import { ModelCalls } from '../distil/model-calls.ts'
import type { NotesTasks } from '../distil/notes-tasks.ts'
import { type Noted, NotesUpdater } from '../distil/notes-updater.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { LanguageModel } from '../models/language-model.ts'
import type { DueNotes } from '../notes/read-notes.ts'
import type { Observer } from '../observe/observer.ts'
import type { DueSession } from '../storage/derived/reading.ts'
import { DigestUpkeep } from './digests.ts'
import { DistilUpkeep, type DueTasks } from './distil.ts'
import { type DocumentTurn, DocumentUpkeep } from './documents.ts'
import type { Turn } from './loop.ts'
import { type NotesFiles, NotesUpkeep } from './notes.ts'
import type { Reach } from './waiting.ts'

export type LayerTasks = DueTasks & DigestTasks & DocumentTasks & NotesTasks

/** A model for each task that wants one; where all are the same, it is called under one count of its failures. */
export interface LanguageModels {
  readonly distil: LanguageModel | undefined
  readonly edit: LanguageModel | undefined
  readonly notes: LanguageModel | undefined
}

/** What layers are written with. */
export interface LayerMeans {
  readonly languageModels: LanguageModels
  readonly embeddingModel: EmbeddingModel | undefined
  /** Bits of the layers that are on where a project says nothing. */
  readonly layers: number
  /** This process's own id, under which it holds its leases. */
  readonly holder: string
  readonly notesFiles: NotesFiles | undefined
}

/** What a turn came to, by kind. */
export interface LayerTurn extends Turn {
  readonly distilled: number
  readonly digested: number
  readonly documented: number
  readonly noted: number
}

/** Writes what is derived: sessions are read, notes brought up to date, what was read worked into documents, banks digested. */
export class LayerUpkeep {
  /** Calls of each model that there is. */
  readonly calls: readonly ModelCalls[]
  readonly #tally = { made: 0 }
  readonly #sessions: DistilUpkeep
  readonly #banks: DigestUpkeep
  readonly #documents: DocumentUpkeep
  readonly #notes: NotesUpkeep

  constructor(tasks: LayerTasks, clock: Clock, observer: Observer, { languageModels: { distil, edit, notes }, embeddingModel, layers, holder, notesFiles }: LayerMeans) {
    const byModel = new Map([distil, edit, notes].flatMap((model) => (model === undefined ? [] : [[model, new ModelCalls(model, tasks, clock, observer, this.#tally)] as const])))
    const callsOf = (model: LanguageModel | undefined): ModelCalls | undefined => (model === undefined ? undefined : byModel.get(model))
    this.calls = [...byModel.values()]
    const own = { holder, layers }
    const isSpentOn = (calls: ModelCalls | undefined) => (limits: Limits): boolean => calls !== undefined && calls.made >= limits.calls
    this.#sessions = new DistilUpkeep(tasks, new Distiller(tasks, callsOf(distil), clock, observer, layers), clock, own)
    this.#banks = new DigestUpkeep(tasks, new Digester(tasks, callsOf(distil), clock, observer), clock, own)
    this.#documents = new DocumentUpkeep(tasks, new Documenter(tasks, callsOf(edit), embeddingModel, clock, observer), clock, { holder, isSpent: isSpentOn(callsOf(edit)) })
    this.#notes = new NotesUpkeep(tasks, new NotesUpdater(tasks, callsOf(notes), clock, observer), clock, { ...own, files: notesFiles, isSpent: isSpentOn(callsOf(notes)) })
  }

  /** Requests to all models since the process began. */
  get made(): number {
    return this.#tally.made
  }

  /** Does what is due; of all, of a partition, or of a session. */
  async turn(limits: Limits, only: DueScope | undefined, reach: Reach): Promise<LayerTurn> {
    const noted = await this.#notes.turn(limits, only, reach)
    const read = await this.#sessions.turn(limits, only, reach)
    const documented = read.settled ? await this.#documents.turn(limits, only) : { done: 0, settled: false }
    const digested = read.settled && only?.session === undefined ? await this.#banks.turn(limits, only?.partition.project) : { done: 0, settled: true }
    return {
      distilled: read.done, digested: digested.done, documented: documented.done, noted: noted.done, done: noted.done + read.done + documented.done + digested.done,
      settled: noted.settled && read.settled && documented.settled && digested.settled,
    }
  }

  /** Reads one session; false when another is at it, or it was changed meanwhile. */
  session(due: DueSession, limits: Limits, once: number): Promise<boolean> {
    return this.#sessions.session(due, limits, once)
  }

  /** Works into documents what waits in a partition. */
  documents(limits: Limits, only: DueScope): Promise<DocumentTurn> {
    return this.#documents.turn(limits, only)
  }

  /** Updates the notes of one session; undefined when another is at it. */
  notes(due: DueNotes, limits: Limits): Promise<Noted | undefined> {
    return this.#notes.update(due, limits)
  }
}
