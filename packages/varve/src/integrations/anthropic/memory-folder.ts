import { LRUCache } from 'lru-cache'
import type { UserMemory } from '../../memory/user-memory.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { checkLength, memoryFileName, memoryRoot, pathOfName } from './memory-paths.ts'
import { MemoryToolRefusal } from './memory-refusal.ts'

/** The part of a user's memory that the files need. A handle of the library has it, and one of `varve/client`. */
export interface MemoryOfFiles {
  readonly documents: Pick<UserMemory['documents'], 'list' | 'read' | 'edit' | 'delete'>
}

export interface MemoryFile {
  readonly path: string
  readonly content: string
  readonly revision: number
  readonly maxChars: number
}

/** A file as it is listed. */
export interface ListedFile {
  readonly path: string
  readonly id: string
  readonly revision: number
}

/** How the files are written. */
export interface FolderOptions {
  readonly writer: string
  readonly during: string | undefined
  readonly deadlineMs: number
}

/** The longest file, in characters: the longest document. */
export const maxFileChars = 200_000

/** The most tries of a change that others change at the same time. */
const mostTries = 8
const listPage = 1_000
const maxKnownSizes = 10_000

/** The files of one user: a document each. A folder is there as long as a file is in it. */
export class MemoryFolder {
  readonly #documents: MemoryOfFiles['documents']
  readonly #options: FolderOptions
  /** Sizes in bytes, by document and revision. */
  readonly #sizes = new LRUCache<string, number>({ max: maxKnownSizes })

  constructor({ documents }: MemoryOfFiles, options: FolderOptions) {
    this.#documents = documents
    this.#options = options
  }

  async read(path: string): Promise<MemoryFile | undefined> {
    const name = memoryFileName(path)
    // A name that no document can have is of no file.
    if (Buffer.byteLength(name) > 256) return undefined
    const found = await this.#documents.read(name, this.#limits())
    // The project's documents are not this user's files.
    if (found === undefined || found.shared === true || found.name !== name) return undefined
    return { path, content: found.content, revision: found.revision, maxChars: found.maxChars }
  }

  /** Lists the files below a folder. */
  async below(folder: string): Promise<readonly ListedFile[]> {
    const files: ListedFile[] = []
    for await (const { name, id, revision, shared } of this.#documents.list({ limit: listPage, ...this.#limits() })) {
      const path = shared === true ? undefined : pathOfName(name)
      if (path?.startsWith(`${folder}/`) === true) files.push({ path, id, revision })
    }
    return files
  }

  /** Gives a file's size in bytes of UTF-8; undefined when it is gone. */
  async sizeOf({ path, id, revision }: ListedFile): Promise<number | undefined> {
    const key = `${id}/${revision}`
    const known = this.#sizes.get(key)
    if (known !== undefined) return known
    const file = await this.read(path)
    if (file === undefined) return undefined
    const bytes = Buffer.byteLength(file.content)
    if (file.revision === revision) this.#sizes.set(key, bytes)
    return bytes
  }

  /** Gives the nearest file in the place of a folder above a path. */
  async fileAbove(path: string): Promise<string | undefined> {
    for (let at = path.lastIndexOf('/'); at > memoryRoot.length; at = path.lastIndexOf('/', at - 1)) {
      const above = path.slice(0, at)
      if ((await this.read(above)) !== undefined) return above
    }
    return undefined
  }

  /** Makes a file, and returns whether it did: it does not when there is one. */
  async make(path: string, content: string, maxChars: number = maxFileChars): Promise<boolean> {
    checkLength(path)
    return this.#write(path, content, 0, maxChars)
  }

  /** Changes a file as it stands. When another changes it meanwhile, the change is made anew; `missing` when it is gone. */
  async change(path: string, changed: (content: string) => string, missing: () => never): Promise<void> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const file = (await this.read(path)) ?? missing()
      if (await this.#write(path, changed(file.content), file.revision, file.maxChars)) return
    }
    throw changedMeanwhile(path)
  }

  /** Erases a file, and returns whether it did. With a revision only that one. */
  async remove(path: string, revision?: number): Promise<boolean> {
    const expected = revision === undefined ? {} : { expectedRevision: revision }
    try {
      await this.#documents.delete(memoryFileName(path), { ...expected, ...this.#limits() })
      return true
    } catch (error) {
      if (VarveError.is(error) && (error.code === 'NOT_FOUND' || error.code === 'STALE_REVISION')) return false
      throw error
    }
  }

  /** Moves a file: the new one is there before the old one goes, so that no failure loses it. */
  async move(from: string, to: string, missing: () => never, taken: () => never): Promise<void> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const file = (await this.read(from)) ?? missing()
      if (!(await this.make(to, file.content, file.maxChars))) taken()
      if (await this.remove(from, file.revision)) return
      // Another changed it meanwhile: the copy is old.
      if (!(await this.remove(to, 1))) break
    }
    throw changedMeanwhile(from)
  }

  async #write(path: string, content: string, revision: number, maxChars: number): Promise<boolean> {
    if (content.length > maxChars)
      throw new MemoryToolRefusal(`The file ${path} would have ${content.length} characters. The most is ${maxChars}. Nothing was changed.`)
    const { writer, during } = this.#options
    const by = { writer, ...(during === undefined ? {} : { during }) }
    try {
      await this.#documents.edit(memoryFileName(path), content, { revision, maxChars, ...by, ...this.#limits() })
      return true
    } catch (error) {
      if (VarveError.is(error) && error.code === 'STALE_REVISION') return false
      throw error
    }
  }

  #limits(): { readonly deadlineMs: number } {
    return { deadlineMs: this.#options.deadlineMs }
  }
}

function changedMeanwhile(path: string): MemoryToolRefusal {
  return new MemoryToolRefusal(`The file ${path} was changed by another at the same time. View it, and try again.`)
}
