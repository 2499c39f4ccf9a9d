import { type Command, CommanderError } from 'commander'
import { shownStore } from '../memory/stores/standing-store.ts'
import { CommandError } from './command-error.ts'
import { addCommands, commandNamed } from './commands.ts'
import type { GlobalFlags } from './global-flags.ts'
import type { Manifest } from './manifest.ts'
import { thisLine } from './next-command.ts'
import { storeFile } from './open-store.ts'
import { printOverview } from './overview.ts'
import { programOf } from './program.ts'
import { type CommandPlace, reportFailure } from './report-failure.ts'
import { type Shell, shell, typedIn } from './shell.ts'

/** Runs the process's command line; leaves its outcome in the exit code. */
export async function runCommandLine(args: readonly string[], manifest: Manifest): Promise<void> {
  const json = args.includes('--json')
  process.stdout.on('error', (error) => endOfOutput(error, json))
  // Nobody reads stderr any more: the command goes on with its work.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => error.code === 'EPIPE' || process.exit(1))
  await runTyped(manifest)
}

/** Runs a command line within another program, and gives back its exit code. Its output goes to the shell's streams. */
export function runIn(where: Shell, manifest: Manifest): Promise<number> {
  return typedIn(where, async () => {
    await runTyped(manifest)
    return where.exitCode ?? 0
  })
}

async function runTyped(manifest: Manifest): Promise<void> {
  const { args } = shell()
  const json = args.includes('--json')
  const program = programOf(manifest, shell(), json)
  if (isAlone(args)) program.action(() => printOverview(program.opts<GlobalFlags>(), manifest))
  else await addCommands(program, args, manifest)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    shell().exitCode = reportFailure(error, placeOf(program), json)
  }
}

/** Tells whether `varve` was typed on a terminal without a command. A program that did so gets the help as an error. */
function isAlone(args: readonly string[]): boolean {
  const asks = ['--json', '--help', '-h', '--version', '-V']
  return shell().stdout.isTTY === true && commandNamed(args) === undefined && !args.some((arg) => asks.includes(arg))
}

/** Ends the process when stdout fails. A closed pipe is no failure: its reader has seen enough. A full disk is one. */
function endOfOutput(error: NodeJS.ErrnoException, json: boolean): void {
  if (error.code === 'EPIPE') {
    if (shell().goesOn === true) return
    process.exit(0)
  }
  const failure = new CommandError(
    `stdout cannot be written (${error.message}).`,
    { code: 'OUTPUT_FAILED', exitCode: 1, next: thisLine() },
    { cause: error },
  )
  process.exit(reportFailure(failure, { command: undefined, file: defaultStore, flags: {} }, json))
}

function placeOf(program: Command): CommandPlace {
  const command = program.commands.find((known) => known.name() === program.args[0])?.name()
  const flags = program.opts<GlobalFlags>()
  return { command, flags, file: fileOf(flags) }
}

/** Gives the store of the line, as far as it can be told: the name of the store may be the error. */
function fileOf({ store }: GlobalFlags): string {
  try {
    return shownStore(storeFile(store === undefined ? {} : { store }))
  } catch (error) {
    return error instanceof Error ? shownStore(store ?? defaultStore) : defaultStore
  }
}

const defaultStore = './varve.db'
