import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { doUpkeep, type UpkeepDone, upkeepDone } from '../do-upkeep.ts'
import { number } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { doneLine, statusLines, nextUpkeep, type ShownUpkeepStatus, waitingLine } from '../render/upkeep.ts'
import { stopOn } from '../stopping.ts'
import { note, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'

interface UpkeepFlags extends GlobalFlags {
  readonly maxSeconds?: number
  readonly maxCalls?: number
  readonly watch?: boolean
  readonly all?: boolean
}

const after = `
A session is read 10 minutes after its last message was stored, or after 20 new
messages; old talk that was never read is read at once. --all waits for nothing.
A program that has the store open does what is due by itself. Ctrl-C stops it at
any time: what was done stays done.

  $ varve upkeep
  $ varve upkeep --all
  $ varve upkeep --watch
  $ varve upkeep status --json`

export function addUpkeep(program: Command): void {
  const upkeep = program
    .command('upkeep')
    .description('do what is due: vectors, gists, facts, documents, notes, the bank, erased words out of the files')
    .option('--all', 'read sessions that may go on as well, now')
    .option('--watch', 'go on until Ctrl-C, and look every second')
    .option('--max-seconds <n>', 'begin nothing new after so long (default: until nothing is left)', number)
    .option('--max-calls <n>', 'make so many calls to a language model at most (default: no bound)', number)
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => run(command.optsWithGlobals<UpkeepFlags>()))
  upkeep
    .command('status')
    .description('show what is due, what it cost and what failed, and do nothing')
    .action(async (_flags: unknown, command: Command) => show(command.optsWithGlobals<GlobalFlags>()))
}

async function run(flags: UpkeepFlags): Promise<void> {
  const { watch: watches = false, all = false, maxCalls } = flags
  if (watches && all)
    throw new CommandError('--watch and --all together would read a session again at every message.', {
      code: 'USAGE',
      exitCode: 2,
      next: commandLine('upkeep', '--all', ...whose(flags)),
    })
  const seconds = bound('--max-seconds', flags.maxSeconds) ?? Number.POSITIVE_INFINITY
  if (bound('--max-calls', maxCalls) !== undefined && !Number.isInteger(maxCalls))
    throw wrong('--max-calls must be a whole number', maxCalls)
  // Watching is ended by stopping it; other work is cut short by that.
  using stopping = stopOn('SIGINT', ...(watches ? ['SIGTERM' as const] : []))
  const { signal } = stopping
  const { done, status } = await withStore(
    flags,
    async (_handle, memory) => {
      signal.addEventListener('abort', () => void memory.close())
      if (watches) note('Watching; Ctrl-C ends it.')
      await doUpkeep(memory, { seconds, watches, all, ...(maxCalls === undefined ? {} : { maxCalls }) }, signal)
      return { done: upkeepDone(memory), status: signal.aborted ? undefined : await memory.upkeep.status() }
    },
    { warn: 'at once' },
  )
  if (maxCalls !== undefined && done.modelCalls >= maxCalls) note('--max-calls is reached: what needs the model waits.')
  if (status !== undefined) return report(status, flags, done)
  if (!watches)
    throw new CommandError(`stopped. ${doneLine(done)} What was done stays done.`, {
      code: 'INTERRUPTED',
      exitCode: 130,
      next: commandLine('upkeep', ...whose(flags)),
    })
  if (flags.json === true) printJson({ done })
  else print(doneLine(done))
}

function bound(flag: string, value: number | undefined): number | undefined {
  if (value !== undefined && value < 0) throw wrong(`${flag} must not be negative`, value)
  return value
}

function wrong(what: string, received: number | undefined): CommandError {
  return new CommandError(`${what}, received ${received}.`, { code: 'USAGE', exitCode: 2, next: commandLine('upkeep', '--help') })
}

async function show(flags: GlobalFlags): Promise<void> {
  report(await withStore(flags, (_handle, memory) => memory.upkeep.status()), flags)
}

function report(status: ShownUpkeepStatus, flags: GlobalFlags, done?: UpkeepDone): void {
  const { backlog, failures, waiting } = status
  if (failures.length > 0) shell().exitCode = 1
  if (flags.json === true) return printJson(done === undefined ? status : { done, ...status })
  if (done !== undefined) print(doneLine(done))
  for (const line of statusLines(status)) print(line)
  // What is left after a run, and may go on, would look forgotten.
  const why = waitingLine(waiting)
  if (why !== undefined) note(why)
  if (backlog.embeddings > 0) note('What has no vector is found by its words.')
  if (why !== undefined || backlog.embeddings > 0) note(nextUpkeep(waiting, whose(flags)))
}
