import type { Command } from 'commander'
import type { Message } from '../../messages/message.ts'
import { spokenBy } from '../../messages/spoken-as.ts'
import { forgetOrShow } from '../forget-or-show.ts'
import type { ListOptions } from '../../operations/list.ts'
import { sessionOperations } from '../../operations/sessions.ts'
import { userOperations } from '../../operations/user.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { defaultProject } from '../../scope/scope.ts'
import type { GlobalFlags, YesFlags } from '../global-flags.ts'
import { commandLine, whoseProject } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { wholeList } from '../whole-list.ts'
import { settledReceipt, tellReceipt } from '../render/receipt.ts'
import { sessionLines } from '../render/session.ts'
import { columns, counted, harmless, harmlessLine, minute, note, paint, paragraph, print, printJson } from '../terminal.ts'
import { shell } from '../shell.ts'

export function addSessions(program: Command): void {
  const sessions = addCommand(program, 'sessions', sessionOperations.list, list, {
    about: 'lists the conversations, newest talk first; shows, renames, shares or deletes one',
  })
  addCommand(sessions, 'show <session>', userOperations.messages, show, {
    about: "prints a session's messages, oldest first",
    help: { tools: 'leaves tool messages out' },
  })
  addCommand(sessions, 'rename <id> <name>', sessionOperations.rename, rename)
  addCommand(sessions, 'share <id> <share>', sessionOperations.share, share, {
    about: "lets a session feed the project's shared bank, or keeps it out; off withdraws its entries",
  })
  addCommand(sessions, 'delete <id>', sessionOperations.delete, remove, {
    about: 'forgets a session; without --yes, it only shows a preview',
  }).option('--yes', 'forgets, in place of a preview')
}

async function list({ limit }: ListOptions, flags: GlobalFlags): Promise<void> {
  const sessions = await withStore(flags, (handle) => wholeList(limit, (options) => handle.sessions.list(options)))
  if (flags.json === true) return printJson({ sessions })
  if (sessions.length === 0) return note('No session: nothing was said here yet.')
  for (const line of sessionLines(sessions)) print(line)
}

async function show({ session: id, ...page }: InputOf<typeof userOperations.messages>, flags: GlobalFlags): Promise<void> {
  const { session, messages } = await withStore(flags, async (handle) => ({
    session: await handle.sessions.get(id),
    messages: await handle.messages(id, page),
  }))
  if (flags.json === true) return printJson({ session, messages })
  const width = columns()
  for (const message of messages) print(messageLines(message, width).join('\n'))
  const first = messages[0]?.seq ?? 1
  if (first > 1)
    note(paint('dim', `${counted(messages.length, 'message')} of ${session.messages}; earlier ones with --before ${first}`, shell().stderr))
}

function messageLines(message: Message, width: number | undefined): string[] {
  const who = paint('bold', harmlessLine(spokenBy(message)))
  const head = `#${message.seq}  ${minute(message.at)}  ${who}  ${paint('dim', `id ${message.id}`)}`
  return [head, ...paragraph(harmless(message.content), { indent: '    ', width })]
}

async function rename({ id, name }: InputOf<typeof sessionOperations.rename>, flags: GlobalFlags): Promise<void> {
  const session = await withStore(flags, (handle) => handle.sessions.rename(id, name))
  if (flags.json === true) return printJson(session)
  print(`${harmlessLine(session.id)} is now named ${harmlessLine(JSON.stringify(session.name))}.`)
}

async function share({ id, share: on }: InputOf<typeof sessionOperations.share>, flags: GlobalFlags): Promise<void> {
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
    print(`${harmlessLine(session.id)} does not feed the project's shared bank.`)
    return withdrawn === undefined ? undefined : tellReceipt('Withdrawn', withdrawn)
  }
  if (since === 0 || Math.min(session.createdAt, session.firstAt ?? session.createdAt) > since)
    return print(`${harmlessLine(session.id)} may feed the project's shared bank.`)
  print(
    `${harmlessLine(session.id)} may feed the project's shared bank, but began before sharing was switched on ` +
      `(${minute(since)}): it does so only with a backfill.`,
  )
  note(`Next: ${commandLine('bank', 'share', 'on', '--backfill', ...whoseProject(flags))}`)
}

async function remove({ id }: InputOf<typeof sessionOperations.delete>, flags: YesFlags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    // A slip in the id must not look like a session that is already gone.
    await handle.sessions.get(id)
    await forgetOrShow(handle, memory, { session: id }, flags)
  })
}
