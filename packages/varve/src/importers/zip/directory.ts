import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { ImportFailed } from '../../errors/import-failed.ts'

const maxEntries = 500_000

// The most names that an error lists when a zip holds no conversations.
const maxNames = 5

export interface ZipEntry {
  readonly name: string
  /** 0 is stored, 8 is deflate. */
  readonly method: number
  readonly crc: number
  readonly compressedBytes: number
  /** The unpacked size as the directory claims it. */
  readonly unpackedBytes: number
  /** The place in the file where its data begins. */
  readonly start: number
}

export interface Directory {
  readonly wanted: readonly ZipEntry[]
  /** The first names of all entries. */
  readonly names: readonly string[]
}

/**
 * Reads the wanted entries from the directory at the end of the file. Throws yauzl's error when the directory cannot be
 * read, and ImportFailed when a wanted entry cannot be.
 *
 * The headers before the entries are not enough: writers that stream leave the sizes out of them. A search for an
 * entry's end by its signature would find it by chance in one of every 2³⁰ compressed bytes.
 */
export async function readDirectory(path: string, isWanted: (name: string) => boolean): Promise<Directory> {
  // The checksum is checked instead of the sizes. A strange name of a file that is not read does no harm.
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false, validateEntrySizes: false })
  try {
    if (zip.entryCount > maxEntries)
      throw new ImportFailed({
        file: path,
        reason: `it is a zip of more than ${maxEntries} files: unzip it and import conversations.json.`,
      })
    const wanted: ZipEntry[] = []
    const names: string[] = []
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString()
      if (names.length < maxNames) names.push(name)
      if (isWanted(name)) wanted.push(await located(path, zip, entry, name))
    }
    return { wanted, names }
  } finally {
    zip.close()
  }
}

async function located(path: string, zip: ZipFile, entry: Entry, name: string): Promise<ZipEntry> {
  const { compressionMethod: method, crc32: crc, compressedSize: compressedBytes, uncompressedSize: unpackedBytes } = entry
  if (entry.isEncrypted())
    throw new ImportFailed({ file: path, reason: `${name} in it is encrypted: unzip it with its password and import ${name}.` })
  if (method !== 0 && method !== 8)
    throw new ImportFailed({
      file: path,
      reason: `${name} in it is packed with method ${method}, which cannot be read here: unzip it and import ${name}.`,
    })
  try {
    const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    return { name, method, crc, compressedBytes, unpackedBytes, start }
  } catch (error) {
    throw damaged(path, name, error)
  }
}

export function damaged(path: string, name: string, cause?: unknown): ImportFailed {
  return new ImportFailed({ file: path, reason: `${name} in it is damaged: download or copy the zip again.` }, { cause })
}
