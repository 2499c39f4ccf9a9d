import type { Command } from 'commander'
import type { Memory } from '../../memory.ts'
import { CommandError } from '../command-error.ts'
import { number } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { embeddingBar } from '../progress.ts'
import { counted, harmless, note, print, printJson } from '../terminal.ts'

interface UpkeepFlags extends GlobalFlags {
  readonly maxSeconds?: number
}

type Status = Awaited<ReturnType<Memory['upkeep']['status']>>

const after = `
A program that has the store open does this by itself. Ctrl-C stops it at any
time: what was done stays done.

  $ varve upkeep
  $ varve upkeep status --json`

export function addUpkeep(program: Command): void {
  const upkeep = program.command('upkeep')
    .description('do what is due: vectors for new messages, erased words out of the files')
    .option('--max-seconds <n>', 'begin nothing new after so long (default: until nothing is left)', number)
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => run(command.optsWithGlobals<UpkeepFlags>()))
  upkeep.command('status')
    .description('show what is due, and do nothing')
    .action(async (_flags: unknown, command: Command) => show(command.optsWithGlobals<GlobalFlags>()))
}

async function run(flags: UpkeepFlags): Promise<void> {
  const seconds = flags.maxSeconds ?? Number.POSITIVE_INFINITY
  if (seconds < 0) throw new CommandError(`--max-seconds must not be negative, received ${seconds}.`, { code: 'USAGE', exitCode: 2, next: commandLine('upkeep', '--help') })
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once('SIGINT', stop)
  try {
    const status = await withStore(flags, async (_handle, memory) => {
      await embedUntil(memory, seconds, stopping.signal)
      return memory.upkeep.status()
    })
    if (stopping.signal.aborted) throw new CommandError('stopped. What was done stays done.', { code: 'INTERRUPTED', exitCode: 130, next: commandLine('upkeep', ...whose(flags)) })
    report(status, flags)
  } finally {
    process.off('SIGINT', stop)
  }
}

/** How long it waits before it looks again, while another process is at what is left. */
const pauseForOthersMs = 500

/** Does what is due, a second at a time, with a bar on a terminal, until nothing is left, the model fails, the time is over or it is stopped. */
export async function embedUntil(memory: Memory, seconds: number, signal: AbortSignal): Promise<void> {
  const before = await memory.upkeep.status()
  using bar = embeddingBar(before.backlog.embeddings)
  const until = performance.now() + seconds * 1_000
  while (!signal.aborted) {
    const left = (until - performance.now()) / 1_000
    if (left <= 0) return
    const { settled, embedded, erasures } = await memory.upkeep.run({ maxSeconds: Math.min(1, left) })
    const { backlog, failures } = await memory.upkeep.status()
    if (settled && backlog.embeddings === 0 && backlog.erasures === 0) return
    bar.show(backlog.embeddings)
    const isIdle = embedded === 0 && erasures === 0
    if (isIdle && failures.length > 0) return
    if (isIdle) await new Promise((resolve) => setTimeout(resolve, pauseForOthersMs))
  }
}

async function show(flags: GlobalFlags): Promise<void> {
  report(await withStore(flags, (_handle, memory) => memory.upkeep.status()), flags)
}

function report(status: Status, flags: GlobalFlags): void {
  const { backlog, failures, embedding } = status
  if (failures.length > 0) process.exitCode = 1
  if (flags.json === true) return printJson(status)
  const waiting = embedding === undefined ? 'Vectors are off (VARVE_EMBEDDINGS=off)' : `${counted(backlog.embeddings, 'message')} without a vector`
  print(`${waiting}, ${counted(backlog.erasures, 'erasure')} unfinished.`)
  if (embedding !== undefined) print(harmless(embeddingLine(embedding)))
  for (const { kind, reason, attempts } of failures) print(`${kind}: ${harmless(reason)} (${counted(attempts, 'try', 'tries')})`)
  if (backlog.embeddings > 0) note(`They are found by their words.\nNext: ${commandLine('upkeep', ...whose(flags))}`)
}

function embeddingLine({ name, detail, tokensPerSecond, fasterBy, refused }: NonNullable<Status['embedding']>): string {
  const speed = tokensPerSecond === undefined ? '' : `, ${counted(tokensPerSecond, 'token')} a second`
  const left = refused === 0 ? '' : `; ${counted(refused, 'passage')} refused by the model`
  return `${name}: ${detail}${speed}${left}${fasterBy === undefined ? '' : `; faster with: ${fasterBy}`}`
}
