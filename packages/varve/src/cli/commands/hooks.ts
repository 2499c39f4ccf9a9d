import { type Command, Option } from 'commander'
import { projectOfFolder } from '../../integrations/claude-code/folder-project.ts'
import { wrongUsage } from '../command-error.ts'
import { changeFile, type ChangeFlags } from '../clients/change-file.ts'
import { claudeSettings, hasHooks, hookEntry, hooksAgain, shownHooks, withHooks, withoutHooks } from '../clients/claude-hooks.ts'
import type { ClientScope } from '../clients/client-places.ts'
import { addScope, machineHere } from '../clients/scope-flags.ts'
import { checkServer, type CommandFlags, ownCommand } from '../clients/own-command.ts'
import type { Manifest } from '../manifest.ts'
import { commandLine } from '../next-command.ts'

const after = `
Claude Code then asks memory at the start of a session and with each prompt, and
keeps what was said when a turn or a session ends. Whose memory it is stands in
the written line: --user, --project and --store, or the variables. Without
--project it says --project . and each repository is a project of its own, named
by its folder's path: the same as that of varve mcp install claude-code.
With --url a running server is asked, which finds by meaning too; its key stays
in VARVE_KEY.

  $ varve hooks install claude-code --user ada
  $ varve hooks install claude-code --scope project --project kiosk --dry-run
  $ varve hooks uninstall claude-code`

interface HooksFlags extends CommandFlags, ChangeFlags {
  readonly scope: ClientScope
  readonly deadlineMs?: string
  readonly upkeep?: boolean
}

export function addHooks(program: Command, manifest: Manifest): void {
  const hooks = program.command('hooks').description('writes hooks into the settings of Claude Code, so that it has a memory')
  addScope(hooks.command('install'), ['user', 'project', 'local'])
    .description('writes the hooks: shows the changed lines and asks first')
    .argument('<client>', 'claude-code')
    .option('--url <url>', 'a server of Varve to ask in place of a store, with the key in VARVE_KEY')
    .option('--deadline-ms <ms>', 'the longest wait of a prompt for its memory (default: 300)')
    .option('--no-upkeep', 'starts no background work when a session has ended or is compacted')
    .addOption(new Option('--npx', 'writes npx and this version, in place of the path of this installation'))
    .addHelpText('after', after)
    .action(async (client: string, _own: object, command: Command) => install(client, command.optsWithGlobals<HooksFlags>(), manifest))
  addScope(hooks.command('uninstall'), ['user', 'project', 'local'])
    .description('takes out exactly the hooks that install wrote')
    .argument('<client>', 'claude-code')
    .action(async (client: string, _own: object, command: Command) => uninstall(client, command.optsWithGlobals<HooksFlags>()))
}

function checkClient(client: string): void {
  if (client !== 'claude-code') throw wrongUsage(`no hooks are known for ${client}: claude-code is.`, commandLine('hooks', '--help'))
}

async function install(client: string, flags: HooksFlags, manifest: Manifest): Promise<void> {
  checkClient(client)
  const help = commandLine('hooks', '--help')
  checkServer(flags, help)
  if (flags.notesDirectory !== undefined) throw wrongUsage('a hook keeps no notes as files: leave out --notes-directory.', help)
  const machine = machineHere()
  const deadline = flags.deadlineMs === undefined ? [] : ['--deadline-ms', wholeMs(flags.deadlineMs)]
  const upkeep = flags.upkeep === false ? ['--no-upkeep'] : []
  const entry = hookEntry(
    ownCommand(['hook', 'claude-code', ...deadline, ...upkeep], { project: projectOfFolder, ...flags }, manifest),
    machine.platform,
  )
  const change = {
    file: claudeSettings(machine, flags.scope),
    edit: (text: string) => withHooks(text, entry),
    has: hasHooks,
    shown: shownHooks,
    done: () => 'Installed',
  }
  await changeFile(change, flags)
}

async function uninstall(client: string, flags: HooksFlags): Promise<void> {
  checkClient(client)
  const change = {
    file: claudeSettings(machineHere(), flags.scope),
    edit: (text: string) => (hasHooks(text) ? withoutHooks(text) : text),
    has: hasHooks,
    shown: shownHooks,
    again: hooksAgain,
    done: () => 'Removed',
  }
  await changeFile(change, flags)
}

function wholeMs(text: string): string {
  if (/^[1-9]\d{0,4}$/.test(text)) return text
  throw wrongUsage(`--deadline-ms must be a whole number of milliseconds up to 99999, received ${text}.`, commandLine('hooks', '--help'))
}
