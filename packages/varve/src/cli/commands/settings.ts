import type { Command } from 'commander'
import { layerSwitches } from '../../memory/configuration.ts'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { defaultProject } from '../../scope/scope.ts'
import { CommandError } from '../command-error.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { settledReceipt, tellReceipt } from '../render/receipt.ts'
import { predicatePrefix, namedProjectSettings, settingNamed, possibleSettings, shareName, switched, toggle } from '../setting-names.ts'
import { harmless, note, paint, paragraph, print, printJson } from '../terminal.ts'

const names = [
  'Settings of a project: timeZone,',
  layerSwitches.map(({ name }) => `layers.${name},`).join(' '),
  'bank.maxTokens, ceiling.calls, ceiling.tokens (both of one local day), notes.firstTokens, notes.growthTokens, notes.toolCalls',
  '(when notes are due), notes.sectionTokens, notes.maxTokens (how long they may be), and predicates.<words>: single (one object at',
  'a time) or multi. Of the user: share, whether sessions of which nothing is said feed what the project shares.',
].join(' ')

const after = `
${paragraph(names, { indent: '', width: 80 }).join('\n')}

  $ varve settings set timeZone Europe/Berlin
  $ varve settings set layers.notes on --project kiosk
  $ varve settings set 'predicates.parks at' single
  $ varve settings set share off --user ada
  $ varve settings unset ceiling.calls`

export function addSettings(program: Command): void {
  const settings = program
    .command('settings')
    .description("show a project's settings, and the user's own; set or unset one")
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => show(command.optsWithGlobals<GlobalFlags>()))
  settings
    .command('set')
    .description('set a setting')
    .argument('<name>', 'one of those below')
    .argument('<value>', 'on or off, single or multi, a number, or an IANA time zone')
    .action(async (name: string, value: string, _flags: unknown, command: Command) =>
      change(name, value, command.optsWithGlobals<GlobalFlags>()),
    )
  settings
    .command('unset')
    .description('take a setting back to its default')
    .argument('<name>')
    .action(async (name: string, _flags: unknown, command: Command) => change(name, undefined, command.optsWithGlobals<GlobalFlags>()))
}

async function show(flags: GlobalFlags): Promise<void> {
  tell(await withStore(flags, (handle, memory) => allOf(handle, memory, flags)), flags)
}

async function change(name: string, value: string | undefined, flags: GlobalFlags): Promise<void> {
  const setting = settingNamed(name)
  if (setting === undefined && name !== shareName) {
    throw new CommandError(
      `there is no setting ${JSON.stringify(name)}; there are ` +
        `${[...Object.keys(namedProjectSettings), `${predicatePrefix}<words>`, shareName].join(', ')}.`,
      { code: 'USAGE', exitCode: 2, next: commandLine('settings', '--help') },
    )
  }
  const changed = await withStore(
    flags,
    async (handle, memory) => {
      const { settings } = memory.project(flags.project ?? defaultProject)
      if (setting !== undefined) {
        await settings.set(setting.change(await settings.get(), value))
        return allOf(handle, memory, flags)
      }
      const { receipt } = await handle.settings.set({ share: value === undefined || toggle(value) })
      return { ...(await allOf(handle, memory, flags)), receipt: await settledReceipt(receipt, memory) }
      // A project's settings concern no user, so nobody's isolation.
    },
    setting === undefined ? {} : { isolation: 'silent' },
  )
  tell(changed, flags)
  if (name === 'timeZone' && flags.json !== true)
    note(
      `Entries of banks that are there keep their days until they are made anew.\nNext: ${commandLine('bank', 'rebuild', ...whose(flags))}`,
    )
}

interface AllSettings {
  readonly project: string
  readonly settings: Awaited<ReturnType<ReturnType<Memory['project']>['settings']['get']>>
  readonly user: Awaited<ReturnType<UserMemory['settings']['get']>>
  /** Of what was withdrawn from what the project shares. */
  readonly receipt?: Awaited<ReturnType<Memory['receipts']['get']>> | undefined
}

async function allOf(handle: UserMemory, memory: Memory, flags: GlobalFlags): Promise<AllSettings> {
  const project = flags.project ?? defaultProject
  return { project, settings: await memory.project(project).settings.get(), user: await handle.settings.get() }
}

function tell({ project, settings, user, receipt }: AllSettings, flags: GlobalFlags): void {
  if (flags.json === true) return printJson({ project, settings, user, receipt })
  const named = possibleSettings(settings)
  const width = Math.max(...named.map(([name]) => name.length))
  print(paint('bold', `project ${harmless(project)}`))
  for (const [name, { usual, read }] of named) print(`  ${harmless(name).padEnd(width)}  ${told(read(settings), usual)}`)
  print(paint('bold', flags.user === undefined ? 'the anonymous user' : `user ${harmless(flags.user)}`))
  print(`  ${shareName.padEnd(width)}  ${switched(user.share)}`)
  if (receipt !== undefined) tellReceipt('Withdrawn', receipt)
}

function told(value: string | undefined, usual: string): string {
  return value === undefined ? paint('dim', `${usual} (default)`) : harmless(value)
}
