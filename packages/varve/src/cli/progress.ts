import { clearLine, cursorTo } from 'node:readline'
import type { ImportProgress } from '../importers/importer.ts'
import type { CommandError } from './command-error.ts'
import { sessionsToRead, dueWork, type ShownUpkeepStatus } from './render/due-work.ts'
import { counted, note } from './terminal.ts'
import { shell } from './shell.ts'

export interface ProgressBar extends Disposable {
  readonly show: (progress: ImportProgress) => void
}

export interface UpkeepBar extends Disposable {
  /** Shows the work that waits now. */
  readonly show: (status: ShownUpkeepStatus) => void
}

/** The work that a bar is about. */
interface ShownWork {
  /** Sessions that may go on are read too. */
  readonly all?: boolean | undefined
  /** Only vectors are made. */
  readonly embeds?: boolean
}

const longestBar = 40
const roomForText = 36

/** The pause between two lines in a pipe or a log. */
const lineEveryMs = 5_000

/** Prints a line to stderr every few seconds, when it has changed. With --json it prints none. */
function plainLines(line: () => string | undefined): Disposable {
  if (shell().args.includes('--json')) return { [Symbol.dispose]: () => undefined }
  let printed: string | undefined
  const timer = setInterval(() => {
    const now = line()
    if (now !== undefined && now !== printed) note(now)
    printed = now
  }, lineEveryMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Prints a line to stderr every few seconds, when it has changed: for work whose end is not known. */
export const countLine = plainLines

/**
 * Shows a bar on stderr when that is a terminal, else a line now and then. The bar gets Ctrl-C as a key, and ends the
 * process as if all were done. `stopped` makes the error that is told in its place.
 */
export async function progressBar(stopped: () => CommandError): Promise<ProgressBar> {
  if (!isTerminal()) return plainImport()
  const { progress } = await import('@clack/prompts')
  const size = Math.max(10, Math.min(longestBar, (shell().stderr.columns ?? 0) - roomForText))
  const bar = progress({ output: shell().stderr, max: 1000, size, withGuide: false })
  const onExit = (code: number): void => {
    if (code !== 0) return
    const { message, next, exitCode } = stopped()
    note(`varve: ${message}\nNext: ${next}`)
    shell().exitCode = exitCode
  }
  bar.start('reading')
  process.on('exit', onExit)
  let shown = 0
  return {
    show: ({ bytes, totalBytes, messages }) => {
      const done = totalBytes === 0 ? 1000 : Math.floor((Math.min(bytes, totalBytes) / totalBytes) * 1000)
      bar.advance(done - shown, counted(messages, 'message'))
      shown = done
    },
    [Symbol.dispose]: () => {
      process.off('exit', onExit)
      bar.clear()
    },
  }
}

/** Tells the progress of an import in lines. A usual import is done before the first. */
function plainImport(): ProgressBar {
  let latest: ImportProgress | undefined
  const lines = plainLines(() => {
    if (latest === undefined) return undefined
    const { bytes, totalBytes, messages } = latest
    return `varve: ${totalBytes === 0 ? '' : `${percentOf(bytes, totalBytes)} % read, `}${counted(messages, 'message')}.`
  })
  return { show: (progress) => void (latest = progress), [Symbol.dispose]: () => lines[Symbol.dispose]() }
}

function percentOf(done: number, total: number): number {
  return Math.floor((Math.min(done, total) / total) * 100)
}

/**
 * Shows the progress of upkeep since `before`: on a terminal a line that changes, else lines for a log. A bar that ended
 * the process at Ctrl-C would leave a claim behind.
 */
export function upkeepBar(before: ShownUpkeepStatus, work: ShownWork): UpkeepBar {
  if (!isTerminal()) return plainUpkeep(before, work)
  return {
    show: (status) => {
      clearLineOnTerminal()
      shell().stderr.write(upkeepLine(before, shown(status, work)))
    },
    [Symbol.dispose]: clearLineOnTerminal,
  }
}

function plainUpkeep(before: ShownUpkeepStatus, work: ShownWork): UpkeepBar {
  let latest = before
  const lines = plainLines(() => {
    const due = dueWork(shown(latest, work))
    return due === undefined ? undefined : `varve: left to do: ${due}.`
  })
  return { show: (status) => void (latest = status), [Symbol.dispose]: () => lines[Symbol.dispose]() }
}

/** Leaves out of a status the work that this run does not do. */
function shown(status: ShownUpkeepStatus, { all = false, embeds = false }: ShownWork): ShownUpkeepStatus {
  if (embeds) return { ...status, backlog: { ...status.backlog, notes: 0, edits: 0 }, waiting: { sessions: Number.POSITIVE_INFINITY } }
  return all ? { ...status, waiting: { sessions: 0 } } : status
}

/** Clears the line that a bar has shown, before something else is written. */
export function clearLineOnTerminal(): void {
  if (isTerminal()) void (clearLine(shell().stderr, 0) && cursorTo(shell().stderr, 0))
}

function upkeepLine({ backlog: { embeddings: total } }: ShownUpkeepStatus, status: ShownUpkeepStatus): string {
  const { embeddings } = status.backlog
  const sessions = sessionsToRead(status)
  const done = total === 0 ? '' : `${percentOf(total - Math.min(embeddings, total), total)} % embedded, `
  return [
    ...(embeddings > 0 ? [`${done}${counted(embeddings, 'message')} left`] : []),
    ...(sessions > 0 ? [`${counted(sessions, 'session')} to read`] : []),
  ].join('; ')
}

function isTerminal(): boolean {
  return shell().stderr.isTTY === true && shell().env['TERM'] !== 'dumb'
}
