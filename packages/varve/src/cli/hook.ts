import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { answerHookLine } from './hook-line.ts'
import type { KindOfRun } from './kept-script.ts'

/** The longest input. A prompt may hold a file that was pasted. */
const maxInputBytes = 16 * 1024 * 1024

/** The time for stdin: Claude Code writes it at once. */
const inputMs = 5_000

/** The longest time of the work after a session. */
const upkeepSeconds = 60

/**
 * Runs `varve hook` as a process: exit code 0, whatever happens, and nothing on stdout but an answer that is in time. It does
 * not load the other commands, whose parser would take a tenth of the time that a prompt's hook has.
 */
export async function runHook(args: readonly string[], env: NodeJS.ProcessEnv, begins?: KindOfRun): Promise<never> {
  const debug = (code: string): void => void (env['VARVE_HOOK_DEBUG'] === '1' && process.stderr.write(`varve hook: ${code}\n`))
  const leave = (code: string) => (): never => {
    debug(code)
    process.exit(0)
  }
  // A schema checks one value here: to compile a function for it takes longer.
  z.config({ jitless: true })
  process.removeAllListeners('warning')
  process.stdout.on('error', leave('OUTPUT_FAILED'))
  process.stderr.on('error', leave('OUTPUT_FAILED'))
  process.on('uncaughtException', leave('UNEXPECTED'))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leave(signal))
  const elapsed = (): number => performance.now()
  let timer = setTimeout(leave('INPUT_LATE'), inputMs)
  const within = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(leave('DEADLINE_EXCEEDED'), Math.max(0, ms - elapsed()))
  }
  const stdin = await inputIn(process.stdin)
  const { output, ended } = await answerHookLine({ args, env, stdin, elapsed, within, begins, debug })
  if (output !== undefined) await new Promise<void>((resolve) => process.stdout.write(`${output}\n`, () => resolve()))
  if (ended !== undefined) await startUpkeep(ended, env)
  process.exit(0)
}

/** Reads a stream to its end; undefined when it is too long. */
async function inputIn(stream: NodeJS.ReadableStream): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk)
    bytes += buffer.length
    if (bytes > maxInputBytes) return undefined
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Starts upkeep as a process of its own, which outlives Claude Code: it makes vectors and layers. */
async function startUpkeep(flags: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  // A prompt's hook spares itself the load.
  const [{ spawn }, { constants, setPriority }] = await Promise.all([import('node:child_process'), import('node:os')])
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const args = [main, 'upkeep', '--max-seconds', String(upkeepSeconds), ...flags]
  const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore', env, cwd: '/' })
  child.on('error', () => undefined)
  // The prompts of the next session come first. Its threads get the priority of the one that starts them.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
}
