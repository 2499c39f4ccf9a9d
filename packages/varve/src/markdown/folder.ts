import { open, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { InvalidOption } from '../errors/invalid-option.ts'
import { exportMarker } from '../importers/folder/own-folder.ts'

const marked = 'A folder of Varve. The next export into it writes it anew.\n'

/** A file that is written in pieces. */
export interface ExportFile {
  write(text: string): Promise<void>
}

/** A folder that is written beside its place, and put there when it is whole. */
export class ExportFolder {
  readonly #place: string
  readonly #draft: string

  private constructor(place: string, draft: string) {
    this.#place = place
    this.#draft = draft
  }

  /** Begins a folder. Refuses a place that holds anything but an earlier export. */
  static async begin(given: string): Promise<ExportFolder> {
    const place = resolve(given)
    await refuseOthers(place)
    await mkdir(dirname(place), { recursive: true })
    const draft = await mkdtemp(join(dirname(place), `.${basename(place)}-`))
    const folder = new ExportFolder(place, draft)
    await folder.page(exportMarker, (page) => page.write(marked))
    return folder
  }

  /** Writes one file. Its path is Varve's own: names of others come through fileName(). */
  async page(path: string, fill: (page: ExportFile) => Promise<void>): Promise<void> {
    const file = join(this.#draft, path)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const handle = await open(file, 'wx', 0o600)
    try {
      await fill({ write: async (text) => void (await handle.write(text)) })
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  /** Puts the folder in its place. An earlier export goes. */
  async finish(): Promise<void> {
    const old = `${this.#draft}-old`
    await refuseOthers(this.#place)
    if ((await kindOf(this.#place)) !== undefined) await rename(this.#place, old)
    await rename(this.#draft, this.#place)
    await rm(old, { recursive: true, force: true })
  }

  /** Takes a folder away that did not get whole. */
  drop(): Promise<void> {
    return rm(this.#draft, { recursive: true, force: true })
  }
}

async function refuseOthers(place: string): Promise<void> {
  const kind = await kindOf(place)
  if (kind === undefined) return
  const isOurs =
    kind === 'folder' &&
    ((await readdir(place)).length === 0 || (await readFile(join(place, exportMarker), 'utf8').catch(() => '')) === marked)
  if (isOurs) return
  throw new InvalidOption({
    option: 'folder',
    received: JSON.stringify(place),
    expected: 'a new or empty folder, or one that Varve exported',
  })
}

async function kindOf(place: string): Promise<'folder' | 'other' | undefined> {
  try {
    return (await lstat(place)).isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
