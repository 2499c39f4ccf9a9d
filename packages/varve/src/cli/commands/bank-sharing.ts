import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import { sharingOperations } from '../../operations/bank.ts'
import { sharingNoticeNaming } from '../../operations/sharing-notice.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import type { GlobalFlags, YesFlags } from '../global-flags.ts'
import { commandLine, thisLine } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { defaultProject } from '../../scope/scope.ts'
import { showErasure } from '../forget-or-show.ts'
import { entryLines } from '../render/bank.ts'
import { printReceipt } from '../render/receipt.ts'
import { columns, counted, harmlessLine, minute, note, paragraph, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'

type Project = ReturnType<Memory['project']>
type Report = Awaited<ReturnType<Project['sharing']>>
type Sharing = Awaited<ReturnType<Project['bank']['sharing']>> & Partial<Report>

/** Adds the command that switches the sharing of a project's bank. */
export function addBankSharing(bank: Command): void {
  addCommand(bank, 'share [on]', { name: sharingOperations.setSharing.name, input }, share, {
    about: "tells whether the project's bank is shared; on: shows the notice for members, and asks; off: withdraws all of it",
    help: { on: 'switches sharing (default: tells the present state)' },
  }).option('--yes', 'members were told: does not ask')
  addCommand(bank, 'withdraw <member>', sharingOperations.withdraw, withdraw, {
    about: "erases one member's entries from the project's bank; without --yes, it only shows a preview",
    help: { member: 'the user; ~ is the anonymous user' },
  }).option('--yes', 'erases, in place of a preview')
}

async function withdraw({ member }: InputOf<typeof sharingOperations.withdraw>, flags: YesFlags): Promise<void> {
  await withStore(
    flags,
    async (_handle, memory) => {
      const project = memory.project(flags.project ?? defaultProject)
      if (flags.yes === true) return printReceipt('Withdrawn', await project.bank.withdraw(member), memory, flags)
      const { entries = [] } = await project.sharing({ member })
      if (entries.length === 0) {
        if (flags.json === true) return printJson({ done: false, entries })
        return note(`Nothing in this project’s bank rests on the words of ${harmlessLine(member)}.`)
      }
      const lines = entries.flatMap((entry) => entryLines(entry, columns()))
      showErasure({ entries }, lines, 'Would be withdrawn: these entries. The messages stay.', flags)
    },
    { of: 'store' },
  )
}

/** Gives the fields. Without `on`, the command tells the present state. It asks for `acknowledge` itself. */
const input = () => {
  const { on, backfill, assistants, by } = sharingOperations.setSharing.input()
  return { on: on.optional(), backfill, assistants, by }
}

async function share({ on, backfill = false, assistants, by }: InputOf<{ input: typeof input }>, flags: YesFlags): Promise<void> {
  const project = flags.project ?? defaultProject
  if (backfill && on !== true) throw wrongUsage('--backfill goes with: share on.', commandLine('bank', 'share', '--help'))
  if (assistants !== undefined && on !== true) throw wrongUsage('--assistants goes with: share on.', commandLine('bank', 'share', '--help'))
  await withStore(
    flags,
    async (_handle, memory) => {
      const { bank } = memory.project(project)
      const before = withCommands(await bank.sharing(), assistants)
      if (flags.json !== true) for (const line of paragraph(before.notice, { indent: '', width: columns() })) print(line)
      if (on === undefined) return tell({ ...(await memory.project(project).sharing()), ...before }, project, flags)
      if (on && flags.yes !== true && !(await isConfirmed(before, project, flags))) return
      const { receipt, ...after } = withCommands(
        await bank.setSharing(on, {
          acknowledge: on,
          backfill,
          ...(assistants === undefined ? {} : { assistants }),
          ...(by === undefined ? {} : { by }),
        }),
      )
      if (receipt !== undefined) return printReceipt('Withdrawn', receipt, memory, flags)
      if (flags.json === true) return printJson({ done: true, ...after })
      tell(after, project, flags)
    },
    { of: 'store' },
  )
}

/** Puts the commands that a member types into the notice. `assistants` is what is to be chosen; default: the present state. */
function withCommands(sharing: Sharing, assistants = sharing.assistants !== undefined): Sharing {
  return {
    ...sharing,
    notice: sharingNoticeNaming(
      { session: `${commandLine('sessions', 'share')} <id> off`, all: commandLine('settings', 'set', 'share', 'off') },
      assistants,
    ),
  }
}

/** Tells whether members were told. Asks on a terminal; elsewhere --yes must say so. */
async function isConfirmed({ notice }: Sharing, project: string, { json }: GlobalFlags): Promise<boolean> {
  const next = thisLine('--yes')
  if (json === true) {
    printJson({ done: false, notice, next })
    return false
  }
  if (shell().stdin.isTTY && shell().stderr.isTTY) {
    const { confirm, isCancel } = await import('@clack/prompts')
    const answer = await confirm({
      message: `Were the members of ${harmlessLine(project)} told?`,
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
  const bank = `The bank of ${harmlessLine(project)}`
  if (!sharing.on) return print(`${bank} is not shared.`)
  const since =
    sharing.since === undefined || sharing.since === 0 ? 'All sessions feed it' : `Sessions begun since ${minute(sharing.since)} feed it`
  print(`${bank} is shared. ${since}, except sessions that are kept out.`)
  const { assistants } = sharing
  if (assistants !== undefined) {
    const by = assistants.by === undefined ? '' : `, by the choice of ${harmlessLine(assistants.by)}`
    print(`What members’ assistants answer is taken too, since ${minute(assistants.since)}${by}.`)
  }
  for (const member of sharing.members ?? []) print(memberLine(member))
}

function memberLine({ user, shares, since, sessions, entries, keptOut, withdrawn }: Report['members'][number]): string {
  const feeds = sessions === 0 ? 'nothing in it' : `${counted(entries, 'entry', 'entries')} of ${counted(sessions, 'session')}`
  const from = since === undefined ? '' : `, the first begun ${minute(since)}`
  const kept = keptOut === 0 ? '' : `, ${counted(keptOut, 'session')} kept out`
  const gone = withdrawn === 0 ? '' : `, ${counted(withdrawn, 'session')} withdrawn`
  return `  ${harmlessLine(user)}: ${feeds}${from}${kept}${gone}${shares ? '' : ', keeps out every session that is not shared by name'}`
}
