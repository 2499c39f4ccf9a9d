import type { Command } from 'commander'
import type { UserMemory } from '../../memory/user-memory.ts'
import { userContextOperations } from '../../operations/contexts.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { comparisonParts, contextHeadLine, pastContextParts } from '../render/past-context.ts'
import { columns, note, print, printJson, printParts } from '../terminal.ts'
import { wholeId } from '../whole-id.ts'
import { wholeList } from '../whole-list.ts'

const after = `
Each context that shows something is kept: the last 20 of each session, 200 of a
user. Its words are not: they are made again from what it showed. Items that were
forgotten since are marked.

  $ varve contexts
  $ varve contexts show 01a203b1
  $ varve contexts compare 01a203b1 01a203c4`

const contextsAtOnce = 1_000

const idHelp = "the context's id, or a beginning of it (8 characters or more) that no other has"

export function addContexts(program: Command): void {
  const contexts = addCommand(program, 'contexts', userContextOperations.list, list, {
    about: 'lists the contexts that were shown, the newest first; shows one again, or compares two',
  }).addHelpText('after', after)
  addCommand(contexts, 'list', userContextOperations.list, list, { about: 'lists the contexts, as the command alone does' })
  addCommand(contexts, 'show <id>', userContextOperations.get, show, { about: 'shows a context again', help: { id: idHelp } })
  addCommand(contexts, 'compare <first> <second>', userContextOperations.compare, compare, {
    about: 'shows what came in, fell out and changed between two contexts, and why',
    help: { first: idHelp, second: idHelp },
  })
}

async function list({ limit, ...asked }: InputOf<typeof userContextOperations.list>, flags: GlobalFlags): Promise<void> {
  const contexts = await withStore(flags, (handle) => wholeList(limit, (page) => handle.contexts.list({ ...asked, ...page })))
  if (flags.json === true) return printJson({ contexts })
  if (contexts.length === 0) return note(`No context was shown here.\nNext: ${commandLine('context', '--help')}`)
  print(contexts.map(contextHeadLine).join('\n'))
}

async function show({ id }: InputOf<typeof userContextOperations.get>, flags: GlobalFlags): Promise<void> {
  const context = await withStore(flags, async (handle) => handle.contexts.get(await contextIdFrom(handle, id, flags)))
  if (flags.json === true) return printJson({ context })
  printParts(pastContextParts(context, columns()))
}

async function compare({ first, second }: InputOf<typeof userContextOperations.compare>, flags: GlobalFlags): Promise<void> {
  const comparison = await withStore(flags, async (handle) =>
    handle.contexts.compare(await contextIdFrom(handle, first, flags), await contextIdFrom(handle, second, flags)),
  )
  if (flags.json === true) return printJson({ comparison })
  printParts(comparisonParts(comparison))
}

/** Finds the whole id of a context by its beginning. */
async function contextIdFrom({ contexts }: UserMemory, text: string, flags: GlobalFlags): Promise<string> {
  return wholeId(text, 'contexts', () => contexts.list({ limit: contextsAtOnce }), commandLine('contexts', ...whose(flags)))
}
