import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Folder extends Disposable {
  readonly path: string
  file(name: string): string
}

/** Makes a folder of its own under the system's temporary one; it goes with the block that holds it. */
export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'varve-faults-'))
  return { path, file: (name) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Copies a store and makes it private to its owner: a file from git is readable by everybody. */
export function copyPrivately(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}

/** Returns every file of a folder with its hash and mode: two equal results mean that nothing was touched. */
export function fingerprint(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort()
  return Object.fromEntries(
    names.map((name) => {
      const { mode, size } = statSync(join(folder, name))
      return [name, `${mode.toString(8)} ${size} ${statSync(join(folder, name)).isDirectory() ? 'folder' : sha256(join(folder, name))}`]
    }),
  )
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
