import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { text } from '../../operations/fields.ts'
import { projectSettingsOperations } from '../../operations/project.ts'
import { addCommand } from '../add-command.ts'
import { wrongUsage } from '../command-error.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { defaultProject } from '../../scope/scope.ts'
import { settledReceipt, tellReceipt } from '../render/receipt.ts'
import { changeOf, namedSettings, settingLines, settingNamed, settingsHelp, settingValue, shareName } from '../setting-names.ts'
import { harmlessLine, note, paint, print, printJson } from '../terminal.ts'

const after = `
Settings of a project, and share, the user's own:
${settingsHelp()}

  $ varve settings set timeZone Europe/Berlin
  $ varve settings set layers.notes on --project kiosk
  $ varve settings set 'predicates.parks at' single
  $ varve settings set share off --user ada
  $ varve settings unset ceiling.calls`

const ofSetting = () => ({ name: text().describe('The name of a setting, as in `varve settings --help`.') })

const ofChange = () => ({
  ...ofSetting(),
  value: text().describe('On or off, single or multi, north or south, a number, or an IANA time zone.'),
})

export function addSettings(program: Command): void {
  const settings = addCommand(program, 'settings', projectSettingsOperations.get, (_input, flags) => show(flags), {
    about: "shows a project's settings, and the user's own; sets or unsets one",
  }).addHelpText('after', after)
  addCommand(settings, 'set <name> <value>', { name: projectSettingsOperations.set.name, input: ofChange }, change, {
    about: 'sets a setting',
  })
  addCommand(settings, 'unset <name>', { input: ofSetting }, change, { about: 'takes a setting back to its default' })
}

async function show(flags: GlobalFlags): Promise<void> {
  tell(await withStore(flags, (handle, memory) => allOf(handle, memory, flags)), flags)
}

async function change({ name, value }: { readonly name: string; readonly value?: string }, flags: GlobalFlags): Promise<void> {
  const setting = settingNamed(name)
  if (setting === undefined) {
    const names = namedSettings().map((known) => known.name)
    throw wrongUsage(`there is no setting ${JSON.stringify(name)}; there are ${names.join(', ')}.`, commandLine('settings', '--help'))
  }
  const isShare = name === shareName
  const { all, receipt } = await withStore(
    flags,
    async (handle, memory) => {
      if (isShare) {
        const { receipt } = await handle.settings.set({ share: value === undefined || settingValue(setting, value) === true })
        return { all: await allOf(handle, memory, flags), receipt: await settledReceipt(receipt, memory) }
      }
      const { settings } = memory.project(flags.project ?? defaultProject)
      await settings.set(changeOf(await settings.get(), setting, value))
      return { all: await allOf(handle, memory, flags), receipt: undefined }
      // A project's settings belong to no user, so there is no isolation to warn about.
    },
    isShare ? {} : { of: 'store' },
  )
  tell(all, flags, receipt)
  if (name === 'timeZone' && flags.json !== true)
    note(`Existing bank entries keep their days until they are made anew.\nNext: ${commandLine('bank', 'rebuild', ...whose(flags))}`)
}

async function allOf(handle: UserMemory, memory: Memory, flags: GlobalFlags) {
  const project = flags.project ?? defaultProject
  const { version: _, ...settings } = await memory.project(project).settings.get()
  const { share } = await handle.settings.get()
  return { project, settings, user: { share } }
}

type AllSettings = Awaited<ReturnType<typeof allOf>>

/** Prints all settings, and the receipt of the entries that were withdrawn from the project's bank. */
function tell({ project, settings, user }: AllSettings, flags: GlobalFlags, receipt?: Parameters<typeof tellReceipt>[1]): void {
  if (flags.json === true) return printJson({ project, settings, user, receipt })
  const lines = settingLines(settings, user.share)
  const who = flags.user === undefined ? 'the anonymous user' : `user ${harmlessLine(flags.user)}`
  print([paint('bold', `project ${harmlessLine(project)}`), ...lines.project, paint('bold', who), ...lines.user].join('\n'))
  if (receipt !== undefined) tellReceipt('Withdrawn', receipt)
}
