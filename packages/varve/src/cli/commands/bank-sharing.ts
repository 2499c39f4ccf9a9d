import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import { sharingNoticeNaming } from '../../operations/sharing-notice.ts'
import { defaultProject } from '../../scope/scope.ts'
import { CommandError } from '../command-error.ts'
import { onOff } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, thisLine } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { printReceipt } from '../render/receipt.ts'
import { columns, harmless, minute, note, paragraph, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'

type Sharing = Awaited<ReturnType<ReturnType<Memory['project']>['bank']['sharing']>>

interface ShareFlags extends GlobalFlags {
  readonly backfill?: boolean
  readonly yes?: boolean
}

/** Switches what a project's members share. */
export function addBankSharing(bank: Command): void {
  bank
    .command('share')
    .description("say whether the project's bank is shared; on: shows what members must know, and asks; off: withdraws all of it")
    .argument('[on|off]', 'switch it (default: say how it is)', onOff)
    .option('--backfill', 'sessions that were begun before feed it too')
    .option('--yes', 'members were told: do not ask')
    .action(async (on: boolean | undefined, _flags: unknown, command: Command) => share(on, command.optsWithGlobals<ShareFlags>()))
}

async function share(on: boolean | undefined, flags: ShareFlags): Promise<void> {
  const project = flags.project ?? defaultProject
  if (flags.backfill === true && on !== true)
    throw new CommandError('--backfill goes with: share on.', { code: 'USAGE', exitCode: 2, next: commandLine('bank', 'share', '--help') })
  await withStore(flags, async (_handle, memory) => {
    const { bank } = memory.project(project)
    const before = withCommands(await bank.sharing())
    if (flags.json !== true) for (const line of paragraph(before.notice, { indent: '', width: columns() })) print(line)
    if (on === undefined) return tell(before, project, flags)
    if (on && flags.yes !== true && !(await isConfirmed(before, project, flags))) return
    const { receipt, ...after } = withCommands(await bank.setSharing(on, { acknowledge: on, backfill: flags.backfill === true }))
    if (receipt !== undefined) return printReceipt('Withdrawn', receipt, memory, flags)
    if (flags.json === true) return printJson({ done: true, ...after })
    tell(after, project, flags)
  })
}

/** With a notice that names what a member types. */
function withCommands(sharing: Sharing): Sharing {
  return {
    ...sharing,
    notice: sharingNoticeNaming({
      session: `${commandLine('sessions', 'share')} <id> off`,
      all: commandLine('settings', 'set', 'share', 'off'),
    }),
  }
}

/** Whether members were told: asked on a terminal, else left to --yes. */
async function isConfirmed({ notice }: Sharing, project: string, { json }: GlobalFlags): Promise<boolean> {
  const next = thisLine('--yes')
  if (json === true) {
    printJson({ done: false, notice, next })
    return false
  }
  if (shell().stdin.isTTY && shell().stderr.isTTY) {
    const { confirm, isCancel } = await import('@clack/prompts')
    const answer = await confirm({
      message: `Were the members of ${harmless(project)} told?`,
      initialValue: false,
      output: shell().stderr,
      withGuide: false,
    })
    if (answer === true) return true
    if (isCancel(answer)) throw new CommandError('stopped. Nothing was done.', { code: 'INTERRUPTED', exitCode: 130, next })
  }
  note(`Nothing was done yet.\nNext: ${next}`)
  return false
}

function tell(sharing: Sharing, project: string, { json }: GlobalFlags): void {
  if (json === true) return printJson(sharing)
  const bank = `The bank of ${harmless(project)}`
  if (!sharing.on) return print(`${bank} is not shared.`)
  const since =
    sharing.since === undefined || sharing.since === 0 ? 'All sessions feed it' : `Sessions begun since ${minute(sharing.since)} feed it`
  print(`${bank} is shared. ${since}, but for those that are kept out.`)
}
