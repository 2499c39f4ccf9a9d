import type { Command } from 'commander'
import { gistOperations } from '../../operations/gists.ts'
import type { ListOptions } from '../../operations/list.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose, whoseStore, switchingOn } from '../next-command.ts'
import { withStore, writing } from '../open-store.ts'
import { isLayerOff } from '../own-or-shared.ts'
import { wholeList } from '../whole-list.ts'
import { type ListedGist, gistLines, gistRevisionLines, wholeGistLines } from '../render/gist.ts'
import { unreadNote } from '../render/upkeep.ts'
import { printRecalled } from '../render/recalled.ts'
import { columns, counted, note, print, printJson, printParts } from '../terminal.ts'

type ShowFlags = GlobalFlags & { readonly sources?: boolean }
type OfSession = InputOf<typeof gistOperations.get>

const after = `
A gist is written after 10 minutes of silence in a session, or after 20 new
messages: the project's settings reading.settleMinutes and reading.newMessages.
A program that has the store open writes it, or varve upkeep.

  $ varve gists
  $ varve gists show monday --sources
  $ varve gists distil monday`

export function addGists(program: Command): void {
  const gists = addCommand(program, 'gists', gistOperations.list, list, {
    about: 'lists the gists of sessions, newest talk first; shows, writes or makes one',
  }).addHelpText('after', after)
  addCommand(gists, 'show <session>', gistOperations.get, show, { about: "prints a session's gist, its writer, and its messages" }).option(
    '--sources',
    'prints a sentence a line, with its source messages',
  )
  addCommand(gists, 'write <session> <text>', gistOperations.write, write, { stdin: 'text' })
  addCommand(gists, 'revisions <session>', gistOperations.revisions, revisions)
  addCommand(gists, 'restore <session> <revision>', gistOperations.restore, restore)
  addCommand(gists, 'distil <session>', gistOperations.distil, distil, { about: 'reads a session now, due or not, and prints its gist' })
  addCommand(gists, 'pending [session]', gistOperations.pending, pending, { help: { session: 'the session (default: all)' } })
  addCommand(gists, 'recall <query...>', gistOperations.recall, recall, { about: 'finds sessions by their gists' })
}

async function list({ limit }: ListOptions, flags: GlobalFlags): Promise<void> {
  const { gists, waiting, isOff, status } = await withStore(flags, async (handle, memory) => ({
    gists: await wholeList(limit, (options) => handle.gists.list(options)),
    waiting: await handle.gists.pending(),
    isOff: await isLayerOff(memory, 'gists', flags),
    status: await memory.upkeep.status(),
  }))
  if (flags.json === true) return printJson({ gists })
  if (gists.length > 0) printParts(gists.map((gist) => gistLines(gist, columns())))
  if (isOff) return noteOff(flags)
  if (waiting === 0 && gists.length === 0) note('No gist: nothing was said here yet.')
  if (waiting > 0) note(unreadNote(waiting, status, whoseStore(flags)))
}

function noteOff(flags: GlobalFlags): void {
  note(`Gists are off in this project.\nNext: ${switchingOn('gists', flags)}`)
}

async function show({ session }: OfSession, flags: ShowFlags): Promise<void> {
  const { gist, waiting, isOff } = await withStore(flags, async (handle, memory) => ({
    gist: await handle.gists.get(session),
    waiting: await handle.gists.pending(session),
    isOff: await isLayerOff(memory, 'gists', flags),
  }))
  printGist(gist, flags)
  if (flags.json === true) return
  if (isOff) noteOff(flags)
  else if (waiting > 0)
    note(`${counted(waiting, 'message')} of it not read yet.\nNext: ${commandLine('gists', 'distil', session, ...whose(flags))}`)
}

async function write({ session, text }: InputOf<typeof gistOperations.write>, flags: GlobalFlags): Promise<void> {
  printGist(await writing(flags, (handle) => handle.gists.write(session, text)), flags)
}

async function revisions({ session, limit }: InputOf<typeof gistOperations.revisions>, flags: GlobalFlags): Promise<void> {
  const found = await withStore(flags, (handle) => wholeList(limit, (options) => handle.gists.revisions(session, options)))
  if (flags.json === true) return printJson({ revisions: found })
  if (found.length === 0) return note('No gist: the messages read so far say nothing to sum up.')
  printParts(found.map((revision) => gistRevisionLines(revision, columns())))
}

async function restore({ session, revision }: InputOf<typeof gistOperations.restore>, flags: GlobalFlags): Promise<void> {
  printGist(await writing(flags, (handle) => handle.gists.restore(session, revision)), flags)
}

async function distil({ session }: OfSession, flags: GlobalFlags): Promise<void> {
  printGist(await writing(flags, (handle) => handle.gists.distil(session)), flags)
}

async function pending({ session }: InputOf<typeof gistOperations.pending>, flags: GlobalFlags): Promise<void> {
  const messages = await withStore(flags, (handle) => handle.gists.pending(session))
  if (flags.json === true) return printJson({ messages })
  print(`${counted(messages, 'message')} not read yet.`)
}

async function recall({ query, ...options }: InputOf<typeof gistOperations.recall>, flags: GlobalFlags): Promise<void> {
  printRecalled(await withStore(flags, (handle) => handle.gists.recall(query, options)), flags, 'No match: no gist says any of that.')
}

function printGist(gist: ListedGist | undefined, flags: ShowFlags): void {
  if (flags.json === true) return printJson({ gist: gist ?? null })
  if (gist === undefined) return note('No gist: the messages read so far say nothing to sum up.')
  print(wholeGistLines(gist, { width: columns(), sources: flags.sources === true }).join('\n'))
}
