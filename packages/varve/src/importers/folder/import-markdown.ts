import { systemClock } from '../../clock/clock.ts'
import { Cancelled } from '../../errors/cancelled.ts'
import { ImportFailed } from '../../errors/import-failed.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { isFolderOfExport } from './own-folder.ts'
import { type RepairReason, type SkipReason, Tally } from '../reasons.ts'
import { NoteNames } from './names.ts'
import { longestDocument, type ReadNote, readNote, usualDocument } from './note.ts'
import { type FoundFile, liesIn, markdownFiles, walkFolder } from './walk.ts'

/** The writer of documents from a folder. A document that somebody else wrote or changed stays as it is. */
export const markdownWriter = 'markdown'

/** The documents that a folder goes to: those of a user's memory, or of a project's. */
export interface MarkdownTarget {
  /** True for documents that the members of a project share. Default: by the memory that is given. */
  readonly shared?: boolean
  readonly documents: {
    read(name: string): Promise<StandingDocument | undefined>
    edit(name: string, content: string, options: MarkdownEdit): Promise<unknown>
  }
}

interface StandingDocument {
  readonly content: string
  readonly revision: number
  readonly writer: string
  readonly shared?: true
}

interface MarkdownEdit {
  readonly revision: number
  readonly writer: string
  readonly maxChars?: number
  readonly description?: string
}

export interface MarkdownImportOptions {
  /** True reads and counts everything, stores nothing: its report is that of the import, while the memory has room. Default false. */
  readonly dryRun?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after each note. */
  readonly onProgress?: ((progress: { readonly done: number; readonly notes: number }) => void) | undefined
  /** UTC milliseconds. Default: the system's clock. */
  readonly now?: (() => number) | undefined
}

export interface MarkdownImportReport {
  readonly format: 'markdown'
  /** Documents that the notes make. They equal `stored + updated + unchanged`. */
  readonly documents: number
  /** New documents. A dry run counts those that an import would store. */
  readonly stored: number
  /** Documents of an earlier import whose note was changed since. The earlier content stays as a revision. */
  readonly updated: number
  readonly unchanged: number
  /** Counts by reason: `skipped` for left-out files, `repaired` for changes that made content storable. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>
  readonly repaired: Readonly<Partial<Record<RepairReason, number>>>
  readonly bytes: number
  /** Milliseconds by the given clock. */
  readonly ms: number
}

/**
 * Reads a folder of Markdown notes, such as an Obsidian vault, into documents: one a note, named by its path without the
 * ending. Front matter, links and headings stay as they are.
 *
 * A second run changes nothing; after a note was changed, its document gets a revision. A document that a person or an
 * agent wrote or changed is left as it is and counted. A file that is gone from the folder takes no document away.
 *
 * Links, hidden files and attachments are left out and counted: no file outside of the folder is read. Throws
 * ImportFailed for a path that is no folder of notes, Cancelled, and the store's errors.
 *
 * @example await importMarkdown(memory.for('ada'), './vault')
 * @example await importMarkdown(memory.project('acme'), './handbook') // shared with the project's members
 */
export async function importMarkdown(
  target: MarkdownTarget,
  folder: string,
  options: MarkdownImportOptions = {},
): Promise<MarkdownImportReport> {
  const now = options.now ?? (() => systemClock.now())
  const startedAt = now()
  const { files: notes, left } = await walkFolder(folder, markdownFiles)
  if (isFolderOfExport(folder))
    throw new ImportFailed({ file: folder, reason: 'Varve wrote it to be read. Import the JSON lines that `export` writes.' })
  if (notes.length === 0) throw new ImportFailed({ file: folder, reason: 'it is a folder without Markdown files (.md, .markdown).' })
  const run = new FolderRun(target, folder, options.dryRun === true)
  for (const [reason, count] of left) run.tally.skip(reason, count)
  for (const [place, note] of notes.entries()) {
    if (options.signal?.aborted === true) throw new Cancelled({ operation: 'the import' }, { cause: options.signal.reason })
    await run.take(note)
    options.onProgress?.({ done: place + 1, notes: notes.length })
  }
  return run.report(now() - startedAt)
}

class FolderRun {
  readonly #target: MarkdownTarget
  readonly #folder: string
  readonly #dryRun: boolean
  /** True for a user's memory: that of a project takes no messages. */
  readonly #isUsers: boolean
  readonly #names: NoteNames
  readonly #counts = { documents: 0, stored: 0, updated: 0, unchanged: 0, bytes: 0 }
  readonly tally = new Tally()
  #isFull = false

  constructor(target: MarkdownTarget, folder: string, dryRun: boolean) {
    this.#target = target
    this.#folder = folder
    this.#dryRun = dryRun
    this.#isUsers = target.shared === undefined ? 'append' in target : !target.shared
    this.#names = new NoteNames(this.tally)
  }

  async take({ path, file }: FoundFile): Promise<void> {
    const name = this.#names.of(path)
    const note = (await liesIn(this.#folder, file).catch(() => false)) ? await readNote(file, this.tally) : 'cannot be read'
    if (typeof note === 'string') this.tally.skip(note)
    else {
      this.#counts.bytes += note.bytes
      for (const [place, content] of note.pieces.entries()) {
        await this.#put(place === 0 ? name : this.#names.piece(name, place + 1), content, note)
      }
    }
  }

  async #put(name: string, content: string, { title }: ReadNote): Promise<void> {
    if (this.#isFull) return this.tally.skip('no room')
    const found = await this.#target.documents.read(name)
    // A user who has no document of that name reads the project's: it is not theirs to change.
    const standing = found?.shared === true && this.#isUsers ? undefined : found
    if (standing !== undefined && standing.writer !== markdownWriter) this.tally.skip('document of another writer')
    else if (standing?.content === content) this.#count('unchanged')
    else await this.#write(name, content, standing, title)
  }

  async #write(name: string, content: string, standing: StandingDocument | undefined, title: string | undefined): Promise<void> {
    if (this.#dryRun) return this.#count(standing === undefined ? 'stored' : 'updated')
    try {
      await this.#target.documents.edit(name, content, {
        revision: standing?.revision ?? 0,
        writer: markdownWriter,
        ...(content.length > usualDocument ? { maxChars: longestDocument } : {}),
        ...(title === undefined ? {} : { description: title }),
      })
      this.#count(standing === undefined ? 'stored' : 'updated')
    } catch (error) {
      if (VarveError.is(error) && error.code === 'LIMIT_EXCEEDED') {
        this.#isFull = true
        this.tally.skip('no room')
      } else if (VarveError.is(error) && error.code === 'STALE_REVISION') this.tally.skip('document of another writer')
      else if (VarveError.is(error) && error.code === 'OPTION_INVALID') this.tally.skip('refused by the store')
      else throw error
    }
  }

  #count(what: 'stored' | 'updated' | 'unchanged'): void {
    this.#counts[what] += 1
    this.#counts.documents += 1
  }

  report(ms: number): MarkdownImportReport {
    const { documents, stored, updated, unchanged, bytes } = this.#counts
    return {
      format: 'markdown',
      documents,
      stored,
      updated,
      unchanged,
      skipped: this.tally.skipped,
      repaired: this.tally.repaired,
      bytes,
      ms,
    }
  }
}
