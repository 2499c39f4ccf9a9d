import type { Command } from 'commander'
import type { Message } from '../../messages/message.ts'
import { spokenBy } from '../../messages/spoken-as.ts'
import { userOperations } from '../../operations/user.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { columns, harmless, harmlessLine, minute, note, paint, paragraph, printJson, printParts } from '../terminal.ts'
import { wholeList } from '../whole-list.ts'

/** The most lines of a message: a look back over a time shows many messages. */
const mostLines = 8

const after = `
  $ varve timeline --from 2026-04-01 --to 2026-04-30
  $ varve timeline --order oldest --limit 20 --json`

export function addTimeline(program: Command): void {
  addCommand(program, 'timeline', userOperations.timeline, timeline).addHelpText('after', after)
}

async function timeline({ limit, ...range }: InputOf<typeof userOperations.timeline>, flags: GlobalFlags): Promise<void> {
  const messages = await withStore(flags, (handle) => wholeList(limit, (page) => handle.timeline({ ...range, ...page })))
  if (flags.json === true) return printJson({ messages })
  if (messages.length === 0) return note('No message of that time.')
  const width = columns()
  printParts(messages.map((message) => messageLines(message, width)))
}

function messageLines(message: Message, width: number | undefined): string[] {
  const { at, session, seq, content } = message
  const head = `${minute(at)}  ${paint('bold', harmlessLine(spokenBy(message)))}  ${paint('cyan', harmlessLine(`${session} #${seq}`))}`
  return [head, ...paragraph(harmless(content), { indent: '   ', width, mostLines })]
}
