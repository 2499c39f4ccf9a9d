import { Command, CommanderError, type Option } from 'commander'
import { CommandError } from './command-error.ts'
import { commandsFor } from './commands.ts'
import type { GlobalFlags } from './global-flags.ts'
import type { Manifest } from './manifest.ts'
import { thisLine } from './next-command.ts'
import { storeFile } from './open-store.ts'
import { isOfField } from './operation-flags.ts'
import { type CommandPlace, reportFailure } from './report-failure.ts'
import { type Shell, shell, typedIn } from './shell.ts'

const after = `
Data goes to stdout, everything else to stderr. Times are UTC.
Exit codes: 0 done (also when nothing was found), 1 it failed, 2 wrong usage,
130 stopped with Ctrl-C.

Begin with:
  $ varve import conversations.json
  $ varve recall "where does the spare key hang?"`

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
  const program = programOf(manifest, json)
  for (const add of await commandsFor(args)) add(program, manifest)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    shell().exitCode = reportFailure(error, placeOf(program), json)
  }
}

/** Ends the process when stdout fails. A closed pipe is no failure: its reader has seen enough. A full disk is one. */
function endOfOutput(error: NodeJS.ErrnoException, json: boolean): void {
  if (error.code === 'EPIPE') process.exit(0)
  const failure = new CommandError(
    `stdout cannot be written (${error.message}).`,
    { code: 'OUTPUT_FAILED', exitCode: 1, next: thisLine() },
    { cause: error },
  )
  process.exit(reportFailure(failure, { command: undefined, file: defaultStore, flags: {} }, json))
}

function programOf(manifest: Manifest, json: boolean): Command {
  const program = new Command('varve')
    .description(
      'Long-term memory for LLM agents: every conversation kept verbatim in one SQLite file, found again, and fitted into a token budget.',
    )
    .version(manifest.version, '-V, --version', 'prints the version')
    .option('--store <path>', 'the store: a path or sqlite:path (default: VARVE_STORE, then ./varve.db)')
    .option('--project <name>', 'the project (default: default)')
    .option('--user <name>', 'the user of the memory (default: the anonymous user)')
    .option('--notes-directory <path>', 'the folder of notes as files, to read and edit (default: VARVE_NOTES_DIRECTORY, then none)')
    .option('--json', 'prints JSON: the data on stdout, an error on stderr')
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions, minWidthToWrap: 30 })
    .configureOutput({
      // reportFailure prints each error, once. Help that nobody asked for goes beside it.
      outputError: () => undefined,
      writeErr: (text) => void (json || shell().stderr.write(`${text}\n`)),
      writeOut: (text) => void shell().stdout.write(text),
    })
    .exitOverride()
    .addHelpText('after', after)
  return program
}

/** Lists the flags of all commands above. Leaves out flags of fields, such as --limit of a list: they belong to one command. */
function visibleGlobalOptions({ parent }: Command): Option[] {
  return parent === null ? [] : [...parent.options.filter((option) => !isOfField(option)), ...visibleGlobalOptions(parent)]
}

function placeOf(program: Command): CommandPlace {
  const command = program.commands.find((known) => known.name() === program.args[0])?.name()
  const flags = program.opts<GlobalFlags>()
  return { command, flags, file: fileOf(flags) }
}

/** Gives the store of the line, as far as it can be told: the name of the store may be the error. */
function fileOf({ store }: GlobalFlags): string {
  try {
    return storeFile(store === undefined ? {} : { store })
  } catch (error) {
    return error instanceof Error ? (store ?? defaultStore) : defaultStore
  }
}

const defaultStore = './varve.db'
