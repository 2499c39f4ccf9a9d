import { stat } from 'node:fs/promises'
import type { ImportFormat } from './formats/all.ts'
import type { ItemPage } from './importer.ts'
import { readInThread } from './read-in-thread.ts'

/** A smaller file is read in some ms; starting a thread takes a hundred. */
const smallBytes = 128 * 1024

/** Yields the pages of a file. A large one is read and parsed in a thread of its own, so that the host's event loop goes on. */
export async function* filePages(path: string, format: ImportFormat | undefined): AsyncGenerator<ItemPage> {
  if (await isSmall(path)) yield* readHere(path, format)
  else yield* readInThread(path, format)
}

async function* readHere(path: string, format: ImportFormat | undefined): AsyncGenerator<ItemPage> {
  // The parsers take 20 MB and 0.1 s: a program that imports nothing should not pay for them.
  const { ExportReader } = await import('./export-reader.ts')
  const reader = new ExportReader(path, format)
  let page: ItemPage
  do {
    page = await reader.next()
    yield page
  } while (!page.done)
}

/** Tells whether a file is small. A folder counts as large. An absent file counts as small: the reader reports it. */
async function isSmall(path: string): Promise<boolean> {
  try {
    const found = await stat(path)
    return found.size < smallBytes && !found.isDirectory()
  } catch (error) {
    if (error instanceof Error) return true
    throw error
  }
}
