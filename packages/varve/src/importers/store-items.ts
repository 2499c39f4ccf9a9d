import type { ImportHandle, ImportItem } from './importer.ts'
import { Tally } from './reasons.ts'
import { repaired } from './repair.ts'
import { TrackedSessions } from './sessions.ts'
import { ImportWriter } from './writer.ts'

/** Counts of stored items: messages that were new, and those that were there before. */
export interface StoredItems {
  readonly stored: number
  readonly duplicates: number
}

/**
 * Stores the items of a format as an import of their file does, with the same ids. A part of a file will do, so a message
 * without an id of its own is left out: an import makes its id from its place in the whole file.
 */
export async function storeItems(handle: ImportHandle, items: AsyncIterable<ImportItem>, now: number): Promise<StoredItems> {
  const tally = new Tally()
  const sessions = new TrackedSessions(tally)
  const writer = new ImportWriter(tally)
  const target = { key: '', handle }
  try {
    for await (const item of items) {
      if (item.kind === 'session') sessions.describe(item.id, target, item)
      if (item.kind !== 'message' || item.message.id === undefined) continue
      const session = sessions.get(item.session, target)
      for (const message of repaired(session, item.message, { tally, sessions, now })) {
        sessions.counted(session)
        await writer.add(session, message)
      }
    }
  } finally {
    await writer.flush()
  }
  return { stored: writer.stored, duplicates: writer.duplicates }
}
