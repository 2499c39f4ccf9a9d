import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { notesOperations } from '../../operations/notes.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { wrongUsage } from '../command-error.ts'
import { showErasure } from '../forget-or-show.ts'
import type { GlobalFlags, YesFlags } from '../global-flags.ts'
import { fileOrInput } from '../input.ts'
import { commandLine, whose } from '../next-command.ts'
import { withStore, writing } from '../open-store.ts'
import { notesDetails, type FullNotes, notesLines } from '../render/notes.ts'
import { printReceipt } from '../render/receipt.ts'
import { harmlessLine, note, print, printJson } from '../terminal.ts'

type FileFlags = GlobalFlags & { readonly file?: string }
type OfSession = InputOf<typeof notesOperations.delete>

/** Adds the commands that change notes. */
export function addNotesEdits(notes: Command): void {
  addCommand(notes, 'update <session>', notesOperations.update, ({ session }, flags) => change(flags, (of) => of.update(session)), {
    about: 'brings the notes up to date now, due or not, on or off',
  })
  addCommand(notes, 'edit <session>', notesOperations.edit, edit, {
    about: 'replaces the notes by a page read from stdin; makes them when there are none',
    except: ['content'],
  }).option('--file <path>', 'reads the page from a file')
  addCommand(notes, 'restore <session> <revision>', notesOperations.restore, ({ session, revision }, flags) =>
    change(flags, (of) => of.restore(session, revision)),
  )
  addCommand(notes, 'delete <session>', notesOperations.delete, remove, {
    about: 'erases the notes of a session with their revisions, and switches them off for it; without --yes, it only shows a preview',
  }).option('--yes', 'erases, in place of a preview')
  addSwitch(notes, 'on', true, "keeps notes of a session, whatever its project's setting")
  addSwitch(notes, 'off', false, 'keeps no more notes of a session; existing ones stay')
  addSwitch(notes, 'default', null, "keeps notes of a session by its project's setting")
}

function addSwitch(notes: Command, name: string, on: boolean | null, about: string): void {
  const run = ({ session }: OfSession, flags: GlobalFlags): Promise<void> => switchNotes(session, on, flags)
  addCommand(notes, `${name} <session>`, { input: notesOperations.delete.input }, run, { about, help: { session: 'made when it is new' } })
}

async function edit(
  { session, ...options }: InputOf<typeof notesOperations.edit, 'content'>,
  { file, ...flags }: FileFlags,
): Promise<void> {
  const content = await fileOrInput(file, 'the page')
  if (content.trim() === '')
    throw wrongUsage(`${file ?? 'stdin'} is empty. To delete notes, type: delete.`, commandLine('notes', 'edit', '--help'))
  await change(flags, (notes) => notes.edit(session, content, options))
}

/** Writes notes, waits a little for their vectors, and prints their details. */
async function change(flags: GlobalFlags, work: (notes: UserMemory['notes']) => Promise<FullNotes>): Promise<void> {
  const notes = await writing(flags, (handle) => work(handle.notes))
  if (flags.json === true) return printJson({ notes })
  print(`Notes of ${harmlessLine(notes.session)}: ${notesDetails(notes)}${notes.path === undefined ? '' : `\n${harmlessLine(notes.path)}`}`)
  note(`Next: ${commandLine('notes', 'show', notes.session, ...whose(flags))}`)
}

async function remove({ session }: OfSession, flags: YesFlags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    if (flags.yes === true) return printReceipt('Deleted', await handle.notes.delete(session), memory, flags)
    const standing = await handle.notes.get(session)
    if (standing === undefined) throw new NotFound({ kind: 'notes', id: (await handle.sessions.get(session)).id })
    const { content: _content, lineage: _lineage, ...notes } = standing
    const would = 'Would be deleted, with all of their revisions, and switched off for this session.'
    showErasure({ notes }, notesLines(notes), would, flags)
  })
}

async function switchNotes(id: string, on: boolean | null, flags: GlobalFlags): Promise<void> {
  const session = await withStore(flags, (handle) => handle.sessions.ensure(id, { layers: { notes: on } }))
  if (flags.json === true) return printJson(session)
  const kept = on === null ? 'as its project has them' : on ? 'on' : 'off'
  print(`Notes of ${harmlessLine(session.id)} are ${kept}.${session.messages === 0 ? ' Nothing was said in it yet.' : ''}`)
}
