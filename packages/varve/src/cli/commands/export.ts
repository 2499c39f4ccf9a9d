import { open, rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { defaultProject } from '../../scope/scope.ts'
import { wrongUsage } from '../command-error.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { fileOrInput } from '../input.ts'
import { commandLine, whose } from '../next-command.ts'
import { whoseShared } from '../own-or-shared.ts'
import { scopeOf, withStore } from '../open-store.ts'
import { countLine } from '../progress.ts'
import { shell } from '../shell.ts'
import { counted, note, printJson } from '../terminal.ts'

interface ExportFlags extends GlobalFlags {
  readonly out?: string
  readonly shared?: boolean
  readonly signingKey?: string
  readonly markdown?: string
}

const after = `
Lines of JSON: messages byte for byte, and all that was made of them, signed with
the store's key. \`varve import\` reads them into any store.

  $ varve export --user ada --out ada.jsonl
  $ varve export --shared --project kiosk --out kiosk.jsonl
  $ varve export --user ada | gzip > ada.jsonl.gz

--markdown writes a folder to be read by people, which no import takes.

  $ varve export --user ada --markdown ada`

export function addExport(program: Command): void {
  program
    .command('export')
    .description('writes a memory as JSON lines, to keep or to import elsewhere')
    .option('--out <file>', 'writes a file that only you can read (default: stdout)')
    .option('--shared', "what the project's members share, in place of a user's memory")
    .addOption(new Option('--signing-key <file>', 'a private Ed25519 key (PEM) that signs the lines too'))
    .option('--markdown <folder>', "writes a user's memory as a folder of Markdown, to be read")
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => runExport(command.optsWithGlobals<ExportFlags>()))
}

async function runExport(flags: ExportFlags): Promise<void> {
  scopeOf(flags)
  const { out, shared, markdown, project = defaultProject } = flags
  if (markdown !== undefined) return toMarkdown(markdown, flags)
  if (out === undefined && shell().stdout.isTTY === true)
    throw wrongUsage(
      'a terminal is no place for an export: name a file, or pipe it.',
      commandLine('export', '--out', 'memory.jsonl', ...whose(flags)),
    )
  const signingKey = flags.signingKey === undefined ? {} : { signingKey: await fileOrInput(flags.signingKey, 'a key') }
  await withStore(flags, async (handle, memory) => {
    const lines = shared === true ? memory.project(project).export(signingKey) : handle.export(signingKey)
    const written = out === undefined ? await toStdout(lines) : await toFile(lines, out)
    if (out === undefined) return
    const next = commandLine('import', out, ...whoseShared({ ...flags, store: './other.db' }))
    if (flags.json === true) printJson({ file: out, ...written })
    else note(`${counted(written.lines, 'line')} written to ${out}.\nNext: ${next}`)
  })
}

async function toMarkdown(folder: string, flags: ExportFlags): Promise<void> {
  if (flags.out !== undefined || flags.shared === true || flags.signingKey !== undefined)
    throw wrongUsage(
      "--markdown is a user's memory in a folder: it goes with neither --out, --shared nor --signing-key.",
      commandLine('export', '--help'),
    )
  const { exportMarkdown } = await import('../../markdown/export-markdown.ts')
  const { files, counts } = await withStore(flags, (handle) => exportMarkdown(handle, folder))
  if (flags.json === true) printJson({ folder, files, counts })
  else note(`${counted(files, 'file')} written to ${folder}.\nNext: open ${join(folder, 'index.md')}`)
}

interface Written {
  readonly lines: number
  readonly bytes: number
}

async function toStdout(lines: AsyncIterable<string>): Promise<Written> {
  const { stdout } = shell()
  return eachPiece(lines, async (piece) => {
    if (!stdout.write(piece)) await once(stdout, 'drain')
  })
}

/** Writes a file beside its place, and moves it there once it is whole. Nobody else may read it. */
async function toFile(lines: AsyncIterable<string>, path: string): Promise<Written> {
  const unfinished = `${path}.${process.pid}.unfinished`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    const written = await eachPiece(lines, async (piece) => {
      await file.appendFile(piece)
    })
    await file.sync()
    await file.close()
    await rename(unfinished, path)
    return written
  } catch (error) {
    await file.close()
    await rm(unfinished, { force: true })
    throw error
  }
}

const pieceCharacters = 256 * 1024

/** Gathers lines to pieces, and tells the progress of a long export. */
async function eachPiece(lines: AsyncIterable<string>, write: (piece: string) => Promise<void>): Promise<Written> {
  let [count, bytes, piece] = [0, 0, '']
  using _told = countLine(() => `varve: ${counted(count, 'line')} written.`)
  for await (const line of lines) {
    count += 1
    piece += line
    if (piece.length < pieceCharacters) continue
    bytes += Buffer.byteLength(piece)
    await write(piece)
    piece = ''
  }
  await write(piece)
  return { lines: count, bytes: bytes + Buffer.byteLength(piece) }
}
