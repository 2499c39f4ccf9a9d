import type { Command } from 'commander'
import { NotFound } from '../../errors/not-found.ts'
import type { Memory } from '../../memory/memory.ts'
import { defaultProject } from '../../scope/scope.ts'
import { type DocumentsHandle, type DocumentFlags, documentsOf, whoseDocuments } from '../documents-of.ts'
import { number } from '../flag-values.ts'
import { commandLine, whose } from '../next-command.ts'
import { wholeList } from '../whole-list.ts'
import { withStore } from '../open-store.ts'
import { documentLines, documentDetails, recollectedLines } from '../render/document.ts'
import { mostRevisions, printPage, revisionLines, revisionNumbered } from '../render/page.ts'
import { nextUpkeep } from '../render/upkeep.ts'
import { columns, note, print, printJson } from '../terminal.ts'
import { addDocumentEdits } from './document-edits.ts'

interface LimitFlags extends DocumentFlags {
  readonly limit?: number
}

interface ReadFlags extends DocumentFlags {
  readonly revision?: number
  readonly lines?: boolean
}

interface RecollectFlags extends LimitFlags {
  readonly minScore?: number
}

const after = `
A document is a named markdown page about one subject, made from what persons say
where layers.documents is on, and written by hand or by agents. Each change is a
revision. Without --shared they are the user's own.

  $ varve settings set layers.documents on
  $ varve documents memorize monday
  $ varve documents read "soup kettle" --lines
  $ varve documents edit "soup kettle" --append "- 2026-05-16: holds 41 bowls"`

const nameHelp = "the document's name"

export function addDocuments(program: Command): void {
  const documents = program
    .command('documents')
    .description('pages of knowledge: list them; read, find, edit, compare, restore, delete or make one')
    .option('--shared', "the project's documents, which all of its members read")
    .option('--limit <n>', 'how many at most (default: 100)', number)
    .addHelpText('after', after)
    .action(async (_flags: unknown, command: Command) => list(command.optsWithGlobals<LimitFlags>()))
  documents
    .command('list')
    .description('list the documents, the last changed first')
    .action(async (_flags: unknown, command: Command) => list(command.optsWithGlobals<LimitFlags>()))
  documents
    .command('read')
    .description('print what a document says')
    .argument('<name>', nameHelp)
    .option('--revision <n>', 'as it stood in this revision', number)
    .option('--lines', 'with the numbers of its lines')
    .action(async (name: string, _flags: unknown, command: Command) => read(name, command.optsWithGlobals<ReadFlags>()))
  documents
    .command('recollect')
    .description('find documents by what is in them, each with the passage that was found')
    .argument('<question...>', 'what to look for')
    .option('--limit <n>', 'how many at most (default: 5)', number)
    .option('--min-score <score>', 'leave out what is below this score, 0 to 1 (default: 0.2)', number)
    .action(async (question: readonly string[], _flags: unknown, command: Command) =>
      recollect(question.join(' '), { ...command.optsWithGlobals<RecollectFlags>(), ...command.opts<RecollectFlags>() }),
    )
  addDocumentHistory(documents)
  addDocumentEdits(documents)
}

function addDocumentHistory(documents: Command): void {
  documents
    .command('revisions')
    .description('print how a document was changed, the newest first')
    .argument('<name>', nameHelp)
    .option('--limit <n>', 'how many at most (default: 20)', number)
    .action(async (name: string, _flags: unknown, command: Command) =>
      revisions(name, { ...command.optsWithGlobals<LimitFlags>(), ...command.opts<LimitFlags>() }),
    )
  documents
    .command('diff')
    .description('print what a revision changed')
    .argument('<name>', nameHelp)
    .argument('<revision>', 'its number', number)
    .action(async (name: string, revision: number, _flags: unknown, command: Command) =>
      diff(name, revision, command.optsWithGlobals<DocumentFlags>()),
    )
}

async function list(flags: LimitFlags): Promise<void> {
  const { documents, empty } = await withDocuments(flags, async (documents, memory) => {
    const found = await documents.list(limitOf(flags))
    return { documents: found, empty: found.length === 0 ? await whyNone(memory, flags) : '' }
  })
  if (flags.json === true) return printJson({ documents })
  if (documents.length === 0) return note(empty)
  const width = columns()
  print(documents.map((document) => documentLines(document, width).join('\n')).join('\n\n'))
}

/** That there is none, and what makes some. */
async function whyNone(memory: Memory, flags: DocumentFlags): Promise<string> {
  if (flags.shared === true)
    return (
      `No document is shared.\nNext: ` +
      `${commandLine('documents', 'edit', 'house rules', 'What all members are to know.', ...whoseDocuments(flags))}`
    )
  const { layers } = await memory.project(flags.project ?? defaultProject).settings.get()
  const { user: _user, ...ofProject } = flags
  if (layers?.documents !== true)
    return (
      `No document, and the layer is off in this project: they are written by hand only.\nNext: ` +
      `${commandLine('settings', 'set', 'layers.documents', 'on', ...whose(ofProject))}`
    )
  const { waiting } = await memory.upkeep.status()
  return (
    'No document: nothing was read yet that is to be kept in ' +
    `one.\n${nextUpkeep(waiting, whose(flags.store === undefined ? {} : { store: flags.store }))}`
  )
}

async function read(name: string, flags: ReadFlags): Promise<void> {
  const { revision } = flags
  const document = await withDocuments(flags, async (documents) => {
    const found = await documents.read(name, revision === undefined ? {} : { revision })
    if (found === undefined) throw new NotFound({ kind: 'document', id: name })
    return found
  })
  if (flags.json === true) return printJson({ document })
  printPage(document.content, flags)
  note(documentDetails(document))
}

async function recollect(question: string, flags: RecollectFlags): Promise<void> {
  const options = { ...limitOf(flags), ...(flags.minScore === undefined ? {} : { minScore: flags.minScore }) }
  const documents = await withDocuments(flags, (documents) => documents.recollect(question, options))
  if (flags.json === true) return printJson({ documents })
  if (documents.length === 0) return note('No match: no document says any of that.')
  const width = columns()
  print(documents.map((document, place) => recollectedLines(document, place + 1, width).join('\n')).join('\n\n'))
}

async function revisions(name: string, flags: LimitFlags): Promise<void> {
  const found = await withDocuments(flags, (documents) => wholeList(flags.limit, (options) => documents.revisions(name, options)))
  if (flags.json === true) return printJson({ revisions: found })
  print(found.map((revision) => revisionLines(revision).join('\n')).join('\n\n'))
}

async function diff(name: string, revision: number, flags: DocumentFlags): Promise<void> {
  const found = await withDocuments(flags, (documents) => wholeList(mostRevisions, (options) => documents.revisions(name, options)))
  const one = revisionNumbered(found, revision, commandLine('documents', 'revisions', name, ...whoseDocuments(flags)))
  if (flags.json === true) return printJson({ revision: one })
  print(revisionLines(one).join('\n'))
}

function withDocuments<Result>(
  flags: DocumentFlags,
  use: (documents: DocumentsHandle, memory: Memory) => Promise<Result>,
): Promise<Result> {
  return withStore(flags, (handle, memory) => use(documentsOf(flags, handle, memory), memory))
}

function limitOf({ limit }: LimitFlags): { readonly limit?: number } {
  return limit === undefined ? {} : { limit }
}
