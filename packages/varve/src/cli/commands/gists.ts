import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import { defaultProject } from '../../scope/scope.ts'
import { number } from '../flag-values.ts'
import { type GlobalFlags, ownFlags } from '../global-flags.ts'
import { textOrInput } from '../input.ts'
import { commandLine, whose } from '../next-command.ts'
import { finishWriting, withStore } from '../open-store.ts'
import { wholeList } from '../whole-list.ts'
import { type ListedGist, gistLines, wholeGistLines } from '../render/gist.ts'
import { unreadNote } from '../render/upkeep.ts'
import { printRecalled } from '../render/recalled.ts'
import { columns, counted, note, print, printJson } from '../terminal.ts'

interface ListFlags extends GlobalFlags {
  readonly limit?: number
}

interface ShowFlags extends GlobalFlags {
  readonly sources?: boolean
}

interface RecallFlags extends ListFlags {
  readonly excludeSession?: string
}

const after = `
A gist is written when nothing was said in a session for 10 minutes, or after 20
new messages: by a program that has the store open, or by varve upkeep.

  $ varve gists
  $ varve gists show monday --sources
  $ varve gists distil monday`

export function addGists(program: Command): void {
  const gists = program
    .command('gists')
    .description('what each session was about, newest talk first; show, write, or make one')
    .option('--limit <n>', 'how many at most (default: 100)', number)
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => list(command.optsWithGlobals<ListFlags>()))
  gists
    .command('show')
    .description("print a session's gist, what wrote it, and from what")
    .argument('<session>')
    .option('--sources', 'a sentence a line, with the messages on which it rests')
    .action(async (session: string, _flags: unknown, command: Command) => show(session, command.optsWithGlobals<ShowFlags>()))
  gists
    .command('write')
    .description("put your words in the place of a session's gist; what is said later is added to them")
    .argument('<session>')
    .argument('<text>', 'the gist; - reads it from stdin')
    .action(async (session: string, text: string, _flags: unknown, command: Command) =>
      write(session, text, command.optsWithGlobals<GlobalFlags>()),
    )
  gists
    .command('distil')
    .description('read a session now, whether it is due or not, and print its gist')
    .argument('<session>')
    .action(async (session: string, _flags: unknown, command: Command) => distil(session, command.optsWithGlobals<GlobalFlags>()))
  gists
    .command('pending')
    .description('count the messages that wait to be read')
    .argument('[session]', 'of this session (default: of all)')
    .action(async (session: string | undefined, _flags: unknown, command: Command) =>
      pending(session, command.optsWithGlobals<GlobalFlags>()),
    )
  addGistRecall(gists)
}

function addGistRecall(gists: Command): void {
  gists
    .command('recall')
    .description('find sessions by their gists')
    .argument('<question...>', 'what to look for')
    .option('--limit <n>', 'how many hits at most (default: 3)', number)
    .option('--exclude-session <id>', 'not this session')
    .action(async (question: readonly string[], _flags: unknown, command: Command) => {
      await recall(question.join(' '), { ...command.optsWithGlobals<RecallFlags>(), ...command.opts<RecallFlags>() })
    })
}

async function list(flags: ListFlags): Promise<void> {
  const { gists, waiting, isOff, status } = await withStore(flags, async (handle, memory) => ({
    gists: await wholeList(flags.limit, (options) => handle.gists.list(options)),
    waiting: await handle.gists.pending(),
    isOff: await areOff(memory, flags),
    status: await memory.upkeep.status(),
  }))
  if (flags.json === true) return printJson({ gists })
  const width = columns()
  if (gists.length > 0) print(gists.map((gist) => gistLines(gist, width).join('\n')).join('\n\n'))
  if (isOff) return noteOff(flags)
  if (waiting === 0 && gists.length === 0) note('No gist: nothing was said here yet.')
  if (waiting > 0) note(unreadNote(waiting, status, whose({ ...(flags.store === undefined ? {} : { store: flags.store }) })))
}

async function areOff(memory: Memory, { project = defaultProject }: GlobalFlags): Promise<boolean> {
  return (await memory.project(project).settings.get()).layers?.gists === false
}

/** Nothing is read for them, so nothing would come of waiting. */
function noteOff({ user: _user, ...flags }: GlobalFlags): void {
  note(`Gists are off in this project.\nNext: ${commandLine('settings', 'set', 'layers.gists', 'on', ...whose(flags))}`)
}

async function show(session: string, flags: ShowFlags): Promise<void> {
  const { gist, waiting, isOff } = await withStore(flags, async (handle, memory) => ({
    gist: await handle.gists.get(session),
    waiting: await handle.gists.pending(session),
    isOff: await areOff(memory, flags),
  }))
  printGist(gist, flags)
  if (flags.json === true) return
  if (isOff) noteOff(flags)
  else if (waiting > 0)
    note(`${counted(waiting, 'message')} of it not read yet.\nNext: ${commandLine('gists', 'distil', session, ...whose(flags))}`)
}

async function write(session: string, text: string, flags: GlobalFlags): Promise<void> {
  const words = await textOrInput(text)
  printGist(await withStore(flags, (handle, memory) => finished(memory, handle.gists.write(session, words))), flags)
}

async function distil(session: string, flags: GlobalFlags): Promise<void> {
  printGist(await withStore(flags, (handle, memory) => finished(memory, handle.gists.distil(session))), flags)
}

async function finished(
  memory: Parameters<typeof finishWriting>[0],
  work: Promise<ListedGist | undefined>,
): Promise<ListedGist | undefined> {
  const gist = await work
  await finishWriting(memory)
  return gist
}

async function pending(session: string | undefined, flags: GlobalFlags): Promise<void> {
  const messages = await withStore(flags, (handle) => handle.gists.pending(session))
  if (flags.json === true) return printJson({ messages })
  print(`${counted(messages, 'message')} not read yet.`)
}

async function recall(question: string, flags: RecallFlags): Promise<void> {
  printRecalled(
    await withStore(flags, (handle) => handle.gists.recall(question, ownFlags(flags))),
    flags,
    'No match: no gist says any of that.',
  )
}

function printGist(gist: ListedGist | undefined, flags: ShowFlags): void {
  if (flags.json === true) return printJson({ gist: gist ?? null })
  if (gist === undefined) return note('No gist: nothing that was read of it says anything.')
  print(wholeGistLines(gist, { width: columns(), sources: flags.sources === true }).join('\n'))
}
