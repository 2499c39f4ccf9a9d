import type { ImportOptions } from './import-file.ts'
import type { ImportHandle, ImportReport } from './importer.ts'

/**
 * Reads a file of another format into a user's memory, as a stream: what it keeps in memory is bounded. Messages keep
 * their times and ids, so that a second run stores nothing again and a run that was cut off is finished by running it
 * again. Formats: ChatGPT and Claude exports, JSONL of messages, LoCoMo; told from the content.
 *
 * Throws ImportFailed for a file that cannot be read (to its end: what came before the break is stored, and the reason
 * says how much), Cancelled, and what the store throws.
 *
 * @example const { stored, skipped } = await importFile(memory.for('ada'), 'chatgpt-export.zip')
 */
export async function importFile(handle: ImportHandle, path: string, options: ImportOptions = {}): Promise<ImportReport> {
  // The parsers take 20 MB and 0.1 s, which a program that imports nothing should not pay for.
  const importer = await import('./import-file.ts')
  return importer.importFile(handle, path, options)
}
