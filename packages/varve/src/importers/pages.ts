import { stat } from 'node:fs/promises'
import type { ImportFormat, ItemPage } from './importer.ts'
import { readInThread } from './read-in-thread.ts'

/** A file below this size is read in some ms; starting a thread takes a hundred. */
const smallBytes = 128 * 1024

/** The pages of a file. A large one is read and parsed in a thread of its own, so that the host's event loop goes on. */
export async function* filePages(path: string, format: ImportFormat | undefined): AsyncGenerator<ItemPage> {
  if (await isSmall(path)) yield* readHere(path, format)
  else yield* readInThread(path, format)
}

async function* readHere(path: string, format: ImportFormat | undefined): AsyncGenerator<ItemPage> {
  // The parsers take 20 MB and 0.1 s, which a program that imports nothing should not pay for.
  const { ExportReader } = await import('./export-reader.ts')
  const reader = new ExportReader(path, format)
  let page: ItemPage
  do {
    page = await reader.next()
    yield page
  } while (!page.done)
}

/** A file that is not there counts as small: reading it says so. */
async function isSmall(path: string): Promise<boolean> {
  try {
    const { size } = await stat(path)
    return size < smallBytes
  } catch (error) {
    if (error instanceof Error) return true
    throw error
  }
}
