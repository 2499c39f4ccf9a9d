import type { FileHandle } from 'node:fs/promises'

/** Read at once, from the end of the file backwards. */
const chunkBytes = 256 * 1024

/** An id that two chunks share is found whole in this overlap. */
const borderBytes = 512

/**
 * Read again before the newest known line: the order of lines is settled within a window, and a result of a tool is named
 * by the call before it.
 */
const againBytes = 512 * 1024

const newline = 0x0a
const idOfLine = /"uuid": ?"([^"\\]{1,200})"/g

/**
 * Finds where the unread part of a transcript begins, in bytes, by the ids of lines that are stored. A capture reads to the
 * end, so all that stands before a stored line was read. 0 when no line is known. Nothing is remembered between
 * captures: a file that was replaced is read anew.
 */
export async function unreadPart(file: FileHandle, isKnown: (id: string) => boolean): Promise<number> {
  const { size } = await file.stat()
  for (let end = size; end > 0; end -= chunkBytes) {
    const from = Math.max(0, end - chunkBytes)
    const chunk = await bytesAt(file, from, Math.min(size, end + borderBytes) - from)
    const ids = [...chunk.toString('latin1').matchAll(idOfLine)]
    const known = ids.findLast(([, id = '']) => isKnown(id))
    if (known !== undefined) return lineFrom(file, Math.max(0, from + known.index - againBytes))
  }
  return 0
}

async function bytesAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
  return buffer.subarray(0, bytesRead)
}

/** Returns the beginning of the first line at a place or after it. */
async function lineFrom(file: FileHandle, place: number): Promise<number> {
  if (place === 0) return 0
  for (let from = place - 1; ; from += chunkBytes) {
    const chunk = await bytesAt(file, from, chunkBytes)
    const end = chunk.indexOf(newline)
    if (end >= 0) return from + end + 1
    if (chunk.length < chunkBytes) return from + chunk.length
  }
}
