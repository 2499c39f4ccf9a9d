import type { AskedModel } from '../distil/asked-model.ts'
import { Digester } from '../distil/digester.ts'
import { Distiller } from '../distil/distiller.ts'
import type { Limits } from '../distil/limits.ts'
import { Documenter, type Embedding } from '../distil/documenter.ts'
import type { DueScope } from '../storage/due-place.ts'
import type { WritingMeans } from '../distil/writing-means.ts'
import { type Noted, NotesUpdater } from '../distil/notes-updater.ts'
import type { DueNotes } from '../notes/read-notes.ts'
import type { DueSession } from '../storage/derived/reading.ts'
import { DigestUpkeep } from './digests.ts'
import { DistilUpkeep } from './distil.ts'
import { type DocumentTurn, DocumentUpkeep } from './documents.ts'
import { Leases } from './leased.ts'
import type { UpkeepTurn } from './loop.ts'
import { type NotesFiles, notesPerList, NotesUpkeep } from './notes.ts'
import { scopedDue, ScopedLook } from './scoped-look.ts'
import type { TalliedLimits } from './work-tally.ts'
import { dueBounds, type Reach, type WaitingSessions } from './waiting.ts'

/** The models by task; undefined where the extractive writer does the task. */
export interface AskedModels {
  readonly distil: AskedModel | undefined
  readonly edit: AskedModel | undefined
  readonly notes: AskedModel | undefined
}

/** The tools with which layers are written. */
export interface LayerMeans {
  readonly models: AskedModels
  readonly embedding: Embedding | undefined
  /** Bits of the layers that are on unless a project says otherwise. */
  readonly layers: number
  /** This process's own id, under which it holds its leases. */
  readonly holder: string
  readonly notesFiles: NotesFiles | undefined
}

/** The result of a turn, by kind. */
export interface LayerTurn extends UpkeepTurn {
  readonly distilled: number
  readonly digested: number
  readonly documented: number
  readonly noted: number
  /** The sessions that wait; undefined where the turn does not know it. */
  readonly waiting?: WaitingSessions | undefined
}

/** Writes layers. Reads sessions, updates notes, works facts into documents, and digests banks. */
export class LayerUpkeep {
  readonly #sessions: DistilUpkeep
  readonly #banks: DigestUpkeep
  readonly #documents: DocumentUpkeep
  readonly #notes: NotesUpkeep
  readonly #means: WritingMeans
  readonly #layers: number

  constructor(means: WritingMeans, { models: { distil, edit, notes }, embedding, layers, holder, notesFiles }: LayerMeans) {
    this.#means = means
    this.#layers = layers
    const leases = new Leases(means.write, holder, means.observer)
    const isSpentOn =
      (model: AskedModel | undefined) =>
      (limits: Limits): boolean =>
        model !== undefined && model.made >= limits.calls
    this.#sessions = new DistilUpkeep(means, new Distiller(means, distil, layers), leases, layers)
    this.#banks = new DigestUpkeep(means, new Digester(means, distil), leases, layers)
    this.#documents = new DocumentUpkeep(means, new Documenter(means, edit, embedding), leases, isSpentOn(edit))
    this.#notes = new NotesUpkeep(means, new NotesUpdater(means, notes), leases, { layers, files: notesFiles, isSpent: isSpentOn(notes) })
  }

  /** Does due work; of all, of a partition, or of a session. */
  async turn(limits: TalliedLimits, only: DueScope | undefined, reach: Reach): Promise<LayerTurn> {
    const look = only === undefined || reach === 'background' ? undefined : this.#look(only, reach)
    const noted = await this.#notes.turn(limits, only, reach, look)
    if (!noted.settled) look?.end()
    const read = await this.#sessions.turn(limits, only, reach, look)
    const { waiting } = look ?? {}
    const documented = read.settled ? await this.#documents.turn(limits, only, reach !== 'all', look) : { done: 0, settled: false }
    const digested =
      read.settled && only?.session === undefined ? await this.#banks.turn(limits, only?.partition.project) : { done: 0, settled: true }
    return {
      distilled: read.done,
      digested: digested.done,
      documented: documented.done,
      noted: noted.done,
      done: noted.done + read.done + documented.done + digested.done,
      settled: noted.settled && read.settled && documented.settled && digested.settled,
      ...(waiting === undefined ? {} : { waiting }),
    }
  }

  /** Looks once for the loops of a turn within a scope. Over all partitions, each loop looks by itself: its looks take long. */
  #look(only: DueScope, reach: Reach): ScopedLook {
    const { clock, read } = this.#means
    const begunAt = clock.now()
    const hasEditor = reach === 'all' || this.#documents.hasEditor
    return new ScopedLook(() => {
      const bounds = dueBounds(reach, clock.now(), begunAt, this.#layers)
      return read(scopedDue(only, { kinds: this.#sessions.scopedKinds, bounds, notes: notesPerList, hasEditor }))
    })
  }

  /** Reads one session. False when another is reading it, or it changed meanwhile. */
  session(due: DueSession, limits: Limits, once: number): Promise<boolean> {
    return this.#sessions.session(due, limits, once)
  }

  /** Works the waiting facts of a partition into documents. */
  documents(limits: Limits, only: DueScope): Promise<DocumentTurn> {
    return this.#documents.turn(limits, only, false)
  }

  /** Updates the notes of one session; undefined when another is updating them. */
  notes(due: DueNotes, limits: Limits): Promise<Noted | undefined> {
    return this.#notes.update(due, limits)
  }
}
