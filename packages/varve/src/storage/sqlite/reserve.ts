import { randomFillSync } from 'node:crypto'
import { closeSync, constants, ftruncateSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Connection } from './connection.ts'

// On a full disk even a delete needs space: its pages go to the write-ahead log first. So a store keeps a file of no use
// beside it, and gives it up when something has to be forgotten.

/**
 * The size of a reserve: three quarters of the store, within these bounds. On a full disk a forget takes 70 KiB for one
 * message, and for many short ones up to three quarters of the bytes that they take in the store.
 */
export const reserveBounds = { least: 1024 * 1024, most: 16 * 1024 * 1024, share: 3 / 4 } as const

/** The size from which a store has a reserve when it is opened, in bytes. A smaller one has it once much was written. */
export const leastReserved = 1024 * 1024

/** The reserve grows by this. So much is left to others on a full disk, for the small writes that note what is done. */
const chunkBytes = 64 * 1024

/** Brings the reserve of a store to its size, or to what the disk has room for. */
export function keepReserve(file: string): void {
  if (file === ':memory:') return
  const wanted = wantedFor(file)
  if (sizeOf(file) >= wanted) return
  let descriptor: number | undefined
  try {
    // A link there would lead to another's file.
    descriptor = openSync(pathOf(file), constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    fill(descriptor, sizeOf(file), wanted)
  } catch (error) {
    // No folder to write in: the store works without.
    if (!(error instanceof Error)) throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
    if (sizeOf(file) === 0) rmSync(pathOf(file), { force: true })
  }
}

function fill(descriptor: number, from: number, to: number): void {
  // Random bytes: a file system may keep no block for zeros.
  const bytes = randomFillSync(Buffer.alloc(chunkBytes))
  let size = from
  try {
    while (size < to) size += writeSync(descriptor, bytes)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    ftruncateSync(descriptor, Math.max(0, size - chunkBytes))
  }
}

/** Gives up the reserve. Returns whether there was one. */
export function releaseReserve(file: string): boolean {
  if (file === ':memory:' || sizeOf(file) === 0) return false
  rmSync(pathOf(file), { force: true })
  return true
}

/**
 * Tells whether the disk has room for the pages that only the write-ahead log has. An attempt without room would take
 * the space that is left, and not succeed. True where the file system does not tell.
 */
export function hasRoomForLog(connection: Connection): boolean {
  const pages = Number(connection.pragma('page_count', { simple: true })) * Number(connection.pragma('page_size', { simple: true }))
  const growth = pages - statSync(connection.name).size
  if (growth <= 0) return true
  const { blocks, bavail, bsize } = statfsSync(dirname(connection.name))
  return blocks === 0 || growth <= bavail * bsize
}

function pathOf(file: string): string {
  return `${file}-reserve`
}

function wantedFor(file: string): number {
  const { least, most, share } = reserveBounds
  const stored = [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
  return Math.min(most, Math.max(least, Math.floor(stored * share)))
}

function sizeOf(file: string): number {
  return statSync(pathOf(file), { throwIfNoEntry: false })?.size ?? 0
}
