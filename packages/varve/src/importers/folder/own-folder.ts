import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The file by which a folder of Varve's own is known. */
export const exportMarker = '.varve-export'

/** Tells whether Varve wrote a folder, to be read: what it holds is in the store, in another form. */
export async function isFolderOfExport(folder: string): Promise<boolean> {
  return (await stat(join(folder, exportMarker)).catch(() => undefined)) !== undefined
}
