import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Cancelled } from '../../errors/cancelled.ts'
import { importFile } from '../../importers/import-file.ts'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { revisionLines } from '../render/page.ts'
import { counted, harmless, harmlessLine, paint, paragraph, print } from '../terminal.ts'
import { heading, quote, withTime, width } from './print.ts'

const transcript = fileURLToPath(new URL('../../../../../examples/coding-session/transcript.jsonl', import.meta.url))

/** The project of the coding session: its memory is apart from the other project's. */
export const codingProject = 'hatchbell'

/** The longest time for notes. A language model may be slow; the extractive writer needs a second. */
const longestNotingMs = 12_000
const documentsShown = 2
const entriesShown = 3
/** The sections that the demo shows, by their last lines. */
const sectionsShown: ReadonlySet<string> = new Set([
  'Title',
  'Current state and next steps',
  'Task and design decisions',
  'Errors and corrections',
  'Key results',
  'Worklog',
])

/** Prints documents, and the last change of the first one. Gives the first one's name. */
export async function showDocuments(handle: UserMemory): Promise<string | undefined> {
  const { result: documents, ms } = await withTime(async () => {
    const entries = (await handle.documents.list()).toSorted((a, b) => b.revision - a.revision)
    return Promise.all(entries.slice(0, documentsShown).map(async ({ name }) => handle.documents.read(name)))
  })
  heading('Documents: pages of knowledge, from the words of persons', ms)
  if (documents.length === 0) print('  None yet: without a model a subject with a name has one from three statements on.')
  for (const document of documents) {
    if (document === undefined) continue
    print(`  ${paint('cyan', harmlessLine(document.name))}`)
    quote(document.content.trimEnd())
  }
  const [first] = documents
  if (first === undefined || first.revision === 1) return first?.name
  print(`\n  The last change of ${harmlessLine(first.name)}:\n`)
  const [last] = await handle.documents.revisions(first.name, { limit: 1 })
  for (const line of last === undefined ? [] : revisionLines(last)) hanging(line)
  return first.name
}

/** Prints a line whose continuation is indented. */
function hanging(line: string): void {
  const [first = '', ...rest] = paragraph(line, { indent: '  ', width: width - 8 })
  for (const part of [first, ...rest.map((one) => `       ${one.trimStart()}`)]) print(part)
}

/** Imports a session of a coding assistant, writes its notes, and gives back its id. */
export async function showNotes(memory: Memory): Promise<string | undefined> {
  const ilka = memory.for({ project: codingProject })
  await memory.project(codingProject).settings.set({ layers: { notes: true } })
  const { result: read, ms: importing } = await withTime(() => importFile(ilka, transcript, { now: Date.now, format: 'claude-code' }))
  heading(`Import ${relative('.', transcript)}`, importing)
  print(`  ${counted(read.messages, 'message')} of a coding assistant's session, into the project ${codingProject}.`)
  const [session] = await ilka.sessions.list({ limit: 1 })
  if (session === undefined) return undefined
  const { result: content, ms } = await withTime(() => notesInTime(ilka, session.id))
  heading('Notes: one page that follows a running session', ms)
  if (content === undefined) print('  Left for varve upkeep.')
  else for (const section of content.split(/^(?=# )/m)) showSection(section)
  return session.id
}

async function notesInTime(handle: UserMemory, session: string): Promise<string | undefined> {
  try {
    return (await handle.notes.update(session, { signal: AbortSignal.timeout(longestNotingMs) })).content
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    return undefined
  }
}

/** Prints a section with its last entries, without its guidance. */
function showSection(section: string): void {
  const [head = '', ...lines] = section.split('\n').filter((line) => line !== '' && !/^_.*_$/.test(line))
  const name = head.replace(/^# /, '')
  if (lines.length === 0 || !sectionsShown.has(name)) return
  const isCut = lines.length > entriesShown
  print(`  ${paint('bold', harmlessLine(name))}${isCut ? paint('dim', `, the last ${entriesShown} of ${lines.length} lines`) : ''}`)
  for (const line of lines.slice(-entriesShown)) for (const part of shortened(harmless(line))) print(part)
}

function shortened(line: string): string[] {
  const [first = '', second, ...rest] = paragraph(line, { indent: '    ', width: width - 4 })
  return [first, ...(second === undefined ? [] : [`  ${second}${rest.length === 0 ? '' : ' …'}`])]
}
