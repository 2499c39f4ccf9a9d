import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { documentOperations } from '../../operations/documents.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { type CommandError, wrongUsage } from '../command-error.ts'
import { showErasure } from '../forget-or-show.ts'
import type { YesFlags } from '../global-flags.ts'
import { fileOrInput, textOrInput } from '../input.ts'
import { commandLine } from '../next-command.ts'
import { withStore, writing } from '../open-store.ts'
import { ownOrShared, type SharedFlags } from '../own-or-shared.ts'
import { type FullDocument, documentLines, documentDetails } from '../render/document.ts'
import { printReceipt } from '../render/receipt.ts'
import { columns, counted, harmlessLine, note, print, printJson } from '../terminal.ts'

export type DocumentsHandle = UserMemory['documents']
type Flags = SharedFlags & YesFlags
type Edit = InputOf<typeof documentOperations.edit, 'change' | 'writer' | 'during'>

interface EditFlags extends SharedFlags {
  readonly content?: string
  readonly file?: string
  readonly append?: string
}

/** Adds the commands that change documents. */
export function addDocumentEdits(documents: Command): void {
  addCommand(documents, 'edit <name> [content]', documentOperations.edit, edit, {
    about: 'replaces the content of a document, or adds to it; makes the document when it is new',
    help: { content: 'the whole content, in markdown; - reads it from stdin, as does an edit without any change' },
    except: ['change', 'writer', 'during'],
  })
    .option('--file <path>', 'reads the content from a file')
    .option('--append <text>', 'adds lines at the end; - reads them from stdin')
  addCommand(documents, 'restore <name> <revision>', documentOperations.restore, ({ name, revision }, flags: Flags) =>
    change(flags, (of) => of.restore(name, revision)),
  )
  addCommand(documents, 'delete <name>', documentOperations.delete, remove, {
    about: 'erases a document with all of its revisions; without --yes, it only shows a preview',
  }).option('--yes', 'erases, in place of a preview')
  addCommand(documents, 'memorize <session>', documentOperations.memorize, memorize, {
    about: 'reads the new messages of a session now, and works them into documents',
  })
}

async function edit({ name, ...details }: Edit, flags: EditFlags): Promise<void> {
  const wanted = await changeOf(details, flags)
  await change(flags, async (documents) => {
    if (wanted !== undefined) return documents.edit(name, wanted, details)
    const standing = await own(documents, name, flags)
    return documents.edit(name, standing.content, { revision: standing.revision, ...details })
  })
}

/** Gives the new content, or the lines to add. Undefined when only the description or the bound changes. */
async function changeOf(
  { description, maxChars }: Omit<Edit, 'name'>,
  { content, file, append }: EditFlags,
): Promise<Parameters<DocumentsHandle['edit']>[1] | undefined> {
  const given = [content, file, append].filter((one) => one !== undefined)
  if (given.length > 1) throw wrong('give one of a content, --file and --append.')
  if (append !== undefined) return [{ tool: 'append', text: await textOrInput(append) }]
  if (content !== undefined && content !== '-') return content
  if (given.length === 0 && (description !== undefined || maxChars !== undefined)) return undefined
  const text = await fileOrInput(file, 'the content')
  if (text === '') throw wrong(`${file ?? 'stdin'} is empty. To delete a document, type: delete.`)
  return text
}

function wrong(message: string): CommandError {
  return wrongUsage(message, commandLine('documents', 'edit', '--help'))
}

/** Writes a document, waits a little for its vectors, and prints its details. */
async function change(flags: Flags, work: (documents: DocumentsHandle) => Promise<FullDocument>): Promise<void> {
  const document = await writing(flags, (handle, memory) => work(ownOrShared(flags, handle, memory).documents))
  if (flags.json === true) return printJson({ document })
  print(`${harmlessLine(document.name)}: ${documentDetails(document)}`)
}

async function remove({ name }: InputOf<typeof documentOperations.delete>, flags: Flags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    const { documents } = ownOrShared(flags, handle, memory)
    if (flags.yes === true) return printReceipt('Deleted', await documents.delete(name), memory, flags)
    const { content: _content, lineage: _lineage, ...entry } = await own(documents, name, flags)
    showErasure({ document: entry }, documentLines(entry, columns()), 'Would be deleted, with all of its revisions.', flags)
  })
}

/** Reads a document that these flags may change. Without --shared, a document of the project counts as not found. */
async function own(documents: DocumentsHandle, name: string, { shared }: Flags): Promise<FullDocument> {
  const document = await documents.read(name)
  if (document === undefined || (document.shared === true && shared !== true)) throw new NotFound({ kind: 'document', id: name })
  return document
}

async function memorize({ session }: InputOf<typeof documentOperations.memorize>, flags: Flags): Promise<void> {
  const memorized = await writing(flags, (handle, memory) => ownOrShared(flags, handle, memory).documents.memorize(session))
  if (flags.json === true) return printJson(memorized)
  if (memorized.waiting > 0)
    note(`${counted(memorized.waiting, 'fact')} wait for a language model that failed.\nNext: ${commandLine('upkeep', 'status')}`)
  else if (memorized.documents.length === 0) return print('No new fact to keep in a document.')
  if (memorized.documents.length === 0) return
  const names = memorized.documents.map(({ name, revision }) => `${harmlessLine(name)} (revision ${revision})`)
  print(`Worked ${counted(memorized.facts, 'fact')} into ${counted(names.length, 'document')}: ${names.join(', ')}.`)
}
