import type { Dirent } from 'node:fs'
import { lstat, opendir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ImportFailed } from '../../errors/import-failed.ts'
import type { SkipReason } from '../reasons.ts'

/** The most entries of a folder that are looked at: a folder by mistake, such as /, ends early. */
const maxEntries = 500_000
/** The most folders within each other. */
const maxFolderDepth = 64

/** A file that was found: its path in the folder, with `/`, and on the disk. */
export interface FoundFile {
  readonly path: string
  readonly file: string
}

/** The files of a kind in a folder, in the order of their paths, and what else lies in it. */
export interface Walked {
  readonly files: readonly FoundFile[]
  readonly left: ReadonlyMap<SkipReason, number>
}

/** The files that are looked for, and the most of them. */
export interface WantedFiles {
  readonly ending: RegExp
  readonly most: number
}

/** The notes of a folder, and the most of them. */
export const markdownFiles: WantedFiles = { ending: /\.(?:md|markdown)$/iu, most: 10_000 }
/** The transcripts of a folder, and the most of them. */
export const transcriptFiles: WantedFiles = { ending: /\.jsonl$/iu, most: 100_000 }

/** Finds files of a folder and its folders by their ending. Links, hidden files and other files are counted, never opened. */
export async function walkFolder(folder: string, wanted: WantedFiles): Promise<Walked> {
  const root = await rootOf(folder)
  const walk = new Walk(root, wanted)
  await walk.into('', 0)
  return { files: walk.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), left: walk.left }
}

async function rootOf(folder: string): Promise<string> {
  const failed = (reason: string, cause?: unknown): ImportFailed => new ImportFailed({ file: folder, reason }, { cause })
  const root = await realpath(folder).catch((error: unknown) => {
    throw failed('there is no such folder: check the path.', error)
  })
  if (!(await lstat(root)).isDirectory()) throw failed('it is no folder.')
  return root
}

class Walk {
  readonly #root: string
  readonly #wanted: WantedFiles
  readonly files: FoundFile[] = []
  readonly left = new Map<SkipReason, number>()
  #entries = 0

  constructor(root: string, wanted: WantedFiles) {
    this.#root = root
    this.#wanted = wanted
  }

  async into(path: string, depth: number): Promise<void> {
    const folders: string[] = []
    for await (const entry of this.#entriesOf(path, depth)) {
      this.#entries += 1
      if (this.#entries > maxEntries)
        throw new ImportFailed({ file: this.#root, reason: `it holds over ${maxEntries} files: name the folder that is meant alone.` })
      const inside = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.name.startsWith('.')) this.#leave('hidden file')
      else if (entry.isSymbolicLink()) this.#leave('symbolic link')
      else if (entry.isDirectory()) folders.push(inside)
      else if (!entry.isFile() || !this.#wanted.ending.test(entry.name)) this.#leave('attachment')
      else if (this.files.length >= this.#wanted.most) this.#leave('no room')
      else this.files.push({ path: inside, file: join(this.#root, ...inside.split('/')) })
    }
    for (const one of folders) {
      if (depth >= maxFolderDepth) this.#leave('cannot be read')
      else await this.into(one, depth + 1)
    }
  }

  /** Lists a folder. One within it that cannot be opened, or not be read to its end, is counted. */
  async *#entriesOf(path: string, depth: number): AsyncGenerator<Dirent> {
    try {
      yield* await opendir(join(this.#root, path))
    } catch (error) {
      if (depth > 0 && error instanceof Error) return this.#leave('cannot be read')
      throw new ImportFailed({ file: this.#root, reason: 'its files cannot be listed: check its permissions.' }, { cause: error })
    }
  }

  #leave(reason: SkipReason): void {
    this.left.set(reason, (this.left.get(reason) ?? 0) + 1)
  }
}

/** Tells whether a path still lies in a folder: one of its folders may have become a link since it was listed. */
export async function liesIn(folder: string, file: string): Promise<boolean> {
  const [root, real] = await Promise.all([realpath(folder), realpath(file)])
  return real.startsWith(root.endsWith(sep) ? root : root + sep)
}
