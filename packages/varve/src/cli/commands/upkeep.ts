import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { upkeepOperations } from '../../operations/store.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import { doUpkeep, type UpkeepDone, upkeepDone } from '../do-upkeep.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import type { ShownUpkeepStatus } from '../render/due-work.ts'
import { doneLine, statusLines, nextUpkeep, waitingLine } from '../render/upkeep.ts'
import { runLines } from '../render/upkeep-run.ts'
import { stopOn } from '../stopping.ts'
import { note, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'
import { wholeList } from '../whole-list.ts'

const after = `
A session is read 10 minutes after its last message was stored, or after 20 new
messages: the project's settings reading.settleMinutes and reading.newMessages.
Old talk that was never read is read at once. --all waits for nothing.
A program that has the store open does due work by itself. Ctrl-C stops this at
any time; finished work stays.

  $ varve upkeep
  $ varve upkeep --all
  $ varve upkeep --watch
  $ varve upkeep status --json
  $ varve upkeep runs --from 2026-11-01`

export function addUpkeep(program: Command): void {
  const upkeep = addCommand(program, 'upkeep', upkeepOperations.run, run, {
    about: 'does due work: vectors, gists, facts, documents, notes, the bank; overwrites erased words in the files',
    help: { maxSeconds: 'begins no new work after this long (default: until nothing is left)' },
    except: [...notBounded],
  })
    .option('--watch', 'goes on until Ctrl-C, and looks every second')
    .option('--ended-session <session>', 'reads this session of --user first, due or not: nothing more will be said in it')
    .addHelpText('after', after)
  const show = async (_input: object, flags: GlobalFlags): Promise<void> =>
    report(await withStore(flags, (_handle, memory) => memory.upkeep.status(), { of: 'store' }), flags)
  addCommand(upkeep, 'status', upkeepOperations.status, show, { about: 'shows due work, costs and failures, and does nothing' })
  addCommand(upkeep, 'runs', upkeepOperations.runs, showRuns, {
    about: 'lists what upkeep did, newest first, and why work failed; of one project with --project',
  })
}

async function showRuns({ limit, ...range }: InputOf<typeof upkeepOperations.runs>, flags: GlobalFlags): Promise<void> {
  const runs = await withStore(flags, (_handle, memory) => wholeList(limit, (page) => memory.upkeep.runs({ ...range, ...page })), {
    of: 'store',
  })
  if (flags.json === true) return printJson(runs)
  const isRange = range.from !== undefined || range.to !== undefined
  if (runs.length === 0) return note(isRange ? 'Upkeep did nothing in that time.' : 'Upkeep did nothing yet.')
  for (const run of runs) for (const line of runLines(run)) print(line)
}

/** Fields that the command leaves out: it does the work of the whole store. */
const notBounded = ['project', 'user', 'session', 'kinds'] as const

async function run(
  bounds: InputOf<typeof upkeepOperations.run, (typeof notBounded)[number]>,
  flags: GlobalFlags & { readonly watch?: boolean; readonly endedSession?: string },
): Promise<void> {
  const { watch: watches = false, endedSession } = flags
  const { maxSeconds: seconds = Number.POSITIVE_INFINITY, maxCalls } = bounds
  if (watches && bounds.all === true)
    throw wrongUsage(
      '--watch and --all together would read a session again at every message.',
      commandLine('upkeep', '--all', ...whose(flags)),
    )
  // A signal is the usual end of a watch. It cuts other work short.
  using stopping = stopOn('SIGINT', ...(watches ? ['SIGTERM' as const] : []))
  const { signal } = stopping
  const { done, status } = await withStore(
    flags,
    async (handle, memory) => {
      signal.addEventListener('abort', () => void memory.close())
      if (endedSession !== undefined) await readEnded(handle, endedSession, signal)
      if (watches) note('Watching; Ctrl-C ends it.')
      await doUpkeep(memory, { ...bounds, seconds, watches }, signal)
      return { done: upkeepDone(memory), status: signal.aborted ? undefined : await memory.upkeep.status() }
    },
    { warn: 'at once', of: 'store' },
  )
  if (maxCalls !== undefined && done.modelCalls >= maxCalls) note('--max-calls is reached: work that needs the model waits.')
  if (status !== undefined) return report(status, flags, done)
  if (!watches)
    throw new CommandError(`stopped. ${doneLine(done)} Finished work stays.`, {
      code: 'INTERRUPTED',
      exitCode: 130,
      next: commandLine('upkeep', ...whose(flags)),
    })
  if (flags.json === true) printJson({ done })
  else print(doneLine(done))
}

/** Reads a session now. The end of one of which nothing was stored is no failure. */
async function readEnded(handle: UserMemory, session: string, signal: AbortSignal): Promise<void> {
  try {
    await handle.distil(session, { signal })
  } catch (error) {
    if (!(error instanceof NotFound) && !signal.aborted) throw error
  }
}

function report(status: ShownUpkeepStatus, flags: GlobalFlags, done?: UpkeepDone): void {
  const { backlog, failures, waiting } = status
  if (failures.length > 0) shell().exitCode = 1
  if (flags.json === true) return printJson(done === undefined ? status : { done, ...status })
  if (done !== undefined) print(doneLine(done))
  for (const line of statusLines(status)) print(line)
  // Work that is left after a run would look forgotten.
  const why = waitingLine(waiting)
  if (why !== undefined) note(why)
  if (backlog.embeddings > 0) note('Text without a vector is found by its words.')
  if (why !== undefined || backlog.embeddings > 0) note(nextUpkeep(waiting, whose(flags)))
}
