import { type Command, Option } from 'commander'
import { Cancelled } from '../../errors/cancelled.ts'
import { importFile } from '../../importers/import-file.ts'
import { type ImportFormat, importedFiles, importFormats } from '../../importers/formats/all.ts'
import type { ImportHandle, ImportReport, ImportRoutes } from '../../importers/importer.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { isThere } from '../../memory/stores/standing-store.ts'
import { shownName } from '../../messages/shown-name.ts'
import { parseScope, type ScopeInput } from '../../scope/scope.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import { doUpkeep } from '../do-upkeep.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { importExport, isOwnExport } from '../import-export.ts'
import { importFolder, isFolder } from '../import-folder.ts'
import { commandLine, thisLine, whose, whoseStore } from '../next-command.ts'
import { noteWarning, openHandle, scopeOf, storeFile } from '../open-store.ts'
import { progressBar } from '../progress.ts'
import { reportLines } from '../render/import-report.ts'
import { dueWork, type ShownUpkeepStatus } from '../render/due-work.ts'
import { waitingLine } from '../render/upkeep.ts'
import { counted, note, paragraph, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'
import { stopOn } from '../stopping.ts'

interface ImportFlags extends GlobalFlags {
  readonly format?: ImportFormat
  readonly dryRun?: boolean
  readonly restoreForgotten?: boolean
  readonly route?: boolean
  readonly shared?: boolean
  readonly accept?: boolean
  readonly acceptChanged?: boolean
  readonly trust?: readonly string[]
}

/** The longest time for vectors after an import: all messages are stored by then, and the caller waits. */
const secondsToEmbed = 10

const again = 'Messages keep their times and ids: a second import stores nothing twice, and one that was stopped goes on.'

const after = `
${paragraph(`Reads ${importedFiles}. ${again}`, { indent: '', width: 80 }).join('\n')}

  $ varve import export.zip --dry-run
  $ varve import export.zip --user ada
  $ varve import ~/.claude/projects/-home-ada-kiosk/5d1f0c7e.jsonl --user ada
  $ varve import ~/.claude/projects --user ada
  $ varve import ~/vault --user ada
  $ varve import ada.jsonl --user ada --accept`

export function addImport(program: Command): void {
  program
    .command('import')
    .description('reads conversations, memories or notes of another program, or an export')
    .argument('<file>', 'the file, or a folder of Markdown notes or of transcripts')
    .addOption(new Option('--format <format>', "the file's format (default: told from its content)").choices(importFormats))
    .option('--dry-run', 'reads and counts everything, stores nothing')
    .option('--restore-forgotten', 'stores messages again that were forgotten after an earlier import')
    .option('--route', 'gives each line to the user and project that it names')
    .option('--accept', 'applies an export of Varve that another store made, in place of letting it wait')
    .option('--accept-changed', 'does so even if its lines were changed since they were signed')
    .option('--trust <pem...>', 'files of Ed25519 keys whose signature is as good as that of this store')
    .option('--shared', "takes an export, or a folder of notes, into what the project's members share")
    .addHelpText('after', after)
    .action(async (file: string, _flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<ImportFlags>()
      if (await isOwnExport(file)) await importExport(file, flags)
      else if (isFolder(file) && !(await isOfTranscripts(file, flags))) await importFolder(file, flags)
      else await runImport(file, flags)
    })
}

/** Tells whether a folder is one of transcripts: by its content, or by the format that is given. */
async function isOfTranscripts(folder: string, { format }: ImportFlags): Promise<boolean> {
  if (format !== undefined) return true
  const { holdsTranscripts } = await import('../../importers/folder/transcripts.ts')
  return holdsTranscripts(folder)
}

async function runImport(file: string, flags: ImportFlags): Promise<void> {
  storeFile(flags)
  scopeOf(flags)
  if (flags.route === true) refuseScope(flags)
  // Ctrl-C stops between two messages: acknowledged messages stay, and the exit code is 130.
  using stopping = stopOn('SIGINT')
  const { report, status } = await read(file, flags, stopping.signal).catch((error: unknown) => {
    throw error instanceof Cancelled ? stopped(flags, error) : error
  })
  if (flags.json === true) return printJson(report)
  for (const line of reportLines(report, file, flags.dryRun === true)) print(line)
  tellOthers(report, flags)
  if (flags.dryRun === true) note(`Nothing was stored.\nNext: ${commandLine(...shell().args.filter((arg) => arg !== '--dry-run'))}`)
  else tellNext(status, flags)
}

/** A line names its own user; a flag beside it would name another. */
function refuseScope({ project, user }: ImportFlags): void {
  if (project === undefined && user === undefined) return
  throw wrongUsage(
    '--route takes the user and project from each line: leave out --user and --project, and unset VARVE_USER and VARVE_PROJECT.',
    commandLine('import', '--help'),
  )
}

/** Says how the words of others can be imported. */
function tellOthers({ skipped }: ImportReport, flags: ImportFlags): void {
  const others = (skipped['of another user'] ?? 0) + (skipped['of another project'] ?? 0) + (skipped['of one of several accounts'] ?? 0)
  if (others === 0) return
  const whose = flags.user === undefined ? 'the anonymous user' : shownName(flags.user)
  note(
    `${counted(others, 'message')} left out, which the file does not say to be ${whose}'s. ` +
      "--user takes one user's (or one account's, by its id), --route gives each its own.",
  )
}

/** Says what upkeep would add to the stored messages. A program that has the store open does this by itself. */
function tellNext(status: ShownUpkeepStatus | undefined, flags: ImportFlags): void {
  const due = status === undefined ? undefined : dueWork(status)
  const waiting = status === undefined ? undefined : waitingLine(status.waiting)
  if (waiting !== undefined) note(waiting)
  if (due !== undefined) note(`Upkeep would now add: ${due}.\nNext: ${commandLine('upkeep', ...whoseStore(flags))}`)
  else note(`Next: ${commandLine('sessions', ...whose(flags))}`)
}

interface Imported {
  readonly report: ImportReport
  /** The work that is left; undefined when nothing was stored. */
  readonly status: ShownUpkeepStatus | undefined
}

async function read(file: string, flags: ImportFlags, signal: AbortSignal): Promise<Imported> {
  let opened: ReturnType<typeof openHandle> | undefined
  // The store is opened at the first message: an unreadable file leaves no store behind, and a dry run never makes one.
  const open = (): ReturnType<typeof openHandle> => (opened ??= openHandle(flags))
  try {
    const report = await readInto(open, file, flags, signal)
    return { report, status: opened === undefined || flags.dryRun === true ? undefined : await embed(await opened, signal) }
  } finally {
    await (await opened)?.memory.close()
  }
}

async function readInto(
  open: () => ReturnType<typeof openHandle>,
  file: string,
  flags: ImportFlags,
  signal: AbortSignal,
): Promise<ImportReport> {
  const { format, dryRun, restoreForgotten } = flags
  using bar = await progressBar(() => stopped(flags))
  const options = { format, dryRun, restoreForgotten, signal, now: Date.now, onProgress: bar.show }
  if (flags.route !== true)
    return importFile(
      openedLater(async () => (await open()).handle, scopeOf(flags), flags),
      file,
      options,
    )
  const routes: ImportRoutes = { for: (scope) => openedLater(async () => (await open()).memory.for(scope), scope, flags) }
  return importFile(routes, file, { ...options, route: true })
}

/** Makes a handle that opens the store when something is stored. */
function openedLater(handle: () => Promise<UserMemory>, given: ScopeInput, flags: ImportFlags): ImportHandle {
  const { project, owner } = parseScope(given)
  return {
    scope: owner.kind === 'user' ? { project, user: owner.name } : { project },
    append: async (session, messages, options) => (await handle()).append(session, messages, options),
    standing: async (session, messages) =>
      isThere(storeFile(flags)) ? (await handle()).standing(session, messages) : { stored: [], forgotten: [] },
    sessions: {
      get: async (id) => (await handle()).sessions.get(id),
      ensure: async (id, details) => (await handle()).sessions.ensure(id, details),
    },
  }
}

/**
 * Makes the vectors, newest first, as many as the time allows: all of a usual export. The next program makes the rest.
 * Calls no language model.
 */
async function embed(opened: Awaited<ReturnType<typeof openHandle>>, signal: AbortSignal): Promise<ShownUpkeepStatus> {
  const { memory, warnings } = opened
  await doUpkeep(memory, { seconds: secondsToEmbed, kinds: ['erasures', 'embeddings'] }, signal)
  const status = await memory.upkeep.status()
  warnings.forEach(noteWarning)
  if (status.embedding !== undefined && status.backlog.embeddings > 0)
    note(`${counted(status.backlog.embeddings, 'message')} found only by their words until they have a vector.`)
  return status
}

function stopped({ dryRun }: ImportFlags, cause?: unknown): CommandError {
  const what = dryRun === true ? 'Nothing was stored.' : 'Stored messages stay; a second import adds only the rest.'
  return new CommandError(`stopped. ${what}`, { code: 'INTERRUPTED', exitCode: 130, next: thisLine() }, { cause })
}
