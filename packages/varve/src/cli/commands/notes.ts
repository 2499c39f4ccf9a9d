import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { Memory } from '../../memory/memory.ts'
import { defaultProject } from '../../scope/scope.ts'
import { number } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose } from '../next-command.ts'
import { wholeList } from '../whole-list.ts'
import { withStore } from '../open-store.ts'
import { dueLines, notesDetails, notesLines } from '../render/notes.ts'
import { mostRevisions, printPage, revisionLines, revisionNumbered } from '../render/page.ts'
import { nextUpkeep } from '../render/upkeep.ts'
import { harmless, note, print, printJson } from '../terminal.ts'
import { addNotesEdits } from './notes-edits.ts'

interface LimitFlags extends GlobalFlags {
  readonly limit?: number
}

interface ShowFlags extends GlobalFlags {
  readonly revision?: number
  readonly lines?: boolean
}

const after = `
Notes are one markdown page that follows a running session: written first at
10,000 tokens, then after each 5,000 and three tool calls or a pause, where
layers.notes is on for the project, or notes on for the session. With
--notes-directory each page is a file too: what is edited there is taken in.

  $ varve notes on monday
  $ varve notes update monday
  $ varve notes show monday
  $ varve notes revisions monday`

export function addNotes(program: Command): void {
  const notes = program
    .command('notes')
    .description("notes of running sessions: list them; show, update, edit, compare, restore or delete a session's; switch them on or off")
    .option('--limit <n>', 'how many at most (default: 100)', number)
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => list(command.optsWithGlobals<LimitFlags>()))
  notes
    .command('list')
    .description('list the notes, the last changed first')
    .action(async (_flags: unknown, command: Command) => list(command.optsWithGlobals<LimitFlags>()))
  notes
    .command('show')
    .alias('get')
    .description("print a session's notes")
    .argument('<session>')
    .option('--revision <n>', 'as they stood in this revision', number)
    .option('--lines', 'with the numbers of their lines')
    .action(async (session: string, _flags: unknown, command: Command) => show(session, command.optsWithGlobals<ShowFlags>()))
  notes
    .command('due')
    .description('say whether an update is due, and why')
    .argument('<session>')
    .action(async (session: string, _flags: unknown, command: Command) => due(session, command.optsWithGlobals<GlobalFlags>()))
  notes
    .command('revisions')
    .description('print how the notes were changed, the newest first')
    .argument('<session>')
    .option('--limit <n>', 'how many at most (default: 20)', number)
    .action(async (session: string, _flags: unknown, command: Command) =>
      revisions(session, { ...command.optsWithGlobals<LimitFlags>(), ...command.opts<LimitFlags>() }),
    )
  notes
    .command('diff')
    .description('print what a revision changed')
    .argument('<session>')
    .argument('<revision>', 'its number', number)
    .action(async (session: string, revision: number, _flags: unknown, command: Command) =>
      diff(session, revision, command.optsWithGlobals<GlobalFlags>()),
    )
  addNotesEdits(notes)
}

async function list(flags: LimitFlags): Promise<void> {
  const { notes, empty } = await withStore(flags, async (handle, memory) => {
    const found = await handle.notes.list(limitOf(flags))
    return { notes: found, empty: found.length === 0 ? await whyNone(memory, flags) : '' }
  })
  if (flags.json === true) return printJson({ notes })
  if (notes.length === 0) return note(empty)
  print(notes.flatMap(notesLines).join('\n'))
}

/** That there are none, and what makes some. */
async function whyNone(memory: Memory, flags: GlobalFlags): Promise<string> {
  const { layers } = await memory.project(flags.project ?? defaultProject).settings.get()
  const { user: _user, ...ofProject } = flags
  if (layers?.notes !== true)
    return (
      `No notes, and the layer is off in this project (notes on <session> switches it on for a session).\nNext: ` +
      `${commandLine('settings', 'set', 'layers.notes', 'on', ...whose(ofProject))}`
    )
  const { waiting } = await memory.upkeep.status()
  return (
    'No notes: no session was long enough yet (notes update <session> writes them at ' +
    `once).\n${nextUpkeep({ ...waiting, sessions: 0 }, whose(flags.store === undefined ? {} : { store: flags.store }))}`
  )
}

async function show(session: string, flags: ShowFlags): Promise<void> {
  const { revision } = flags
  const notes = await withStore(flags, async (handle) => {
    const found = await handle.notes.get(session, revision === undefined ? {} : { revision })
    // A slip in the id must not look like a session without notes.
    if (found === undefined) throw new NotFound({ kind: 'notes', id: (await handle.sessions.get(session)).id })
    return found
  })
  if (flags.json === true) return printJson({ notes })
  printPage(notes.content, flags)
  note(`${notesDetails(notes)}${notes.path === undefined ? '' : `\n${harmless(notes.path)}`}`)
}

async function due(session: string, flags: GlobalFlags): Promise<void> {
  const found = await withStore(flags, (handle) => handle.notes.due(session))
  if (flags.json === true) return printJson(found)
  for (const line of dueLines(found)) print(line)
  if (!found.on) note(`Next: ${commandLine('notes', 'on', session, ...whose(flags))}`)
}

async function revisions(session: string, flags: LimitFlags): Promise<void> {
  const found = await withStore(flags, (handle) => wholeList(flags.limit, (options) => handle.notes.revisions(session, options)))
  if (flags.json === true) return printJson({ revisions: found })
  print(found.map((revision) => revisionLines(revision).join('\n')).join('\n\n'))
}

async function diff(session: string, revision: number, flags: GlobalFlags): Promise<void> {
  const found = await withStore(flags, (handle) => wholeList(mostRevisions, (options) => handle.notes.revisions(session, options)))
  const one = revisionNumbered(found, revision, commandLine('notes', 'revisions', session, ...whose(flags)))
  if (flags.json === true) return printJson({ revision: one })
  print(revisionLines(one).join('\n'))
}

function limitOf({ limit }: LimitFlags): { readonly limit?: number } {
  return limit === undefined ? {} : { limit }
}
