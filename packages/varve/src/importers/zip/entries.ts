import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { ImportFailed } from '../../errors/import-failed.ts'
import { BombGuard, type ZipLimits, zipLimits } from './bomb.ts'
import { damaged, type Directory, readDirectory, type ZipEntry } from './directory.ts'
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
 * Opens the conversation files of an export, unpacked as they are read. `onRead` gets the number of compressed bytes.
 *
 * A zip that was cut off yields its readable entries, and then fails with ImportFailed.
 */
export async function openZip(path: string, onRead: (bytes: number) => void, limits: ZipLimits = zipLimits): Promise<OpenZip> {
  const directory = await readDirectory(path, isWanted).catch((cause: unknown) => {
    if (cause instanceof ImportFailed) throw cause
    return { cause }
  })
  if ('cause' in directory) return { totalBytes: (await stat(path)).size, entries: salvaged(path, onRead, limits, directory.cause) }
  const chosen = choose(path, directory)
  const totalBytes = chosen.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0)
  return { totalBytes, entries: unpacked(path, chosen, onRead, limits) }
}

function choose(path: string, { wanted, names }: Directory): readonly ZipEntry[] {
  if (wanted.length > 0) return wanted.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const held = names.length === 0 ? 'nothing' : `${names.length} other ${names.length === 1 ? 'file' : 'files'}`
  throw new ImportFailed({
    file: path,
    reason: `it is a zip without a conversations.json (it holds ${held}). Unzip it and import the file that holds the conversations.`,
  })
}

function isWanted(name: string): boolean {
  return conversations.test(name) && !name.startsWith(resourceForks)
}

async function* unpacked(path: string, chosen: readonly ZipEntry[], onRead: (bytes: number) => void, limits: ZipLimits) {
  const guard = new BombGuard(path, limits)
  guard.claimed(chosen)
  for (const entry of chosen) yield { name: entry.name, bytes: unpackedBytes(path, entry, onRead, guard) }
}

async function* unpackedBytes(
  path: string,
  entry: ZipEntry,
  onRead: (bytes: number) => void,
  guard: BombGuard,
): AsyncGenerator<Uint8Array> {
  if (entry.compressedBytes === 0) return
  const packed = counted(createReadStream(path, { start: entry.start, end: entry.start + entry.compressedBytes - 1 }), (bytes) => {
    guard.packed(bytes)
    onRead(bytes)
  })
  // pipeline needs the callback; errors come out of the stream that is read.
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

async function* salvaged(path: string, onRead: (bytes: number) => void, limits: ZipLimits, cause: unknown) {
  const packed = createReadStream(path)
  try {
    yield* salvagedEntries(counted(packed, onRead), isWanted, new BombGuard(path, limits))
  } finally {
    packed.destroy()
  }
  const reason = 'the zip has no directory at its end that can be read: it was cut off or damaged. Download or copy it again.'
  throw new ImportFailed({ file: path, reason }, { cause })
}

async function* counted(stream: AsyncIterable<Buffer>, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    onRead(chunk.length)
    yield chunk
  }
}
