import { Command, Help, type Option } from 'commander'
import { projectHere, projectOfFolder } from '../integrations/claude-code/folder-project.ts'
import { storeHeading } from './commands.ts'
import type { Manifest } from './manifest.ts'
import { isOfField } from './operation-flags.ts'
import type { Shell } from './shell.ts'

const afterProgram = `
Each command has more help: varve recall --help. Data goes to stdout, everything
else to stderr. Times are UTC. Exit codes: 0 done (also when nothing was found),
1 it failed, 2 wrong usage, 130 stopped with Ctrl-C.

Begin with:
  $ varve import conversations.json
  $ varve recall "where does the spare key hang?"`

/** Makes the program without its commands. Its output goes to the streams of the shell. */
export function programOf(manifest: Manifest, { stdout, stderr, env }: Pick<Shell, 'stdout' | 'stderr' | 'env'>, json: boolean): Command {
  const program = new Command('varve')
    .description(
      'Long-term memory for LLM agents: every conversation kept verbatim in one SQLite file, found again, and fitted into a token budget.',
    )
    .optionsGroup('Options of every command:')
    .option('--store <path>', 'the file of the store (default: VARVE_STORE, then ./varve.db)')
    .option('--project <name>', 'the project, . for that of this folder (default: VARVE_PROJECT, then default)')
    .option('--user <name>', 'whose memory (default: VARVE_USER, then the anonymous user)')
    .option('--notes-directory <path>', 'notes as files, to read and edit (default: VARVE_NOTES_DIRECTORY, then none)')
    .option('--json', 'prints JSON: data on stdout, an error on stderr')
    .optionsGroup('Options:')
    .version(manifest.version, '-V, --version', 'prints the version')
    .helpOption('-h, --help', 'prints help')
    .commandsGroup(storeHeading)
    .helpCommand('help [command]', 'prints the help of a command')
    .configureHelp({ visibleOptions, subcommandTerm, minWidthToWrap: 30 })
    .configureOutput({
      // reportFailure prints each error, once. Help that nobody asked for goes beside it.
      outputError: () => undefined,
      writeErr: (text) => void (json || stderr.write(`${text}\n`)),
      writeOut: (text) => void stdout.write(text),
    })
    .exitOverride()
  // The program's own help has these flags in full.
  program.addHelpText('afterAll', ({ command }) => (command === program ? afterProgram : `\n${everyCommand(program)}`))
  fromEnvironment(program, env)
  return program.hook('preAction', (_program, command) => nameFolder(program, command, env))
}

/** Names the project of this folder in place of `--project .`. An installed line keeps the sign: it runs in other folders. */
function nameFolder(program: Command, command: Command, env: Shell['env']): void {
  if (program.getOptionValue('project') !== projectOfFolder || command.name() === 'install') return
  program.setOptionValueWithSource('project', projectHere(env), program.getOptionValueSource('project'))
}

/** The variables that stand for a flag. A blank one counts as absent, as everywhere. VARVE_STORE is read where the store is opened. */
const variables = { project: 'VARVE_PROJECT', user: 'VARVE_USER' } as const

function fromEnvironment(program: Command, env: Shell['env']): void {
  for (const [flag, variable] of Object.entries(variables)) {
    const value = env[variable]
    if (value !== undefined && value !== '') program.setOptionValueWithSource(flag, value, 'env')
  }
}

/** Names the flags of every command in a line of help. */
function everyCommand({ options }: Command): string {
  const flags = options.flatMap(({ long }) => (long === undefined || long === null || long === '--version' ? [] : [long]))
  return `Also ${flags.join(', ')}: see varve --help.`
}

/**
 * Lists the flags of a command, and those of a command above that hold for it too, such as --shared of blocks. Flags of
 * fields, such as --limit of a list, belong to one command. Flags of every command stand in the program's help alone.
 */
function visibleOptions(command: Command): Option[] {
  const own = new Help().visibleOptions(command)
  return [...own.slice(0, -1), ...flagsAbove(command), ...own.slice(-1)]
}

function flagsAbove({ parent }: Command): Option[] {
  if (parent === null || parent.parent === null) return []
  return [...parent.options.filter((option) => !isOfField(option)), ...flagsAbove(parent)]
}

/** Shows a command in a list: its name and its places. */
function subcommandTerm(command: Command): string {
  return new Help().subcommandTerm(command).replace(' [options]', '')
}
