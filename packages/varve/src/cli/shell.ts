import { AsyncLocalStorage } from 'node:async_hooks'
import type { Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'

/**
 * The surroundings of a command: its line, its streams, and its environment. A command uses no others, so that it can
 * run within another program.
 */
export interface Shell {
  /** The words of the line, after the program's name. */
  readonly args: readonly string[]
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** The exit code of the command. Default: 0. */
  exitCode?: number | undefined
  /** True: the command goes on with its work when nobody reads its output any more. */
  goesOn?: boolean
}

/** A terminal, or another stream. */
export type Output = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

const typed = new AsyncLocalStorage<Shell>()

/** Makes the shell of this process. */
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

/** Gives the shell of the running command. */
export function shell(): Shell {
  return typed.getStore() ?? (own ??= processShell())
}

/** Runs a function as a command that was typed in a shell. */
export function typedIn<Result>(where: Shell, run: () => Promise<Result>): Promise<Result> {
  return typed.run(where, run)
}
