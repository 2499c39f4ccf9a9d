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
  const bar = await barOnTerminal()
  if (bar === undefined) return { show: () => undefined, [Symbol.dispose]: () => undefined }
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

/** The same for messages that get their vectors, of `total` in all. Ctrl-C ends it: what was done stays done. */
export async function embeddingBar(total: number): Promise<EmbeddingBar> {
  const bar = total === 0 ? undefined : await barOnTerminal()
  if (bar === undefined) return { show: () => undefined, [Symbol.dispose]: () => undefined }
  bar.start('embedding')
  let shown = 0
  return {
    show: (left) => {
      const done = Math.max(shown, Math.floor(((total - left) / total) * 1000))
      bar.advance(done - shown, `${counted(left, 'message')} left to embed`)
      shown = done
    },
    [Symbol.dispose]: () => bar.clear(),
  }
}

async function barOnTerminal() {
  if (!process.stderr.isTTY || process.env['TERM'] === 'dumb') return undefined
  const { progress } = await import('@clack/prompts')
  const size = Math.max(10, Math.min(longestBar, process.stderr.columns - roomForText))
  return progress({ output: process.stderr, max: 1000, size, withGuide: false })
}
