import { createReadStream, type Stats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { parse } from 'node:path'
import { ImportFailed } from '../errors/import-failed.ts'
import type { ImportFormat } from './formats/all.ts'
import { type FoundSource, transcriptSources } from './folder/transcripts.ts'
import type { ImportSource } from './importer.ts'
import { openZip } from './zip/entries.ts'

export interface OpenSources {
  /** Bytes of the file that will be read. */
  readonly totalBytes: number
  /** The sources, each to be read to its end before the next; of a folder, also the reasons why files are none. */
  readonly sources: AsyncIterable<FoundSource>
  /** The one format that the sources may have; undefined for any. */
  readonly only?: ImportFormat
}

/**
 * Opens the streams of a path: the file itself, the conversation files of a zip (told by its first bytes), or the transcripts
 * of a folder.
 */
export async function openSources(path: string, onRead: (bytes: number) => void): Promise<OpenSources> {
  const { kind, size } = await look(path)
  if (kind === 'folder') return { ...(await transcriptSources(path, (file) => readFile(file, onRead))), only: 'claude-code' }
  const { name } = parse(path)
  if (kind === 'file') return { totalBytes: size, sources: only({ file: path, name, bytes: readFile(path, onRead) }) }
  const { totalBytes, entries } = await openZip(path, onRead)
  return { totalBytes, sources: sourcesOf(path, entries) }
}

async function look(path: string): Promise<{ readonly kind: 'file' | 'folder' | 'zip'; readonly size: number }> {
  try {
    // Before the file is opened: to open a pipe waits for its writer, maybe for ever.
    const found = await stat(path)
    if (found.isDirectory()) return { kind: 'folder', size: 0 }
    if (!found.isFile()) throw new ImportFailed({ file: path, reason: reasonOfKind(found) })
    const file = await open(path)
    try {
      const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
      // PK\3\4, or PK\5\6 for an empty zip.
      const isZip = buffer.readUInt32BE(0) === 0x504b0304 || buffer.readUInt32BE(0) === 0x504b0506
      return { kind: isZip ? 'zip' : 'file', size: found.size }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof ImportFailed) throw error
    throw new ImportFailed({ file: path, reason: reasonOf(error) }, { cause: error })
  }
}

/** Says what a path is that is no file, and what to give instead. */
function reasonOfKind(found: Stats): string {
  const kind = found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device'
  return `it is ${kind}, and an import reads a file from its beginning more than once: write its content to a file, and import that.`
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file: check the path.'
  if (code === 'EACCES' || code === 'EPERM') return 'this process may not read it: check its permissions.'
  return `it cannot be read (${error instanceof Error ? error.message : String(error)}).`
}

async function* readFile(path: string, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      onRead(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw new ImportFailed({ file: path, reason: reasonOf(error) }, { cause: error })
  }
}

async function* only(source: ImportSource): AsyncGenerator<ImportSource> {
  yield source
}

async function* sourcesOf(
  file: string,
  entries: AsyncIterable<{ readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }>,
): AsyncGenerator<ImportSource> {
  for await (const { name, bytes } of entries) yield { file, name: parse(name).name, bytes }
}
