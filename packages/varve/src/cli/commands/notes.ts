import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { Memory } from '../../memory/memory.ts'
import type { ListOptions } from '../../operations/list.ts'
import { notesOperations } from '../../operations/notes.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose, whoseStore, switchingOn } from '../next-command.ts'
import { wholeList } from '../whole-list.ts'
import { withStore } from '../open-store.ts'
import { defaultProject } from '../../scope/scope.ts'
import { dueLines, notesDetails, notesLines } from '../render/notes.ts'
import { mostRevisions, type PageFlags, printPage, printRevision, printRevisions } from '../render/page.ts'
import { nextUpkeep } from '../render/upkeep.ts'
import { harmlessLine, note, print, printJson } from '../terminal.ts'
import { addNotesEdits } from './notes-edits.ts'

const after = `
Notes are one markdown page that follows a running session. They are written
first at 10,000 tokens, then after each 5,000 and three tool calls or a pause.
The layer must be on: for the project (layers.notes) or the session (notes on).
With --notes-directory each page is a file too, and its edits are taken in.

  $ varve notes on monday
  $ varve notes update monday
  $ varve notes show monday
  $ varve notes revisions monday`

export function addNotes(program: Command): void {
  const notes = addCommand(program, 'notes', notesOperations.list, list, {
    about: 'notes of running sessions: lists them; shows, updates, edits, compares, restores, deletes or switches those of a session',
  }).addHelpText('after', after)
  addCommand(notes, 'list', notesOperations.list, list, { about: 'lists the notes, as the command alone does' })
  addCommand(notes, 'show <session>', notesOperations.get, show, { about: 'prints the notes of a session' })
    .alias('get')
    .option('--lines', 'shows the numbers of the lines')
  addCommand(notes, 'due <session>', notesOperations.due, due, { about: 'tells whether an update is due, and why' })
  addCommand(notes, 'revisions <session>', notesOperations.revisions, revisions)
  addCommand(notes, 'diff <session> <revision>', { input: notesOperations.restore.input }, diff, {
    about: 'prints the changes of a revision',
  })
  addNotesEdits(notes)
}

async function list({ limit }: ListOptions, flags: PageFlags): Promise<void> {
  const { notes, empty } = await withStore(flags, async (handle, memory) => {
    const found = await wholeList(limit, (options) => handle.notes.list(options))
    return { notes: found, empty: found.length === 0 ? await whyNone(memory, flags) : '' }
  })
  if (flags.json === true) return printJson({ notes })
  if (notes.length === 0) return note(empty)
  print(notes.flatMap(notesLines).join('\n'))
}

/** Says that there are no notes, and gives the next command. */
async function whyNone(memory: Memory, flags: GlobalFlags): Promise<string> {
  const { layers } = await memory.project(flags.project ?? defaultProject).settings.get()
  if (layers?.notes !== true)
    return (
      `No notes. The layer is off in this project (notes on <session> switches it on for a session).\nNext: ` +
      `${switchingOn('notes', flags)}`
    )
  const { waiting } = await memory.upkeep.status()
  return (
    'No notes: no session was long enough yet (notes update <session> writes them at ' +
    `once).\n${nextUpkeep({ ...waiting, sessions: 0 }, whoseStore(flags))}`
  )
}

async function show({ session, ...options }: InputOf<typeof notesOperations.get>, flags: PageFlags): Promise<void> {
  const notes = await withStore(flags, async (handle) => {
    const found = await handle.notes.get(session, options)
    // A slip in the id must not look like a session without notes.
    if (found === undefined) throw new NotFound({ kind: 'notes', id: (await handle.sessions.get(session)).id })
    return found
  })
  if (flags.json === true) return printJson({ notes })
  printPage(notes.content, flags)
  note(`${notesDetails(notes)}${notes.path === undefined ? '' : `\n${harmlessLine(notes.path)}`}`)
}

async function due({ session }: InputOf<typeof notesOperations.due>, flags: GlobalFlags): Promise<void> {
  const found = await withStore(flags, (handle) => handle.notes.due(session))
  if (flags.json === true) return printJson(found)
  for (const line of dueLines(found)) print(line)
  if (!found.on) note(`Next: ${commandLine('notes', 'on', session, ...whose(flags))}`)
}

async function revisions({ session, limit }: InputOf<typeof notesOperations.revisions>, flags: PageFlags): Promise<void> {
  const found = await withStore(flags, (handle) => wholeList(limit, (options) => handle.notes.revisions(session, options)))
  printRevisions(found, flags)
}

async function diff({ session, revision }: InputOf<typeof notesOperations.restore>, flags: PageFlags): Promise<void> {
  const found = await withStore(flags, (handle) => Array.fromAsync(handle.notes.revisions(session, { limit: mostRevisions })))
  printRevision(found, revision, commandLine('notes', 'revisions', session, ...whose(flags)), flags)
}
