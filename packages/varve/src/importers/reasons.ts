/** Reasons why content of a file is not stored: a closed list, as the keys of a report. */
export const skipReasons = [
  'attachment',
  'bookkeeping',
  'cannot be read',
  'compaction boundary',
  'conversation too large',
  'custom instructions',
  'deleted in its source',
  'document of another writer',
  'empty content',
  'empty system message',
  'file too large',
  'hidden file',
  'hidden message',
  'line too long',
  'line of a Varve export',
  'local command',
  'not a conversation',
  'not a memory',
  'not a message',
  'not a transcript',
  'no room',
  'not JSON',
  'of another project',
  'of another user',
  'of one of several accounts',
  'other branch',
  'program notice',
  'reasoning',
  'refused by the store',
  'symbolic link',
  'title of another session',
  'tool block',
  'unknown content type',
  'unknown line',
  'unknown role',
  'unreadable owner',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** Reasons why content is changed before it is stored, or why a part of a stored message is left out. */
export const repairReasons = [
  'audio left out',
  'branch kept',
  'content split',
  'copied by a fork',
  'current node missing',
  'file left out',
  'front matter unreadable',
  'id replaced',
  'image left out',
  'invalid UTF-8 replaced',
  'lone surrogate replaced',
  'metadata left out',
  'name changed',
  'NUL removed',
  'owner not stated',
  'parent loop',
  'parent missing',
  'part left out',
  'parts cleaned',
  'parts shortened',
  'reminder left out',
  'role renamed',
  'session id replaced',
  'time in the future',
  'time missing',
  'time unreadable',
  'time without zone',
  'unknown origin',
] as const
export type RepairReason = (typeof repairReasons)[number]

/** The most lines that are named for a reason. */
const mostLines = 5

/** Counts skipped and repaired content by reason. */
export class Tally {
  readonly skipped: Partial<Record<SkipReason, number>> = {}
  readonly repaired: Partial<Record<RepairReason, number>> = {}
  /** The first lines that were left out, by reason. */
  readonly lines: Partial<Record<SkipReason, readonly number[]>> = {}

  skip(reason: SkipReason, count = 1, line?: number): void {
    if (count <= 0) return
    this.skipped[reason] = (this.skipped[reason] ?? 0) + count
    const told = this.lines[reason] ?? []
    if (line !== undefined && told.length < mostLines) this.lines[reason] = [...told, line]
  }

  repair(reason: RepairReason, count = 1): void {
    if (count > 0) this.repaired[reason] = (this.repaired[reason] ?? 0) + count
  }
}
