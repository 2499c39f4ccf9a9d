import { statSync } from 'node:fs'
import { Cancelled } from '../errors/cancelled.ts'
import { ImportFailed } from '../errors/import-failed.ts'
import { importMarkdown, type MarkdownTarget } from '../importers/folder/import-markdown.ts'
import { conversationsIn } from '../importers/folder/transcripts.ts'
import { isThere } from '../memory/stores/standing-store.ts'
import { CommandError, wrongUsage } from './command-error.ts'
import { commandLine, thisLine, whose } from './next-command.ts'
import type { ExportFileFlags } from './import-export.ts'
import { finishWriting, openHandle, scopeOf, storeFile } from './open-store.ts'
import { ownOrShared, whoseShared } from './own-or-shared.ts'
import { folderReportLines } from './render/import-report.ts'
import { shell } from './shell.ts'
import { stopOn } from './stopping.ts'
import { note, print, printJson } from './terminal.ts'

interface FolderFlags extends ExportFileFlags {
  readonly route?: boolean
}

/** Tells whether a path is a folder. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Imports a folder of Markdown notes as documents: the user's, or the project's with --shared. */
export async function importFolder(folder: string, flags: FolderFlags): Promise<void> {
  storeFile(flags)
  scopeOf(flags)
  if (flags.format !== undefined || flags.route === true || flags.restoreForgotten === true)
    throw wrongUsage(
      '--format, --route and --restore-forgotten are for files: a folder is read as Markdown notes, which name nobody.',
      commandLine('import', folder, ...whoseShared(flags)),
    )
  using stopping = stopOn('SIGINT')
  let opened: ReturnType<typeof openHandle> | undefined
  // The store is opened at the first document: a dry run or a wrong folder leaves no store behind.
  const target = async (): Promise<MarkdownTarget> => {
    const { handle, memory } = await (opened ??= openHandle(flags))
    return ownOrShared(flags, handle, memory)
  }
  const documents: MarkdownTarget['documents'] = {
    read: async (name) => (flags.dryRun === true && !isThere(storeFile(flags)) ? undefined : (await target()).documents.read(name)),
    edit: async (name, content, options) => (await target()).documents.edit(name, content, options),
  }
  try {
    const report = await importMarkdown({ documents, shared: flags.shared === true }, folder, {
      dryRun: flags.dryRun,
      signal: stopping.signal,
    }).catch(async (error: unknown) => {
      // It may have conversations, and no notes.
      if (error instanceof ImportFailed) await tellConversations(folder, flags)
      throw error instanceof Cancelled ? stopped(flags, error) : error
    })
    if (opened !== undefined && flags.dryRun !== true) await finishWriting((await opened).memory)
    if (flags.json === true) return printJson(report)
    for (const line of folderReportLines(report, folder, flags.dryRun === true)) print(line)
    await tellConversations(folder, flags)
    if (flags.dryRun === true) note(`Nothing was stored.\nNext: ${commandLine(...shell().args.filter((arg) => arg !== '--dry-run'))}`)
    else note(`Next: ${commandLine('documents', ...(flags.shared === true ? ['--shared'] : []), ...whose(flags))}`)
  } finally {
    await (await opened)?.memory.close()
  }
}

/** Says how conversations can be imported that lie between the notes: they were left out. */
async function tellConversations(folder: string, flags: FolderFlags): Promise<void> {
  for await (const { file, format } of conversationsIn(folder)) {
    const command = format === 'claude-code' ? ['import', folder, '--format', format] : ['import', file]
    note(`${file} was left out: it holds conversations (${format}), and no note.\nImport them: ${commandLine(...command, ...whose(flags))}`)
    return
  }
}

function stopped({ dryRun }: FolderFlags, cause: unknown): CommandError {
  const what = dryRun === true ? 'Nothing was stored.' : 'Stored documents stay; a second import adds only the rest.'
  return new CommandError(`stopped. ${what}`, { code: 'INTERRUPTED', exitCode: 130, next: thisLine() }, { cause })
}
