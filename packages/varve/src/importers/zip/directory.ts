import type { FileHandle } from 'node:fs/promises'

/** The largest directory that is read: about half a million entries. */
export const maxDirectoryBytes = 64 * 1024 * 1024

export interface ZipEntry {
  readonly name: string
  /** 0 is stored, 8 is deflate; nothing else can be read. */
  readonly method: number
  readonly encrypted: boolean
  readonly crc: number
  readonly compressedBytes: number
  /** Where its local header begins in the file. */
  readonly at: number
}

// APPNOTE 6.3.10, sections 4.3.7 to 4.3.16: signatures, fixed lengths, and the longest comment.
const endSignature = 0x06054b50
const end64Signature = 0x06064b50
const locator64Signature = 0x07064b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const endBytes = 22
const end64Bytes = 56
const locator64Bytes = 20
const entryBytes = 46
const localBytes = 30
const maxCommentBytes = 0xffff
const zip64Extra = 0x0001
const in64 = 0xffff_ffff

/**
 * The entries by the directory at the end of the file; undefined when there is none, so that the file was cut off. The
 * directory, not the headers on the way: writers that stream leave the sizes out of those, and to look for an entry's
 * end by its signature finds it by chance in one of every 2³⁰ compressed bytes.
 */
export async function readDirectory(file: FileHandle, fileBytes: number): Promise<readonly ZipEntry[] | undefined> {
  const place = await findDirectory(file, fileBytes)
  if (place === undefined || place.bytes > maxDirectoryBytes || place.at + place.bytes > fileBytes) return undefined
  const directory = await readAt(file, place.at, place.bytes)
  const entries: ZipEntry[] = []
  for (let at = 0; at + entryBytes <= directory.length && directory.readUInt32LE(at) === entrySignature;) {
    const nameBytes = directory.readUInt16LE(at + 28)
    const extraBytes = directory.readUInt16LE(at + 30)
    const nameAt = at + entryBytes
    const extra = directory.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes)
    entries.push(entryOf(directory.subarray(at, nameAt + nameBytes), extra))
    at = nameAt + nameBytes + extraBytes + directory.readUInt16LE(at + 32)
  }
  return entries
}

/** Where an entry's data begins; undefined when its header is not there. */
export async function dataStart(file: FileHandle, entry: ZipEntry): Promise<number | undefined> {
  const header = await readAt(file, entry.at, localBytes)
  if (header.length < localBytes || header.readUInt32LE(0) !== localSignature) return undefined
  return entry.at + localBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
}

async function findDirectory(file: FileHandle, fileBytes: number): Promise<{ readonly at: number; readonly bytes: number } | undefined> {
  const tailBytes = Math.min(fileBytes, locator64Bytes + endBytes + maxCommentBytes)
  const tail = await readAt(file, fileBytes - tailBytes, tailBytes)
  for (let end = tail.length - endBytes; end >= 0; end -= 1) {
    if (tail.readUInt32LE(end) !== endSignature || end + endBytes + tail.readUInt16LE(end + 20) > tail.length) continue
    const locator = end - locator64Bytes
    if (locator < 0 || tail.readUInt32LE(locator) !== locator64Signature)
      return { at: tail.readUInt32LE(end + 16), bytes: tail.readUInt32LE(end + 12) }
    const end64At = Number(tail.readBigUInt64LE(locator + 8))
    if (end64At > fileBytes) return undefined
    const end64 = await readAt(file, end64At, end64Bytes)
    if (end64.length < end64Bytes || end64.readUInt32LE(0) !== end64Signature) return undefined
    return { at: Number(end64.readBigUInt64LE(48)), bytes: Number(end64.readBigUInt64LE(40)) }
  }
  return undefined
}

function entryOf(header: Buffer, extra: Buffer): ZipEntry {
  const wide = wideValues(extra)
  const size = header.readUInt32LE(24)
  const compressed = header.readUInt32LE(20)
  const at = header.readUInt32LE(42)
  // The zip64 extra field holds, in this order, only those values that did not fit.
  if (size === in64) wide.shift()
  return {
    name: header.toString('utf8', entryBytes),
    method: header.readUInt16LE(10),
    encrypted: (header.readUInt16LE(8) & 1) === 1,
    crc: header.readUInt32LE(16),
    compressedBytes: compressed === in64 ? (wide.shift() ?? compressed) : compressed,
    at: at === in64 ? (wide.shift() ?? at) : at,
  }
}

function wideValues(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length;) {
    const bytes = extra.readUInt16LE(at + 2)
    const field = extra.subarray(at + 4, at + 4 + bytes)
    if (extra.readUInt16LE(at) === zip64Extra)
      return Array.from({ length: Math.floor(field.length / 8) }, (_none, index) => Number(field.readBigUInt64LE(index * 8)))
    at += 4 + bytes
  }
  return []
}

async function readAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes)
  let read = 0
  while (read < bytes) {
    const { bytesRead } = await file.read(buffer, read, bytes - read, at + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return buffer.subarray(0, read)
}
