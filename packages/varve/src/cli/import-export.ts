import { createReadStream, statSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Cancelled } from '../errors/cancelled.ts'
import { isVarveExport } from '../importers/detect.ts'
import { CommandError, wrongUsage } from './command-error.ts'
import type { GlobalFlags } from './global-flags.ts'
import { fileOrInput } from './input.ts'
import { commandLine, thisLine } from './next-command.ts'
import { finishWriting, scopeOf, storeFile, withNewStore } from './open-store.ts'
import { ownOrShared, whoseShared } from './own-or-shared.ts'
import { countLine } from './progress.ts'
import { importedLines, type ShownImport } from './render/imported.ts'
import { stopOn } from './stopping.ts'
import { note, print, printJson } from './terminal.ts'

/** The flags of an import that are about an export of Varve. */
export interface ExportFileFlags extends GlobalFlags {
  readonly format?: string
  readonly dryRun?: boolean
  readonly restoreForgotten?: boolean
  readonly shared?: boolean
  readonly accept?: boolean
  readonly acceptChanged?: boolean
  readonly trust?: readonly string[]
}

/** Tells whether a file begins as an export of Varve does. A path that is no file is told by the import itself. */
export async function isOwnExport(path: string): Promise<boolean> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    return isVarveExport(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/** Imports an export of Varve. What another store made waits, unless the line says otherwise. */
export async function importExport(path: string, flags: ExportFileFlags): Promise<void> {
  storeFile(flags)
  scopeOf(flags)
  if (flags.dryRun === true || flags.format !== undefined)
    throw wrongUsage(
      '--dry-run and --format are for files of other programs. An export of another store waits until you accept it.',
      commandLine('import', path, ...whoseShared(flags)),
    )
  const trust = await Promise.all((flags.trust ?? []).map((file) => fileOrInput(file, 'a key')))
  using stopping = stopOn('SIGINT')
  const imported = await withNewStore(flags, async (handle, memory) => {
    const done = await read(path, (pieces) =>
      ownOrShared(flags, handle, memory).import(pieces, {
        trust,
        accept: flags.acceptChanged === true ? 'changed' : flags.accept === true,
        restoreForgotten: flags.restoreForgotten === true,
        signal: stopping.signal,
      }),
    )
    if (done.state === 'applied') await finishWriting(memory)
    return done
  })
  if (flags.json === true) return printJson(imported)
  for (const line of importedLines(imported)) print(line)
  if (imported.state === 'waiting') note(`Next: ${commandLine('imports', 'show', imported.id, ...whoseShared(flags))}`)
}

async function read(path: string, take: (pieces: AsyncIterable<Uint8Array>) => Promise<ShownImport>): Promise<ShownImport> {
  const { size } = await stat(path)
  let bytes = 0
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const file = createReadStream(path)
    for await (const piece of file) {
      if (!(piece instanceof Uint8Array)) continue
      bytes = file.bytesRead
      yield piece
    }
  }
  using _told = countLine(() => (bytes < size ? `varve: ${Math.floor((bytes / size) * 100)} % read.` : 'varve: all read, being stored.'))
  try {
    return await take(pieces())
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    const message = 'stopped. A second import goes on where this one was.'
    throw new CommandError(message, { code: 'INTERRUPTED', exitCode: 130, next: thisLine() }, { cause: error })
  }
}
