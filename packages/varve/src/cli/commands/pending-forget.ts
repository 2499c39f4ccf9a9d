import type { Command } from 'commander'
import type { UserMemory } from '../../memory/user-memory.ts'
import { pendingForgetOperations } from '../../operations/pending-forget.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { showErasure } from '../forget-or-show.ts'
import type { GlobalFlags, YesFlags } from '../global-flags.ts'
import { commandLine, whose } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { pendingForgetLines } from '../render/pending-forget.ts'
import { printReceipt } from '../render/receipt.ts'
import { columns, note, print, printJson, printParts } from '../terminal.ts'
import { wholeId } from '../whole-id.ts'
import { wholeList } from '../whole-list.ts'

const after = `
A person who says "forget what I said about my car" ends the facts at once. The
messages stay until the request is confirmed.

  $ varve pending-forget
  $ varve pending-forget confirm 01a203b1 --yes
  $ varve pending-forget dismiss 01a203b1`

const idHelp = "the request's id, or a beginning of it (8 characters or more) that no other has"

export function addPendingForget(program: Command): void {
  const pending = addCommand(program, 'pending-forget', pendingForgetOperations.list, list, {
    about: 'requests to forget that the user made in a conversation: lists, confirms or dismisses them',
  }).addHelpText('after', after)
  addCommand(pending, 'list', pendingForgetOperations.list, list, { about: 'lists the requests, as the command alone does' })
  addCommand(pending, 'confirm <id>', pendingForgetOperations.confirm, confirm, {
    about: 'erases the messages of a request; without --yes, it only shows a preview',
    help: { id: idHelp },
  }).option('--yes', 'erases, in place of a preview')
  addCommand(pending, 'dismiss <id>', pendingForgetOperations.dismiss, dismiss, { help: { id: idHelp } })
}

async function list({ limit }: InputOf<typeof pendingForgetOperations.list>, flags: GlobalFlags): Promise<void> {
  const requests = await withStore(flags, (handle) => wholeList(limit, (options) => handle.pendingForget.list(options)))
  if (flags.json === true) return printJson({ requests })
  if (requests.length === 0) return note('No request to forget waits here.')
  printParts(requests.map((one) => pendingForgetLines(one, columns())))
}

async function confirm({ id }: InputOf<typeof pendingForgetOperations.confirm>, flags: YesFlags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    const whole = await requestIdFrom(handle, id, flags)
    const request = (await handle.pendingForget.list({ limit: mostListed })).find((one) => one.id === whole)
    if (request === undefined || flags.yes === true)
      return printReceipt('Forgotten', await handle.pendingForget.confirm(whole), memory, flags)
    const messages = request.messages.length
    showErasure({ request }, pendingForgetLines(request, columns()), `Would erase ${messages} message${messages === 1 ? '' : 's'}.`, flags)
  })
}

async function dismiss({ id }: InputOf<typeof pendingForgetOperations.dismiss>, flags: GlobalFlags): Promise<void> {
  const whole = await withStore(flags, async (handle) => {
    const found = await requestIdFrom(handle, id, flags)
    await handle.pendingForget.dismiss(found)
    return found
  })
  if (flags.json === true) return printJson({ dismissed: whole })
  print(`Dismissed: ${whole}.`)
}

/** The most requests among which an id is looked for. */
const mostListed = 1_000

async function requestIdFrom({ pendingForget }: UserMemory, text: string, flags: GlobalFlags): Promise<string> {
  return wholeId(text, 'requests', () => pendingForget.list({ limit: mostListed }), commandLine('pending-forget', ...whose(flags)))
}
