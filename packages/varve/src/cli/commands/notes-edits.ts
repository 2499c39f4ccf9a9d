import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { CommandError } from '../command-error.ts'
import { number } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { fileOrInput } from '../input.ts'
import { commandLine, thisLine, whose } from '../next-command.ts'
import { finishWriting, withStore } from '../open-store.ts'
import { notesDetails, type FullNotes, notesLines } from '../render/notes.ts'
import { printReceipt } from '../render/receipt.ts'
import { harmless, note, print, printJson } from '../terminal.ts'

interface EditFlags extends GlobalFlags {
  readonly file?: string
  readonly revision?: number
}

interface DeleteFlags extends GlobalFlags {
  readonly yes?: boolean
}

/** Commands that change notes. */
export function addNotesEdits(notes: Command): void {
  notes
    .command('update')
    .description('bring the notes up to date now, whether it is due or not, on or off')
    .argument('<session>')
    .action(async (session: string, _flags: unknown, command: Command) =>
      change(command.optsWithGlobals<GlobalFlags>(), (of) => of.update(session)),
    )
  notes
    .command('edit')
    .description('put a page, read from stdin, in the place of the notes; makes them when there are none')
    .argument('<session>')
    .option('--file <path>', 'read the page from a file')
    .option('--revision <n>', 'only if this revision stands; 0: only if there are none', number)
    .action(async (session: string, _flags: unknown, command: Command) => edit(session, command.optsWithGlobals<EditFlags>()))
  notes
    .command('restore')
    .description('have the notes say again what they said in a revision')
    .argument('<session>')
    .argument('<revision>', 'its number', number)
    .action(async (session: string, revision: number, _flags: unknown, command: Command) =>
      change(command.optsWithGlobals<GlobalFlags>(), (of) => of.restore(session, revision)),
    )
  notes
    .command('delete')
    .description(
      'erase the notes of a session with all of their revisions, and switch them off for it: shows what would go; does it with --yes',
    )
    .argument('<session>')
    .option('--yes', 'do it')
    .action(async (session: string, _flags: unknown, command: Command) => remove(session, command.optsWithGlobals<DeleteFlags>()))
  addSwitch(notes, 'on', true, 'have notes kept of a session, whatever its project has')
  addSwitch(notes, 'off', false, 'keep no notes of a session; those that are there stay')
  addSwitch(notes, 'default', null, 'keep notes of a session as its project has them')
}

function addSwitch(notes: Command, name: string, on: boolean | null, description: string): void {
  notes
    .command(name)
    .description(description)
    .argument('<session>', 'made when it is new')
    .action(async (session: string, _flags: unknown, command: Command) => switchNotes(session, on, command.optsWithGlobals<GlobalFlags>()))
}

async function edit(session: string, flags: EditFlags): Promise<void> {
  const { file, revision } = flags
  const content = await fileOrInput(file, 'the page')
  if (content.trim() === '')
    throw new CommandError(`${file ?? 'stdin'} is empty: notes are deleted with: delete.`, {
      code: 'USAGE',
      exitCode: 2,
      next: commandLine('notes', 'edit', '--help'),
    })
  await change(flags, (notes) => notes.edit(session, content, revision === undefined ? {} : { revision }))
}

/** Writes notes, takes a little time for their vectors, and tells how they are now. */
async function change(flags: GlobalFlags, work: (notes: UserMemory['notes']) => Promise<FullNotes>): Promise<void> {
  const notes = await withStore(flags, async (handle, memory) => {
    const changed = await work(handle.notes)
    await finishWriting(memory)
    return changed
  })
  if (flags.json === true) return printJson({ notes })
  print(`Notes of ${harmless(notes.session)}: ${notesDetails(notes)}${notes.path === undefined ? '' : `\n${harmless(notes.path)}`}`)
  note(`Next: ${commandLine('notes', 'show', notes.session, ...whose(flags))}`)
}

async function remove(session: string, flags: DeleteFlags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    if (flags.yes === true) return printReceipt('Deleted', await handle.notes.delete(session), memory, flags)
    const standing = await handle.notes.get(session)
    if (standing === undefined) throw new NotFound({ kind: 'notes', id: (await handle.sessions.get(session)).id })
    const { content: _content, lineage: _lineage, ...notes } = standing
    const next = thisLine('--yes')
    if (flags.json === true) return printJson({ done: false, notes, next })
    print(notesLines(notes).join('\n'))
    note(
      'Would be deleted, with all of their revisions, and switched off for this session. Nothing was done yet. It cannot be ' +
        `undone.\nNext: ${next}`,
    )
  })
}

async function switchNotes(id: string, on: boolean | null, flags: GlobalFlags): Promise<void> {
  const session = await withStore(flags, (handle) => handle.sessions.ensure(id, { layers: { notes: on } }))
  if (flags.json === true) return printJson(session)
  const kept = on === null ? 'as its project has them' : on ? 'on' : 'off'
  print(`Notes of ${harmless(session.id)} are ${kept}.${session.messages === 0 ? ' Nothing was said in it yet.' : ''}`)
}
