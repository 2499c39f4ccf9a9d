import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { readTime } from '../../importers/times.ts'
import { openNow } from './open-now.ts'

/** Read at once, from the end of the file backwards, and the most that is read: a prompt waits for it. */
const chunkBytes = 1024 * 1024
const mostBytes = 16 * chunkBytes

/** The longest line of a boundary. A mark that two chunks share is found whole in this overlap. */
const lineBytes = 16 * 1024

const mark = '"compact_boundary"'

/**
 * Finds the time of a transcript's newest compaction, in UTC milliseconds: what was said before it left the model's window.
 * Claude Code writes a line at each; nothing is remembered beside it. Undefined where the last 16 MiB have none.
 */
export function compactedAt(path: string | undefined): number | undefined {
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  const file = openSync(path, openNow)
  try {
    const { size } = fstatSync(file)
    for (let end = size; end > Math.max(0, size - mostBytes); end -= chunkBytes) {
      const from = Math.max(0, end - chunkBytes - lineBytes)
      const bytes = Buffer.alloc(end - from)
      const found = newestIn(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from)))
      if (found !== undefined) return found
    }
    return undefined
  } finally {
    closeSync(file)
  }
}

function newestIn(bytes: Buffer): number | undefined {
  for (let at = bytes.lastIndexOf(mark); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(mark, at - 1)) {
    const from = bytes.lastIndexOf('\n', at) + 1
    const end = bytes.indexOf('\n', at)
    const line = bytes.subarray(from, end < 0 ? bytes.length : end)
    const time = line.length > lineBytes ? undefined : timeOf(line.toString('utf8'))
    if (time !== undefined) return time
  }
  return undefined
}

/** Returns the time of a boundary's line; undefined for a line that only speaks of one. */
function timeOf(line: string): number | undefined {
  try {
    const { type, subtype, timestamp }: { type?: unknown; subtype?: unknown; timestamp?: unknown } = JSON.parse(line)
    const at = type === 'system' && subtype === 'compact_boundary' ? readTime(timestamp) : undefined
    return at?.kind === 'time' ? at.ms : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
