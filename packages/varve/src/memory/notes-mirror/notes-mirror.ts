import type { DueNotes } from '../../notes/read-notes.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { StaleRevision } from '../../errors/stale-revision.ts'
import { byHand } from '../../models/writer.ts'
import { type MirroredNotes, type NotesDirectory, NotesFileRefused, type NotesOwner } from './notes-directory.ts'
import type { Notes, NotesEntry } from '../../notes/notes.ts'
import { notesText } from '../../notes/validate.ts'
import { pageRevisionsKept } from '../../pages/page-bounds.ts'
import type { PageRevision } from '../../pages/revision.ts'
import type { Listed } from '../../storage/listed.ts'
import type { Observer } from '../../observe/observer.ts'
import { type PartitionId, type SessionName, sessionName } from '../../scope/partition.ts'
import type { Engine } from '../../engine/engine.ts'
import type { NotesFiles } from '../../upkeep/notes.ts'

/** The writer of a revision that a forgetting made (storage/page-erasure.ts). */
const forgetting = 'forgetting'

/** Notes that are listed at once when something is erased. */
const notesAtOnce = 10_000

/** Tries to take an edit in when somebody else writes at the same time. */
const tries = 3

/** A revision of notes; its words only where they are needed. */
interface Kept {
  readonly revision: number
  readonly writer: string
  readonly content: string | undefined
}

/**
 * Keeps notes and their files the same. A person's edit of a file becomes a revision. Words that were forgotten since
 * the file was written do not come back by it. A failing file system fails no call of the memory: it is warned of once.
 */
export class NotesMirror implements NotesFiles {
  readonly #directory: NotesDirectory
  readonly #engine: Engine
  readonly #observer: Observer

  constructor(directory: NotesDirectory, engine: Engine, observer: Observer) {
    this.#directory = directory
    this.#engine = engine
    this.#observer = observer
  }

  async takeIn(session: DueNotes): Promise<void> {
    const owner = await this.#engine.read('notes.owner', session)
    if (owner !== undefined) await this.refresh(owner.partition, owner.session)
  }

  pathOf(partition: PartitionId, session: string): string {
    return this.#directory.pathOf(ownerOf(partition), session)
  }

  /**
   * Brings one session's notes and its file together. Takes an edit in, removes a file without notes, and writes an old
   * one anew.
   */
  async refresh(partition: PartitionId, session: SessionName): Promise<void> {
    await this.#told(async () => {
      const owner = ownerOf(partition)
      const file = await this.#directory.read(owner, session)
      const standing = await this.#engine.read('notes.read', partition, session, undefined)
      if (standing === undefined) return file === undefined ? undefined : this.#without(owner, session, file)
      // An empty file is as good as none: an editor may have been stopped halfway.
      if (file === undefined || file.content.trim() === '') return this.#write(owner, standing)
      await this.#beside(partition, session, file, standing)
    })
  }

  /** Erases something of some partitions' notes. It is gone from their files when this returns. */
  async erasing<Result>(partitions: readonly PartitionId[], erase: () => Promise<Result>): Promise<Result> {
    const before = new Map<PartitionId, ReadonlySet<string>>()
    for (const partition of partitions) before.set(partition, await this.#noted(partition))
    const result = await erase()
    for (const [partition, sessions] of before) await this.#afterErasing(partition, sessions)
    return result
  }

  async #noted(partition: PartitionId): Promise<ReadonlySet<string>> {
    const sessions = new Set<string>()
    let cursor: string | undefined
    do {
      const page: Listed<NotesEntry> = await this.#engine.read('notes.list', partition, { limit: notesAtOnce, cursor })
      for (const { session } of page.items) sessions.add(session)
      cursor = page.cursor
    } while (cursor !== undefined)
    return sessions
  }

  async #afterErasing(partition: PartitionId, before: ReadonlySet<string>): Promise<void> {
    const owner = ownerOf(partition)
    const filed = await this.#told(() => this.#directory.sessions(owner))
    const standing = await this.#noted(partition)
    for (const session of new Set([...before, ...(filed ?? [])])) {
      if (standing.has(session)) await this.refresh(partition, sessionName(session))
      else await this.#told(() => this.#directory.remove(owner, session))
    }
    await this.#told(() => this.#directory.sweep(owner))
  }

  /** Removes the file of erased notes. A file that has no mark is a person's own, and is left alone. */
  async #without(owner: NotesOwner, session: string, file: MirroredNotes): Promise<void> {
    if (file.mark === undefined)
      throw new NotesFileRefused(`${this.#directory.pathOf(owner, session)} belongs to no notes in the store: it is left alone`)
    await this.#directory.remove(owner, session)
  }

  async #beside(partition: PartitionId, session: SessionName, file: MirroredNotes, standing: Notes): Promise<void> {
    if (file.isEdited && (await this.#shown(standing)) !== file.content) await this.#takenIn(partition, session, file, standing)
    else if (file.mark?.revision !== standing.revision || file.mark.notes !== standing.id) await this.#write(ownerOf(partition), standing)
  }

  async #takenIn(partition: PartitionId, session: SessionName, file: MirroredNotes, first: Notes): Promise<void> {
    let standing: Notes | undefined = first
    for (let tried = 1; standing !== undefined; tried += 1) {
      try {
        return await this.#write(ownerOf(partition), await this.#edited(partition, session, file, standing))
      } catch (error) {
        if (!(error instanceof StaleRevision) || tried === tries) throw error
        standing = await this.#engine.read('notes.read', partition, session, undefined)
      }
    }
  }

  /** Puts an edit of the file into the notes. Leaves it out when something was forgotten since the file was written. */
  async #edited(partition: PartitionId, session: SessionName, file: MirroredNotes, standing: Notes): Promise<Notes> {
    const { revision = 0, notes = standing.id } = file.mark ?? {}
    const kept = await this.#keptSince(partition, session, revision, standing)
    const isOlder =
      notes !== standing.id || revision > standing.revision || (file.mark !== undefined && !kept.some((one) => one.revision === revision))
    if (isOlder || kept.some((one) => one.revision > revision && one.writer === forgetting)) {
      this.#warn(`the edit in the file of the notes of ${JSON.stringify(session)} was left out: a part of it was forgotten since`)
      return standing
    }
    const content = notesText(await this.#merged(file.content, kept.find((one) => one.revision === revision)?.content, standing))
    return this.#engine.write('notes.edit', partition, session, { content, revision: standing.revision }, byHand)
  }

  /** Reads one revision, and the writers of those after it. Their words are left out: all of them may be too much to hold. */
  async #keptSince(partition: PartitionId, session: SessionName, revision: number, standing: Notes): Promise<readonly Kept[]> {
    const kept: Kept[] = []
    const most = Math.min(pageRevisionsKept, Math.max(1, standing.revision - revision + 1))
    let cursor: string | undefined
    do {
      const request = { limit: most - kept.length, cursor }
      const page: Listed<PageRevision> = await this.#engine.read('notes.revisions', partition, session, request)
      for (const { revision: at, writer, content } of page.items) {
        kept.push({ revision: at, writer, content: at === revision ? content : undefined })
      }
      cursor = page.cursor
    } while (cursor !== undefined && kept.length < most)
    return kept
  }

  /** Merges a person's changes into notes that went on meanwhile. Where both changed the same lines, the person's page stands. */
  async #merged(edited: string, written: string | undefined, standing: Notes): Promise<string> {
    const shown = await this.#shown(standing)
    if (written === undefined || written === standing.content) return edited
    const { applyPatch, structuredPatch } = await import('diff')
    const merged = applyPatch(shown, structuredPatch('', '', await this.#engine.read('notes.shown', written), edited), {
      autoConvertLineEndings: false,
    })
    return merged === false ? edited : merged
  }

  #shown({ content }: Notes): Promise<string> {
    return this.#engine.read('notes.shown', content)
  }

  async #write(owner: NotesOwner, notes: Notes): Promise<void> {
    await this.#directory.write(owner, { ...notes, content: await this.#shown(notes) })
  }

  async #told<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (VarveError.is(error) && error.code === 'MEMORY_CLOSED') throw error
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
