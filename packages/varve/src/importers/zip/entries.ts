import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { ImportFailed } from '../../errors/import-failed.ts'
import { BombGuard, type ZipLimits, zipLimits } from './bomb.ts'
import { type ZipEntry, dataStart, readDirectory } from './directory.ts'
import { salvagedEntries } from './salvage.ts'

// conversations.json; newer exports of ChatGPT are split: conversations-000.json, conversations-001.json …
const conversations = /(?:^|\/)conversations(?:[-_]\d+)?\.json$/u
const resourceForks = '__MACOSX/'

export interface OpenZip {
  /** Compressed bytes that will be read. */
  readonly totalBytes: number
  readonly entries: AsyncIterable<{ readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }>
}

/**
 * The conversation files of an export, unpacked as they are read. `onRead` is told of compressed bytes. A zip that was
 * cut off gives what there is, and fails with ImportFailed after it.
 */
export async function openZip(path: string, onRead: (bytes: number) => void, limits: ZipLimits = zipLimits): Promise<OpenZip> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const directory = await readDirectory(file, size)
    if (directory === undefined) return { totalBytes: size, entries: salvaged(path, onRead, limits) }
    const chosen = choose(path, directory)
    const starts = await Promise.all(chosen.map((entry) => startOf(path, file, size, entry)))
    const totalBytes = chosen.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0)
    return { totalBytes, entries: unpacked(path, chosen, starts, onRead, limits) }
  } finally {
    await file.close()
  }
}

function choose(path: string, directory: readonly ZipEntry[]): readonly ZipEntry[] {
  const chosen = directory.filter(({ name }) => isWanted(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  if (chosen.length === 0) {
    const some = directory
      .slice(0, 5)
      .map(({ name }) => JSON.stringify(name.slice(0, 80)))
      .join(', ')
    throw new ImportFailed({
      file: path,
      reason:
        `it is a zip without a conversations.json (it holds ${some === '' ? 'nothing' : some}). Unzip it and import the file ` +
        'that holds the conversations.',
    })
  }
  for (const { name, encrypted, method } of chosen) {
    if (encrypted)
      throw new ImportFailed({ file: path, reason: `${name} in it is encrypted: unzip it with its password and import ${name}.` })
    if (method !== 0 && method !== 8)
      throw new ImportFailed({
        file: path,
        reason: `${name} in it is packed with method ${method}, which cannot be read here: unzip it and import ${name}.`,
      })
  }
  return chosen
}

function isWanted(name: string): boolean {
  return conversations.test(name) && !name.startsWith(resourceForks)
}

async function startOf(path: string, file: FileHandle, fileBytes: number, entry: ZipEntry): Promise<number> {
  const start = entry.at < fileBytes ? await dataStart(file, entry) : undefined
  if (start === undefined || start + entry.compressedBytes > fileBytes) throw damaged(path, entry.name)
  return start
}

async function* unpacked(
  path: string,
  chosen: readonly ZipEntry[],
  starts: readonly number[],
  onRead: (bytes: number) => void,
  limits: ZipLimits,
) {
  const guard = new BombGuard(path, limits)
  for (const [index, entry] of chosen.entries()) {
    yield { name: entry.name, bytes: unpackedBytes(path, entry, starts[index] ?? 0, onRead, guard) }
  }
}

async function* unpackedBytes(
  path: string,
  entry: ZipEntry,
  start: number,
  onRead: (bytes: number) => void,
  guard: BombGuard,
): AsyncGenerator<Uint8Array> {
  if (entry.compressedBytes === 0) return
  const packed = counted(createReadStream(path, { start, end: start + entry.compressedBytes - 1 }), (bytes) => {
    guard.packed(bytes)
    onRead(bytes)
  })
  // The callback is there for pipeline's form; errors come out of the stream that is read.
  const stream: AsyncIterable<Buffer> = entry.method === 0 ? packed : pipeline(packed, createInflateRaw(), () => undefined)
  let crc = 0
  try {
    for await (const chunk of stream) {
      guard.unpacked(chunk.length)
      crc = crc32(chunk, crc)
      yield chunk
    }
  } catch (error) {
    if (error instanceof ImportFailed) throw error
    throw damaged(path, entry.name, error)
  }
  if (crc !== entry.crc) throw damaged(path, entry.name)
}

function damaged(path: string, name: string, cause?: unknown): ImportFailed {
  return new ImportFailed({ file: path, reason: `${name} in it is damaged: download or copy the zip again.` }, { cause })
}

async function* salvaged(path: string, onRead: (bytes: number) => void, limits: ZipLimits) {
  const packed = createReadStream(path)
  try {
    yield* salvagedEntries(counted(packed, onRead), isWanted, new BombGuard(path, limits))
  } finally {
    packed.destroy()
  }
  throw new ImportFailed({ file: path, reason: 'the zip has no directory at its end: it was cut off. Download or copy it again.' })
}

async function* counted(stream: AsyncIterable<Buffer>, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    onRead(chunk.length)
    yield chunk
  }
}
