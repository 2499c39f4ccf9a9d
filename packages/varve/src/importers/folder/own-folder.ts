import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The file by which a folder of Varve's own is known. */
export const exportMarker = '.varve-export'

/** Tells whether Varve wrote a folder, to be read: what it holds is in the store, in another form. */
export function isFolderOfExport(folder: string): boolean {
  return existsSync(join(folder, exportMarker))
}
