import { ImportFailed } from '../errors/import-failed.ts'
import { detectBytes, detectFormat, reasonOfBytes } from './detect.ts'
import { readChatgpt } from './formats/chatgpt.ts'
import { readClaude } from './formats/claude.ts'
import { readClaudeCode } from './formats/claude-code.ts'
import { readJsonl } from './formats/jsonl.ts'
import { readLangchain } from './formats/langchain.ts'
import { readLocomo } from './formats/locomo.ts'
import { readMem0 } from './formats/mem0.ts'
import { readMem0History } from './formats/mem0-history.ts'
import { readOpenaiAgents } from './formats/openai-agents.ts'
import { readServerMemory } from './formats/server-memory.ts'
import { type ImportFormat, importedFiles, importFormats } from './formats/all.ts'
import type { ImportItem, ImportSource, Importer, ItemPage } from './importer.ts'
import { peek } from './peek.ts'
import { openSources } from './source.ts'
import { Utf8Count } from './utf8-count.ts'

/** The most items and characters of a page: handled in about a millisecond, so that the receiving thread is not blocked. */
const pageItems = 32
const pageChars = 64 * 1024
/** A page ends after this much of the file, so that progress shows even where nothing is found. */
const pageBytes = 64 * 1024

const importers: Readonly<Record<ImportFormat, Importer>> = {
  chatgpt: readChatgpt,
  claude: readClaude,
  'claude-code': readClaudeCode,
  jsonl: readJsonl,
  langchain: readLangchain,
  locomo: readLocomo,
  mem0: readMem0,
  'mem0-history': readMem0History,
  'openai-agents': readOpenaiAgents,
  'server-memory': readServerMemory,
}

/** Reads a file of any known format, page by page. Holds one page and the format's own buffer, whatever the size of the file. */
export class ExportReader {
  readonly #path: string
  readonly #items: AsyncGenerator<ImportItem>
  /** The requested format. */
  readonly #given: ImportFormat | undefined
  #format: ImportFormat | undefined
  #bytes = 0
  #totalBytes = 0
  #failure: { readonly error: unknown } | undefined

  constructor(path: string, format: ImportFormat | undefined) {
    this.#path = path
    this.#given = format
    this.#format = format
    this.#items = this.#read()
  }

  /** Returns the next page; the last one is `done`. Rejects with ImportFailed once all items before the break were given out. */
  async next(): Promise<ItemPage> {
    if (this.#failure !== undefined) throw this.#failure.error
    const items: ImportItem[] = []
    const until = this.#bytes + pageBytes
    let chars = 0
    let done = false
    try {
      while (items.length < pageItems && chars < pageChars && this.#bytes < until) {
        const next = await this.#items.next()
        done = next.done === true
        if (next.done === true) break
        items.push(next.value)
        chars += next.value.kind === 'message' ? next.value.message.content.length : 0
      }
    } catch (error) {
      this.#failure = { error }
    }
    return { items, bytes: this.#bytes, totalBytes: this.#totalBytes, format: this.#format, done }
  }

  async *#read(): AsyncGenerator<ImportItem> {
    const { totalBytes, sources, only } = await openSources(this.#path, (bytes) => {
      this.#bytes += bytes
    })
    this.#totalBytes = totalBytes
    if (only !== undefined && this.#given !== undefined && this.#given !== only)
      throw new ImportFailed({ file: this.#path, reason: `it is a folder, and only transcripts of ${only} are read from one.` })
    for await (const source of sources) {
      if ('reason' in source) yield { kind: 'skipped', ...source }
      else if (only === undefined) yield* this.#readSource(source, only)
      else yield* withoutLines(this.#readSource(source, only))
    }
  }

  async *#readSource(source: ImportSource, only: ImportFormat | undefined): AsyncGenerator<ImportItem> {
    const { head, bytes } = await peek(source.bytes, detectBytes)
    const told = detectFormat(head)
    if (only !== undefined && told !== only) {
      await bytes.return?.()
      yield { kind: 'skipped', reason: 'not a transcript' }
      return
    }
    const format = this.#given ?? told ?? this.#format
    if (format === undefined) {
      await bytes.return?.()
      throw unknownFormat(source.file, head)
    }
    this.#format ??= format
    const utf8 = new Utf8Count()
    const isTold = this.#given === undefined
    yield* importers[format]({ ...source, bytes: utf8.counted(bytes), isTold })
    yield { kind: 'repaired', reason: 'invalid UTF-8 replaced', count: utf8.replaced }
  }
}

/** Takes the numbers of lines away: of several files they would name none. */
async function* withoutLines(items: AsyncIterable<ImportItem>): AsyncGenerator<ImportItem> {
  for await (const item of items) {
    if (!('line' in item)) yield item
    else {
      const { line: _, ...others } = item
      yield others
    }
  }
}

function unknownFormat(file: string, head: Uint8Array): ImportFailed {
  const bytes = reasonOfBytes(head)
  return new ImportFailed({
    file,
    reason:
      bytes ??
      `its format is not known. Known are: ${importedFiles}. Name one with format (${importFormats.join(', ')}) if it is one of them.`,
  })
}
