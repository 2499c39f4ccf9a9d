import { VarveError } from './errors/varve-error.ts'
import type { Clock } from './clock/clock.ts'
import { byHand } from './models/writer.ts'
import { type MirroredNotes, type NotesDirectory, NotesFileRefused, type NotesOwner } from './notes-directory.ts'
import type { Notes } from './notes/notes.ts'
import type { Observer } from './observe/observer.ts'
import { type PartitionId, type SessionName, sessionName } from './scope/partition.ts'
import type { Engine } from './threads/engine.ts'
import type { NotesFiles } from './upkeep/notes.ts'

/** The revision that is written where something was forgotten (storage/page-erasure.ts). */
const forgetting = 'forgetting'

/** Revisions that are looked through for one that was forgotten from. */
const mostLooked = 200

/**
 * Keeps notes and their files the same. What a person edited in a file becomes a revision; what was forgotten since it was written does not come back
 * by it. Whatever a file system does, no memory fails for it: it is told once.
 */
export class NotesMirror implements NotesFiles {
  readonly #directory: NotesDirectory
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #observer: Observer

  constructor(directory: NotesDirectory, engine: Engine, clock: Clock, observer: Observer) {
    this.#directory = directory
    this.#engine = engine
    this.#clock = clock
    this.#observer = observer
  }

  async takeIn(session: number): Promise<void> {
    const owner = await this.#engine.read.ownerOfNotes(session)
    if (owner !== undefined) await this.refresh(owner.partition, owner.session)
  }

  async write(notes: Notes, session: number): Promise<string | undefined> {
    const owner = await this.#engine.read.ownerOfNotes(session)
    return owner === undefined ? undefined : this.writeOf(owner.partition, owner.session, notes)
  }

  pathOf(partition: PartitionId, session: string): string {
    return this.#directory.pathOf(ownerOf(partition), session)
  }

  async writeOf(partition: PartitionId, session: string, { content, revision }: Pick<Notes, 'content' | 'revision'>): Promise<string | undefined> {
    return this.#told(async () => this.#directory.write(ownerOf(partition), session, { content: await this.#engine.distil.redacted(content), revision }))
  }

  /** Brings one session's notes and its file together: an edit is taken in, a file without notes goes, an old one is written anew. */
  async refresh(partition: PartitionId, session: SessionName): Promise<void> {
    await this.#told(async () => {
      const owner = ownerOf(partition)
      const file = await this.#directory.read(owner, session)
      const standing = await this.#engine.read.notes(partition, session, undefined)
      if (file === undefined) return void (standing === undefined || (await this.writeOf(partition, session, standing)))
      if (standing === undefined) await this.#without(owner, session, file)
      else await this.#beside(partition, session, file, standing)
    })
  }

  /** The same for all sessions of a partition that have a file: after something was forgotten. */
  async refreshAll(partition: PartitionId): Promise<void> {
    const sessions = await this.#told(() => this.#directory.sessions(ownerOf(partition)))
    for (const session of sessions ?? []) await this.refresh(partition, sessionName(session))
  }

  /** Notes that were erased leave no file; one that nobody marked is a person's own, and is left alone. */
  async #without(owner: NotesOwner, session: string, file: MirroredNotes): Promise<void> {
    if (file.revision === undefined) throw new NotesFileRefused(`${this.#directory.pathOf(owner, session)} is of no notes that there are: it is left alone`)
    await this.#directory.remove(owner, session)
  }

  async #beside(partition: PartitionId, session: SessionName, file: MirroredNotes, standing: Notes): Promise<void> {
    const shown = await this.#engine.distil.redacted(standing.content)
    if (file.content === shown) return
    const since = (await this.#engine.read.notesRevisions(partition, session, mostLooked)).filter(({ revision }) => revision > (file.revision ?? 0))
    const base = file.revision === undefined ? undefined : (await this.#engine.read.notesRevisions(partition, session, mostLooked)).find(({ revision }) => revision === file.revision)
    const isOld = base?.content !== undefined && (await this.#engine.distil.redacted(base.content)) === file.content
    const isForgotten = since.some(({ writer }) => writer === forgetting)
    if (isForgotten && !isOld) this.#warn(`what was edited in the file of the notes of ${JSON.stringify(session)} was left out: something of it was forgotten since`)
    const notes = isOld || isForgotten ? standing : await this.#engine.write.editNotes(partition, session, { content: file.content, revision: standing.revision }, byHand, this.#clock.now())
    await this.writeOf(partition, session, notes)
  }

  async #told<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (error instanceof VarveError && error.code === 'MEMORY_CLOSED') throw error
      this.#warn(error.message)
      return undefined
    }
  }

  #warn(message: string): void {
    this.#observer.warn('NOTES_FILE', message, `notes ${message}`)
  }
}

function ownerOf({ project, owner }: PartitionId): NotesOwner {
  return { project, user: owner.kind === 'user' ? owner.name : undefined }
}
