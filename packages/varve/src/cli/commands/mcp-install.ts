import { resolve } from 'node:path'
import { Argument, type Command, Option } from 'commander'
import { projectHere, projectOfFolder } from '../../integrations/claude-code/folder-project.ts'
import { wrongUsage } from '../command-error.ts'
import { changeFile, type ChangeFlags, type FileChange } from '../clients/change-file.ts'
import type { ClientScope } from '../clients/client-places.ts'
import { hasServer, mcpClientNamed, mcpClientNames, serverAgain, shownServer, withoutServer, withServer } from '../clients/mcp-clients.ts'
import { checkServer, type CommandFlags, ownCommand } from '../clients/own-command.ts'
import { refuseUnheeded } from '../add-command.ts'
import { addScope, machineHere } from '../clients/scope-flags.ts'
import type { Manifest } from '../manifest.ts'
import type { Fields } from '../../operations/operation.ts'
import { parseInput } from '../../operations/parse.ts'
import { isOfField } from '../operation-flags.ts'
import { commandLine } from '../next-command.ts'
import { shell } from '../shell.ts'

const after = `
Whose memory it is stands in the written line: --user, --project and --store, or
the variables. So do the server's own flags, such as --read-only. No key is
written. For Claude Code the usual project is that of the folder (--project .),
as with its hooks.

  $ varve mcp install cursor --user ada
  $ varve mcp install codex --user ada --read-only --dry-run
  $ varve mcp uninstall cursor`

interface InstallFlags extends CommandFlags, ChangeFlags {
  readonly scope: ClientScope
}

type KnownClient = NonNullable<ReturnType<typeof mcpClientNamed>>

/** Adds `install` and `uninstall` to the command `mcp`, whose own flags have these fields. */
export function addMcpInstall(mcp: Command, server: { readonly input: () => Fields }, manifest: Manifest): void {
  const client = (): Argument => new Argument('<client>', 'the program').choices(mcpClientNames)
  addScope(mcp.command('install'), ['user', 'project'])
    .description("writes this server into the settings of an agent's program: shows the changed lines and asks first")
    .addArgument(client())
    .addOption(new Option('--npx', 'writes npx and this version, in place of the path of this installation'))
    .addHelpText('after', after)
    .action(async (name: string, _own: object, command: Command) => {
      parseInput(server, mcp.opts())
      await install(name, serverFlags(mcp), command.optsWithGlobals<InstallFlags>(), manifest)
    })
  addScope(mcp.command('uninstall'), ['user', 'project'])
    .description('takes out exactly what install wrote')
    .addArgument(client())
    .action(async (name: string, _own: object, command: Command) => {
      refuseUnheeded(command, {})
      await uninstall(name, command.optsWithGlobals<InstallFlags>())
    })
}

/** Gives the typed flags that are the server's own, as its line has them. The line names the place of the memory itself. */
function serverFlags(mcp: Command): readonly string[] {
  return mcp.options.flatMap((option) => {
    const name = option.attributeName()
    if (!isOfField(option) || name === 'url' || mcp.getOptionValueSource(name) !== 'cli') return []
    const value: unknown = mcp.getOptionValue(name)
    return value === true ? [`${option.long}`] : [`${option.long}`, String(value)]
  })
}

async function install(name: string, server: readonly string[], flags: InstallFlags, manifest: Manifest): Promise<void> {
  const { client, file } = clientOf(name, flags)
  const help = commandLine('mcp', 'install', '--help')
  checkServer(flags, help)
  const { notesDirectory: folder, url } = flags
  if (folder !== undefined && url !== undefined) throw wrongUsage('--url and --notes-directory exclude each other.', help)
  const notes = folder === undefined ? [] : ['--notes-directory', resolve(folder)]
  const entry = ownCommand(['mcp', ...server, ...notes], { ...flags, ...projectFor(client, flags) }, manifest)
  const done = `Installed for ${client.title}, which reads it when it starts`
  await changeFile({ ...entryOf(client, file), edit: (text) => withServer(client, text, entry), done: () => done }, flags)
}

async function uninstall(name: string, flags: InstallFlags): Promise<void> {
  const { client, file } = clientOf(name, flags)
  const change = {
    ...entryOf(client, file),
    edit: (text: string, copy?: string) => withoutServer(client, text, copy),
    again: (before: string, now: string) => serverAgain(client, before, now),
    done: (after: string) => (shownServer(client, after) === '' ? 'Removed' : 'Your earlier entry is back'),
  }
  await changeFile(change, flags)
}

function entryOf(client: KnownClient, file: string): Pick<FileChange, 'file' | 'has' | 'shown'> {
  return { file, has: (text) => hasServer(client, text), shown: (text) => shownServer(client, text) }
}

/** Claude Code starts a server in the folder in which a person works. Others start it anywhere: their `.` is this folder. */
function projectFor({ startsInFolder }: KnownClient, { project }: InstallFlags): Pick<InstallFlags, 'project'> {
  if (startsInFolder) return { project: project ?? projectOfFolder }
  return project === projectOfFolder ? { project: projectHere(shell().env) } : {}
}

function clientOf(name: string, { scope }: InstallFlags): { readonly client: KnownClient; readonly file: string } {
  const client = mcpClientNamed(name)
  const file = client?.file(machineHere(), scope)
  if (client !== undefined && file !== undefined) return { client, file }
  throw wrongUsage(`${client?.title ?? name} has no settings of a project: leave out --scope.`, commandLine('mcp', 'install', '--help'))
}
