import { readFileSync } from 'node:fs'

/** A change to a file of the store, or a report of the process, in the order of time. */
export interface Entry {
  readonly op: 'write' | 'truncate' | 'sync' | 'lost' | 'unlink' | 'opened' | 'acknowledged' | 'erasing' | 'erased'
  /** The suffix of the store's name: '' for the database, '-wal' for its log. */
  readonly file: string
  readonly offset: number
  readonly size: number
  readonly bytes: Buffer
  readonly keys: readonly string[]
}

export function readJournal(path: string): Entry[] {
  const journal = readFileSync(path)
  const entries: Entry[] = []
  for (let at = 0; at < journal.length;) {
    const end = journal.indexOf(10, at)
    const head: Omit<Entry, 'bytes'> = JSON.parse(journal.toString('utf8', at, end))
    const length = head.op === 'write' ? head.size : 0
    entries.push({ ...head, keys: head.keys ?? [], bytes: journal.subarray(end + 1, end + 1 + length) })
    at = end + 1 + length
  }
  return entries
}
