import { AsyncLocalStorage } from 'node:async_hooks'
import type { Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'

/**
 * Where a command is typed: its line, its streams, and its environment. A command reads and writes nothing else, so
 * that it can run within another program.
 */
export interface Shell {
  /** The words of the line, after the program's name. */
  readonly args: readonly string[]
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the command comes to; 0 where nothing is said. */
  exitCode?: number | undefined
}

/** A terminal, or a stream that is none. */
export type Output = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

const typed = new AsyncLocalStorage<Shell>()

/** The process's own shell. */
function processShell(): Shell {
  return {
    args: process.argv.slice(2),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    get exitCode() {
      return Number(process.exitCode ?? 0)
    },
    set exitCode(code: number | undefined) {
      process.exitCode = code
    },
  }
}

let own: Shell | undefined

/** Where the command that runs was typed. */
export function shell(): Shell {
  return typed.getStore() ?? (own ??= processShell())
}

/** Runs something as if it were typed in a shell. */
export function typedIn<Result>(where: Shell, run: () => Promise<Result>): Promise<Result> {
  return typed.run(where, run)
}
