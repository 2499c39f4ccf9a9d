import { clearLine, cursorTo } from 'node:readline'
import type { ImportProgress } from '../importers/importer.ts'
import type { CommandError } from './command-error.ts'
import { counted, note } from './terminal.ts'

export interface ProgressBar extends Disposable {
  readonly show: (progress: ImportProgress) => void
}

export interface EmbeddingBar extends Disposable {
  /** How many messages wait now. */
  readonly show: (left: number) => void
}

const longestBar = 40
const roomForText = 36

/**
 * A bar on stderr when that is a terminal, else nothing. While it is there, the terminal gives Ctrl-C to the bar as a
 * key, and the bar ends the process as if all were done: `stopped` says what to tell instead.
 */
export async function progressBar(stopped: () => CommandError): Promise<ProgressBar> {
  if (!isTerminal()) return { show: () => undefined, [Symbol.dispose]: () => undefined }
  const { progress } = await import('@clack/prompts')
  const size = Math.max(10, Math.min(longestBar, process.stderr.columns - roomForText))
  const bar = progress({ output: process.stderr, max: 1000, size, withGuide: false })
  const onExit = (code: number): void => {
    if (code !== 0) return
    const { message, next, exitCode } = stopped()
    note(`varve: ${message}\nNext: ${next}`)
    process.exitCode = exitCode
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

/** The same for messages that get their vectors, of `total` in all. Here the bar's own end by Ctrl-C would leave a claim behind: a line is shown instead. */
export function embeddingBar(total: number): EmbeddingBar {
  if (total === 0 || !isTerminal()) return { show: () => undefined, [Symbol.dispose]: () => undefined }
  const clear = (): void => void (clearLine(process.stderr, 0) && cursorTo(process.stderr, 0))
  return {
    show: (left) => {
      clear()
      process.stderr.write(`${Math.floor(((total - Math.min(left, total)) / total) * 100)} % embedded, ${counted(left, 'message')} left`)
    },
    [Symbol.dispose]: clear,
  }
}

function isTerminal(): boolean {
  return process.stderr.isTTY && process.env['TERM'] !== 'dumb'
}
