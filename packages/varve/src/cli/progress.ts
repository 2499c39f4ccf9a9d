import { clearLine, cursorTo } from 'node:readline'
import type { ImportProgress } from '../importers/importer.ts'
import type { Memory } from '../memory/memory.ts'
import type { CommandError } from './command-error.ts'
import { counted, note } from './terminal.ts'
import { shell } from './shell.ts'

export interface ProgressBar extends Disposable {
  readonly show: (progress: ImportProgress) => void
}

/** The work that waits: messages without a vector, and sessions to read for each layer. */
type Backlog = Awaited<ReturnType<Memory['upkeep']['status']>>['backlog']

export interface UpkeepBar extends Disposable {
  /** Shows the work that waits now. */
  readonly show: (backlog: Backlog) => void
}

const longestBar = 40
const roomForText = 36

/**
 * Shows a bar on stderr when that is a terminal. The bar gets Ctrl-C as a key, and ends the process as if all were
 * done. `stopped` makes the error that is told in its place.
 */
export async function progressBar(stopped: () => CommandError): Promise<ProgressBar> {
  if (!isTerminal()) return { show: () => undefined, [Symbol.dispose]: () => undefined }
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

/**
 * Shows the progress of upkeep since `before`, when stderr is a terminal. It shows a line: a bar that ended the process
 * at Ctrl-C would leave a claim behind.
 */
export function upkeepBar(before: Backlog): UpkeepBar {
  if (!isTerminal()) return { show: () => undefined, [Symbol.dispose]: () => undefined }
  return {
    show: (backlog) => {
      clearLineOnTerminal()
      shell().stderr.write(upkeepLine(before, backlog))
    },
    [Symbol.dispose]: clearLineOnTerminal,
  }
}

/** Clears the line that a bar has shown, before something else is written. */
export function clearLineOnTerminal(): void {
  if (isTerminal()) void (clearLine(shell().stderr, 0) && cursorTo(shell().stderr, 0))
}

function upkeepLine({ embeddings: total }: Backlog, { embeddings, erasures: _erasures, edits: _edits, ...byLayer }: Backlog): string {
  const sessions = Math.max(...Object.values(byLayer))
  const done = total === 0 ? '' : `${Math.floor(((total - Math.min(embeddings, total)) / total) * 100)} % embedded, `
  return [
    ...(embeddings > 0 ? [`${done}${counted(embeddings, 'message')} left`] : []),
    ...(sessions > 0 ? [`${counted(sessions, 'session')} to read`] : []),
  ].join('; ')
}

function isTerminal(): boolean {
  return shell().stderr.isTTY === true && shell().env['TERM'] !== 'dumb'
}
