import { createHash } from 'node:crypto'
import { constants, existsSync, statSync } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'

/** Refuses a file in the place of the folder. The first page would fail long after the memory was opened. */
export function refuseFile(root: string): void {
  if (existsSync(root) && !statSync(root).isDirectory())
    throw new InvalidConfiguration({ setting: 'notesDirectory', reason: `${root} is a file; write the path of a folder, such as ./notes` })
}

/** The owner of notes. */
export interface NotesOwner {
  readonly project: string
  /** Undefined for the anonymous user. */
  readonly user: string | undefined
}

/** The first line of a file: it names the notes and the text that was written. */
interface Mark {
  readonly session: string
  /** The notes' id. Notes that were erased and begun anew have another. */
  readonly notes: string
  readonly revision: number
  readonly hash: string
}

/** A page as it stands in its file. */
export interface MirroredNotes {
  readonly content: string
  /** Undefined when somebody took the first line away. */
  readonly mark: Mark | undefined
  /** True when the content differs from the written one. */
  readonly isEdited: boolean
}

/** A page to be written. */
interface WrittenNotes {
  readonly id: string
  readonly session: string
  readonly revision: number
  readonly content: string
}

/** The reason why a file is left alone. */
export class NotesFileRefused extends Error {}

/** The largest file that is read, in bytes. */
const mostBytes = 2 * 1024 * 1024

/** Characters of a name that stay readable in a file's name. */
const readable = 60

const folderMode = 0o700
const fileMode = 0o600

/**
 * Mirrors notes in real files: a folder for each project and user, a file for each session. Nobody else can read them.
 * Never follows a symbolic link.
 */
export class NotesDirectory {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Gives the path of a session's notes. Names become file names; none of them leads out of its folder. */
  pathOf(owner: NotesOwner, session: string): string {
    return join(this.#folderOf(owner), `${fileName(session)}.md`)
  }

  /** Reads a session's file; undefined when there is none. NotesFileRefused for anything but a plain file of text. */
  async read(owner: NotesOwner, session: string): Promise<MirroredNotes | undefined> {
    await this.#refuseLinks(this.#foldersOf(owner))
    return readPage(this.pathOf(owner, session))
  }

  /** Writes a page whole, or not at all. */
  async write(owner: NotesOwner, notes: WrittenNotes): Promise<void> {
    const folders = this.#foldersOf(owner)
    await this.#refuseLinks(folders)
    await mkdir(this.#folderOf(owner), { recursive: true, mode: folderMode })
    await this.#refuseLinks(folders)
    // The root is the host's own. Nobody else reads the folders in it, whoever made them.
    for (const folder of folders.slice(1)) await close(folder)
    const path = this.pathOf(owner, notes.session)
    await refuseLink(path)
    const { default: writeFileAtomic } = await import('write-file-atomic')
    await writeFileAtomic(path, `${markOf(notes)}\n${notes.content}`, { mode: fileMode })
  }

  async remove(owner: NotesOwner, session: string): Promise<void> {
    await this.#refuseLinks(this.#foldersOf(owner))
    await rm(this.pathOf(owner, session), { force: true })
  }

  /** Lists the sessions that have a file, by the name in the file's first line. */
  async sessions(owner: NotesOwner): Promise<readonly string[]> {
    await this.#refuseLinks(this.#foldersOf(owner))
    const folder = this.#folderOf(owner)
    const found: string[] = []
    for (const name of await namesIn(folder, /\.md$/)) {
      const session = await sessionOf(join(folder, name))
      if (session !== undefined && `${fileName(session)}.md` === name) found.push(session)
    }
    return found
  }

  /** Removes the temporary files of writers that were killed. */
  async sweep(owner: NotesOwner): Promise<void> {
    await this.#refuseLinks(this.#foldersOf(owner))
    const folder = this.#folderOf(owner)
    for (const name of await namesIn(folder, /\.md\.\d+$/)) await rm(join(folder, name), { force: true })
  }

  #folderOf(owner: NotesOwner): string {
    return this.#foldersOf(owner).at(-1) ?? this.#root
  }

  #foldersOf({ project, user }: NotesOwner): string[] {
    const ofProject = join(this.#root, fileName(project))
    return [this.#root, ofProject, join(ofProject, user === undefined ? 'anonymous' : fileName(user))]
  }

  async #refuseLinks(folders: readonly string[]): Promise<void> {
    for (const folder of folders) await refuseLink(folder)
  }
}

/** Makes a file name from a name: its readable part and a hash. File systems take some different names for the same. */
function fileName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, readable)
  return `${plain === '' ? 'session' : plain}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`
}

async function refuseLink(path: string): Promise<void> {
  const stat = await statOf(path)
  if (stat?.isSymbolicLink() === true)
    throw new NotesFileRefused(`${path} is a symbolic link: notes are neither read nor written through one`)
}

async function statOf(path: string) {
  try {
    return await lstat(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function close(folder: string): Promise<void> {
  const { mode } = await lstat(folder)
  if ((mode & 0o777) !== folderMode) await chmod(folder, folderMode)
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => pattern.test(name))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function readPage(path: string): Promise<MirroredNotes | undefined> {
  await refuseLink(path)
  const text = await textOf(path)
  if (text === undefined) return undefined
  const found = /^<!-- varve: notes of ("(?:[^"\\\n]|\\.)*"), ([\da-f-]{36}), revision (\d+), ([\da-f]{16})\. .*-->\n/.exec(text)
  const mark = found === null ? undefined : readMark(found)
  if (found === null || mark === undefined) return { content: text, mark: undefined, isEdited: true }
  const content = text.slice(found[0].length)
  return { content, mark, isEdited: hashOf(content) !== mark.hash }
}

function readMark([, name = '', notes = '', revision = '', hash = '']: readonly string[]): Mark | undefined {
  try {
    const session: unknown = JSON.parse(name)
    return typeof session === 'string' ? { session, notes, revision: Number(revision), hash } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Gives the session that a file names; undefined for a file that is left alone. */
async function sessionOf(path: string): Promise<string | undefined> {
  try {
    return (await readPage(path))?.mark?.session
  } catch (error) {
    if (error instanceof NotesFileRefused || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}

async function textOf(path: string): Promise<string | undefined> {
  let file
  try {
    // Non-blocking: a pipe would make the open wait.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  try {
    const stat = await file.stat()
    if (!stat.isFile() || stat.size > mostBytes) throw new NotesFileRefused(`${path} is not a plain file of at most ${mostBytes} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile()).replaceAll('\r\n', '\n')
  } catch (error) {
    if (error instanceof TypeError) throw new NotesFileRefused(`${path} is not UTF-8`, { cause: error })
    throw error
  } finally {
    await file.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/**
 * Makes the first line of a file: an HTML comment, so that no reader of markdown shows it. The session's name cannot
 * end the comment.
 */
function markOf({ id, session, revision, content }: WrittenNotes): string {
  const name = JSON.stringify(session).replaceAll('>', String.raw`\u003e`)
  return (
    `<!-- varve: notes of ${name}, ${id}, revision ${revision}, ${hashOf(content)}. Edit what is below: it is taken in before ` +
    'the next update. -->'
  )
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}
