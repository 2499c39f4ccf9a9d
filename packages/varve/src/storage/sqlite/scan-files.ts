import { closeSync, existsSync, openSync, readSync } from 'node:fs'

/** Read at once; a fragment may lie across two pieces, so they overlap by its length. */
const pieceBytes = 4 * 1024 * 1024

/** The longest fragment that is searched for: a stale copy on a page may hold any part of a text. */
const fragmentBytes = 24

/** Fragments of one text that are searched for, spread evenly over it. */
const fragmentsPerText = 8

/** Shorter texts ("ok") are in every file by chance and tell nothing. */
const leastBytes = 6

/** With more fragments than this, rewriting the file is cheaper than searching it. */
export const maxFragments = 20_000

/** Pieces of erased texts that would betray a copy of them. */
export function fragmentsOf(texts: readonly Uint8Array[]): Uint8Array[] {
  const fragments = new Map<string, Uint8Array>()
  for (const text of texts) {
    if (text.length < leastBytes) continue
    const length = Math.min(text.length, fragmentBytes)
    const count = Math.min(fragmentsPerText, Math.ceil(text.length / fragmentBytes))
    for (let place = 0; place < count; place += 1) {
      const from = count === 1 ? 0 : Math.floor((place * (text.length - length)) / (count - 1))
      const fragment = text.slice(from, from + length)
      fragments.set(Buffer.from(fragment).toString('latin1'), fragment)
    }
  }
  return [...fragments.values()]
}

/** True when any of the files holds any of the fragments. One pass a file, however many fragments. */
export function filesContain(files: readonly string[], fragments: readonly Uint8Array[]): boolean {
  if (fragments.length === 0) return false
  const find = finder(fragments)
  return files.some((file) => existsSync(file) && fileContains(file, find))
}

function fileContains(file: string, find: (piece: Buffer) => boolean): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const buffer = Buffer.allocUnsafe(pieceBytes)
    for (let position = 0; ; position += pieceBytes - fragmentBytes) {
      const read = readSync(descriptor, buffer, 0, pieceBytes, position)
      if (find(buffer.subarray(0, read))) return true
      if (read < pieceBytes) return false
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Looks at the first four bytes of every place: two tables of byte pairs let almost nothing through to the map. */
function finder(fragments: readonly Uint8Array[]): (piece: Buffer) => boolean {
  const firstPair = new Uint8Array(65_536)
  const secondPair = new Uint8Array(65_536)
  const byStart = new Map<number, Buffer[]>()
  for (const fragment of fragments) {
    const bytes = Buffer.from(fragment)
    const start = bytes.readUInt32BE(0)
    firstPair[start >>> 16] = 1
    secondPair[start & 0xffff] = 1
    byStart.set(start, [...(byStart.get(start) ?? []), bytes])
  }
  return (piece) => {
    let start = piece.length >= 4 ? piece.readUInt32BE(0) : 0
    for (let at = 4; at <= piece.length; at += 1) {
      if (firstPair[start >>> 16] === 1 && secondPair[start & 0xffff] === 1) {
        const here = at - 4
        if (byStart.get(start)?.some((bytes) => piece.subarray(here, here + bytes.length).equals(bytes)) === true) return true
      }
      start = ((start << 8) | (piece[at] ?? 0)) >>> 0
    }
    return false
  }
}
