import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { Memory } from '../../memory/memory.ts'
import { documentOperations } from '../../operations/documents.ts'
import type { ListOptions } from '../../operations/list.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { commandLine, whoseStore, switchingOn } from '../next-command.ts'
import { ownOrShared, type SharedFlags, whoseShared } from '../own-or-shared.ts'
import { defaultProject } from '../../scope/scope.ts'
import { wholeList } from '../whole-list.ts'
import { withStore } from '../open-store.ts'
import { documentLines, documentDetails, recollectedLines } from '../render/document.ts'
import { mostRevisions, type PageFlags, printPage, printRevision, printRevisions } from '../render/page.ts'
import { nextUpkeep } from '../render/upkeep.ts'
import { columns, note, printJson, printParts } from '../terminal.ts'
import { addDocumentEdits, type DocumentsHandle } from './document-edits.ts'

type Flags = SharedFlags & PageFlags

const after = `
A document is a named markdown page about one subject. It is made from the words
of persons where layers.documents is on, and by hand or by agents. Each change
is a revision. Without --shared, documents are the user's own.

  $ varve settings set layers.documents on
  $ varve documents memorize monday
  $ varve documents read "soup kettle" --lines
  $ varve documents edit "soup kettle" --append "- 2026-05-16: holds 41 bowls"`

export function addDocuments(program: Command): void {
  const documents = addCommand(program, 'documents', documentOperations.list, list, {
    about: 'pages of knowledge: lists them; reads, finds, edits, compares, restores, deletes or makes one',
  })
    .option('--shared', "the project's documents, which all of its members read")
    .addHelpText('after', after)
  addCommand(documents, 'list', documentOperations.list, list, { about: 'lists the documents, as the command alone does' })
  addCommand(documents, 'read <name>', documentOperations.read, read, { about: 'prints the content of a document' }).option(
    '--lines',
    'shows the numbers of the lines',
  )
  addCommand(documents, 'recollect <query...>', documentOperations.recollect, recollect)
  addCommand(documents, 'revisions <name>', documentOperations.revisions, revisions)
  addCommand(documents, 'diff <name> <revision>', { input: documentOperations.restore.input }, diff, {
    about: 'prints the changes of a revision',
  })
  addDocumentEdits(documents)
}

async function list({ limit }: ListOptions, flags: Flags): Promise<void> {
  const { documents, empty } = await withDocuments(flags, async (documents, memory) => {
    const found = await wholeList(limit, (options) => documents.list(options))
    return { documents: found, empty: found.length === 0 ? await whyNone(memory, flags) : '' }
  })
  if (flags.json === true) return printJson({ documents })
  if (documents.length === 0) return note(empty)
  printParts(documents.map((document) => documentLines(document, columns())))
}

/** Says that there is no document, and gives the next command. */
async function whyNone(memory: Memory, flags: Flags): Promise<string> {
  if (flags.shared === true)
    return (
      `No document is shared.\nNext: ` +
      `${commandLine('documents', 'edit', 'house rules', 'Rules for all members.', ...whoseShared(flags))}`
    )
  const { layers } = await memory.project(flags.project ?? defaultProject).settings.get()
  if (layers?.documents !== true)
    return `No document. The layer is off in this project: documents are written by hand only.\nNext: ${switchingOn('documents', flags)}`
  const { waiting } = await memory.upkeep.status()
  return `No document: no fact was read yet to keep in one.\n${nextUpkeep(waiting, whoseStore(flags))}`
}

async function read({ name, ...options }: InputOf<typeof documentOperations.read>, flags: Flags): Promise<void> {
  const document = await withDocuments(flags, async (documents) => {
    const found = await documents.read(name, options)
    if (found === undefined) throw new NotFound({ kind: 'document', id: name })
    return found
  })
  if (flags.json === true) return printJson({ document })
  printPage(document.content, flags)
  note(documentDetails(document))
}

async function recollect({ query, ...options }: InputOf<typeof documentOperations.recollect>, flags: Flags): Promise<void> {
  const documents = await withDocuments(flags, (documents) => documents.recollect(query, options))
  if (flags.json === true) return printJson({ documents })
  if (documents.length === 0) return note('No match: no document says any of that.')
  printParts(documents.map((document, place) => recollectedLines(document, place + 1, columns())))
}

async function revisions({ name, limit }: InputOf<typeof documentOperations.revisions>, flags: Flags): Promise<void> {
  const found = await withDocuments(flags, (documents) => wholeList(limit, (options) => documents.revisions(name, options)))
  printRevisions(found, flags)
}

async function diff({ name, revision }: InputOf<typeof documentOperations.restore>, flags: Flags): Promise<void> {
  const found = await withDocuments(flags, (documents) => Array.fromAsync(documents.revisions(name, { limit: mostRevisions })))
  printRevision(found, revision, commandLine('documents', 'revisions', name, ...whoseShared(flags)), flags)
}

function withDocuments<Result>(flags: Flags, use: (documents: DocumentsHandle, memory: Memory) => Promise<Result>): Promise<Result> {
  return withStore(flags, (handle, memory) => use(ownOrShared(flags, handle, memory).documents, memory))
}
