import type { Command } from 'commander'
import type { Message } from '../../messages/message.ts'
import { forgetOrShow } from '../forget-or-show.ts'
import { number, onOff } from '../flag-values.ts'
import { defaultProject } from '../../scope/scope.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { wholeList } from '../whole-list.ts'
import { settledReceipt, tellReceipt } from '../render/receipt.ts'
import { sessionLines } from '../render/session.ts'
import { columns, counted, harmless, minute, note, paint, paragraph, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'

interface ListFlags extends GlobalFlags {
  readonly limit?: number
}

interface ShowFlags extends GlobalFlags {
  readonly limit?: number
  readonly before?: number
  readonly tools: boolean
}

interface DeleteFlags extends GlobalFlags {
  readonly yes?: boolean
}

export function addSessions(program: Command): void {
  const sessions = program
    .command('sessions')
    .description('list the conversations, newest talk first; show, rename, share or delete one')
    .option('--limit <n>', 'how many at most (default: 100)', number)
    .action(async (_flags: unknown, command: Command) => list(command.optsWithGlobals<ListFlags>()))
  sessions
    .command('show')
    .description("print a session's messages, oldest first")
    .argument('<id>')
    .option('--limit <n>', 'how many of the newest at most (default: 50)', number)
    .option('--before <seq>', 'only messages before this number, to page back', number)
    .option('--no-tools', 'leave out tool messages')
    .action(async (id: string, _flags: unknown, command: Command) =>
      show(id, { ...command.optsWithGlobals<ShowFlags>(), ...command.opts<ShowFlags>() }),
    )
  sessions
    .command('rename')
    .description('give a session another name')
    .argument('<id>')
    .argument('<name>')
    .action(async (id: string, name: string, _flags: unknown, command: Command) => rename(id, name, command.optsWithGlobals<GlobalFlags>()))
  sessions
    .command('share')
    .description('let a session feed what the project shares, or keep it out; off withdraws what it did feed')
    .argument('<id>')
    .argument('<on|off>', 'whether it may', onOff)
    .action(async (id: string, on: boolean, _flags: unknown, command: Command) => share(id, on, command.optsWithGlobals<GlobalFlags>()))
  sessions
    .command('delete')
    .description('forget a session: shows what would go; does it with --yes')
    .argument('<id>')
    .option('--yes', 'do it')
    .action(async (id: string, _flags: unknown, command: Command) => remove(id, command.optsWithGlobals<DeleteFlags>()))
}

async function list(flags: ListFlags): Promise<void> {
  const sessions = await withStore(flags, (handle) => wholeList(flags.limit, (options) => handle.sessions.list(options)))
  if (flags.json === true) return printJson({ sessions })
  if (sessions.length === 0) return note('No session: nothing was said here yet.')
  for (const line of sessionLines(sessions)) print(line)
}

async function show(id: string, flags: ShowFlags): Promise<void> {
  const { limit, before, tools } = flags
  const { session, messages } = await withStore(flags, async (handle) => ({
    session: await handle.sessions.get(id),
    messages: await handle.messages(id, { tools, ...(limit === undefined ? {} : { limit }), ...(before === undefined ? {} : { before }) }),
  }))
  if (flags.json === true) return printJson({ session, messages })
  const width = columns()
  for (const message of messages) print(messageLines(message, width).join('\n'))
  const first = messages[0]?.seq ?? 1
  if (first > 1)
    note(paint('dim', `${counted(messages.length, 'message')} of ${session.messages}; earlier ones with --before ${first}`, shell().stderr))
}

function messageLines(message: Message, width: number | undefined): string[] {
  const head =
    `#${message.seq}  ${minute(message.at)}  ${paint('bold', harmless(message.name ?? message.role))}  ` +
    `${paint('dim', `id ${message.id}`)}`
  return [head, ...paragraph(harmless(message.content), { indent: '    ', width })]
}

async function rename(id: string, name: string, flags: GlobalFlags): Promise<void> {
  const session = await withStore(flags, (handle) => handle.sessions.rename(id, name))
  if (flags.json === true) return printJson(session)
  print(`${session.id} is now named ${JSON.stringify(session.name)}.`)
}

async function share(id: string, on: boolean, flags: GlobalFlags): Promise<void> {
  const {
    session,
    withdrawn,
    since = 0,
  } = await withStore(flags, async (handle, memory) => {
    const { receipt, ...session } = await handle.sessions.share(id, on)
    return {
      session,
      withdrawn: await settledReceipt(receipt, memory),
      since: (await memory.project(flags.project ?? defaultProject).bank.sharing()).since,
    }
  })
  if (flags.json === true) return printJson({ ...session, receipt: withdrawn })
  if (!on) {
    print(`${session.id} feeds nothing that the project shares.`)
    return withdrawn === undefined ? undefined : tellReceipt('Withdrawn', withdrawn)
  }
  if (since === 0 || Math.min(session.createdAt, session.firstAt ?? session.createdAt) > since)
    return print(`${session.id} may feed what the project shares.`)
  const { user: _user, ...ofProject } = flags
  print(
    `${session.id} may feed what the project shares, but was begun before sharing was switched on (${minute(since)}): it does ` +
      'only with a backfill.',
  )
  note(`Next: ${commandLine('bank', 'share', 'on', '--backfill', ...whose(ofProject))}`)
}

async function remove(id: string, flags: DeleteFlags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    // A slip in the id must not look like a session that is already gone.
    await handle.sessions.get(id)
    await forgetOrShow(handle, memory, { session: id }, flags)
  })
}
