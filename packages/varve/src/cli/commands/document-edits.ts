import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import { CommandError } from '../command-error.ts'
import { type DocumentsHandle, type DocumentFlags, documentsOf } from '../documents-of.ts'
import { number } from '../flag-values.ts'
import { fileOrInput, textOrInput } from '../input.ts'
import { commandLine, thisLine } from '../next-command.ts'
import { finishWriting, withStore } from '../open-store.ts'
import { type FullDocument, documentLines, documentDetails } from '../render/document.ts'
import { printReceipt } from '../render/receipt.ts'
import { columns, counted, harmless, note, print, printJson } from '../terminal.ts'

interface EditFlags extends DocumentFlags {
  readonly file?: string
  readonly append?: string
  readonly description?: string
  readonly revision?: number
  readonly maxChars?: number
}

interface DeleteFlags extends DocumentFlags {
  readonly yes?: boolean
}

const nameHelp = "the document's name"

/** Commands that change documents. */
export function addDocumentEdits(documents: Command): void {
  documents
    .command('edit')
    .description("put a content in a document's place, or add to it; makes it when there is none")
    .argument('<name>', nameHelp)
    .argument(
      '[content]',
      'the whole content, in markdown; - reads it from stdin, which is the default where nothing else is to be changed',
    )
    .option('--file <path>', 'read the content from a file')
    .option('--append <text>', 'add lines at its end; - reads them from stdin')
    .option('--description <text>', 'what it is about, in a sentence (default: made of its content)')
    .option('--max-chars <n>', 'the most characters that it may have (default: as it was; 16000 of a new one)', number)
    .option('--revision <n>', 'only if this revision stands; 0: only if there is none', number)
    .action(async (name: string, content: string | undefined, _flags: unknown, command: Command) =>
      edit(name, content, command.optsWithGlobals<EditFlags>()),
    )
  documents
    .command('restore')
    .description('have a document say again what it said in a revision')
    .argument('<name>', nameHelp)
    .argument('<revision>', 'its number', number)
    .action(async (name: string, revision: number, _flags: unknown, command: Command) =>
      change(command.optsWithGlobals<DocumentFlags>(), (documents) => documents.restore(name, revision)),
    )
  documents
    .command('delete')
    .description('erase a document with all of its revisions: shows what would go; does it with --yes')
    .argument('<name>', nameHelp)
    .option('--yes', 'do it')
    .action(async (name: string, _flags: unknown, command: Command) => remove(name, command.optsWithGlobals<DeleteFlags>()))
  documents
    .command('memorize')
    .description('read what is new in a session now, and work it into documents')
    .argument('<session>')
    .action(async (session: string, _flags: unknown, command: Command) => memorize(session, command.optsWithGlobals<DocumentFlags>()))
}

async function edit(name: string, content: string | undefined, flags: EditFlags): Promise<void> {
  const { description, revision, maxChars } = flags
  const wanted = await changeOf(content, flags)
  const details = { ...(description === undefined ? {} : { description }), ...(maxChars === undefined ? {} : { maxChars }) }
  await change(flags, async (documents) => {
    if (wanted !== undefined) return documents.edit(name, wanted, { ...details, ...(revision === undefined ? {} : { revision }) })
    const standing = await own(documents, name, flags)
    return documents.edit(name, standing.content, { ...details, revision: revision ?? standing.revision })
  })
}

/** What is to stand: the content, or lines to add; undefined where only what is known of the document is to be changed. */
async function changeOf(
  content: string | undefined,
  { file, append, description, maxChars }: EditFlags,
): Promise<Parameters<DocumentsHandle['edit']>[1] | undefined> {
  const given = [content, file, append].filter((one) => one !== undefined)
  if (given.length > 1) throw wrong('give one of a content, --file and --append.')
  if (append !== undefined) return [{ tool: 'append', text: await textOrInput(append) }]
  if (content !== undefined && content !== '-') return content
  if (given.length === 0 && (description !== undefined || maxChars !== undefined)) return undefined
  const text = await fileOrInput(file, 'the content')
  if (text === '') throw wrong(`${file ?? 'stdin'} is empty: a document is deleted with: delete.`)
  return text
}

function wrong(message: string): CommandError {
  return new CommandError(message, { code: 'USAGE', exitCode: 2, next: commandLine('documents', 'edit', '--help') })
}

/** Writes a document, takes a little time for its vectors, and tells how it is now. */
async function change(flags: DocumentFlags, work: (documents: DocumentsHandle) => Promise<FullDocument>): Promise<void> {
  const document = await withStore(flags, async (handle, memory) => {
    const changed = await work(documentsOf(flags, handle, memory))
    await finishWriting(memory)
    return changed
  })
  if (flags.json === true) return printJson({ document })
  print(`${harmless(document.name)}: ${documentDetails(document)}`)
}

async function remove(name: string, flags: DeleteFlags): Promise<void> {
  await withStore(flags, async (handle, memory) => {
    const documents = documentsOf(flags, handle, memory)
    if (flags.yes === true) return printReceipt('Deleted', await documents.delete(name), memory, flags)
    const { content: _content, lineage: _lineage, ...entry } = await own(documents, name, flags)
    const next = thisLine('--yes')
    if (flags.json === true) return printJson({ done: false, document: entry, next })
    print(documentLines(entry, columns()).join('\n'))
    note(`Would be deleted, with all of its revisions. Nothing was done yet. It cannot be undone.\nNext: ${next}`)
  })
}

/** Everybody reads the project's; without --shared it is not theirs to change. */
async function own(documents: DocumentsHandle, name: string, { shared }: DocumentFlags): Promise<FullDocument> {
  const document = await documents.read(name)
  if (document === undefined || (document.shared === true && shared !== true)) throw new NotFound({ kind: 'document', id: name })
  return document
}

async function memorize(session: string, flags: DocumentFlags): Promise<void> {
  const memorized = await withStore(flags, async (handle, memory) => {
    const memorized = await documentsOf(flags, handle, memory).memorize(session)
    await finishWriting(memory)
    return memorized
  })
  if (flags.json === true) return printJson(memorized)
  if (memorized.waiting > 0)
    note(`${counted(memorized.waiting, 'fact')} wait for a language model that failed.\nNext: ${commandLine('upkeep', 'status')}`)
  else if (memorized.documents.length === 0) return print('Nothing new that is to be kept in a document.')
  if (memorized.documents.length === 0) return
  const names = memorized.documents.map(({ name, revision }) => `${harmless(name)} (revision ${revision})`)
  print(`Worked ${counted(memorized.facts, 'fact')} into ${counted(names.length, 'document')}: ${names.join(', ')}.`)
}
