// The program of `npm start`: it does the main job from end to end, on a sample. Its output reads as an introduction.
import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importFile } from '../importers/import-file.ts'
import { type Memory, openMemory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { CommandError } from './command-error.ts'
import { readSessions, showBank, printFacts, showGists, switchOn } from './demo/layers.ts'
import { codingProject, showDocuments, showNotes } from './demo/pages.ts'
import { heading, quote, withTime, width } from './demo/print.ts'
import { progressBar } from './progress.ts'
import { itemCounts } from './render/account.ts'
import { hitLines } from './render/hit.ts'
import { reportFailure } from './report-failure.ts'
import { counted, paint, paragraph, print } from './terminal.ts'
import { shell } from './shell.ts'

const sample = fileURLToPath(new URL('../../../../examples/ferry-kiosk/conversations.jsonl', import.meta.url))
const store = './varve-demo.db'
const maxTokens = 400
const questions = [
  'Where does the spare key hang?',
  'What is Jule allergic to?',
  'What went wrong with the oven delivery?',
  'How much profit per portion?',
] as const
const [asked] = questions

async function importSample(handle: UserMemory): Promise<void> {
  const { result, ms } = await withTime(async () => {
    using bar = await progressBar(() => new CommandError('stopped.', { code: 'INTERRUPTED', exitCode: 130, next: 'npm start' }))
    return importFile(handle, sample, { now: Date.now, onProgress: bar.show })
  })
  heading(`Import ${relative('.', sample)}`, ms)
  const again = result.duplicates === 0 ? '' : `, ${result.duplicates} were there already`
  print(`  ${counted(result.messages, 'message')} in ${counted(result.sessions, 'session')}: ${result.stored} stored${again}.`)
}

/**
 * Makes vectors and digests, as a program that runs for a while does by itself. If reading is left for a language
 * model, which may be slow, it makes vectors only.
 */
async function embed(memory: Memory): Promise<void> {
  const { backlog, languageModel } = await memory.upkeep.status()
  const isSlow = languageModel !== undefined && backlog.gists > 0
  const { result, ms } = await withTime(() =>
    memory.upkeep.run({ maxSeconds: 60, ...(isSlow ? { kinds: ['erasures', 'embeddings'] } : {}) }),
  )
  const { embedding } = await memory.upkeep.status()
  heading('Embed the new messages, and make digests', ms)
  const by =
    embedding === undefined ? 'no model: VARVE_EMBEDDINGS is off' : `${embedding.name} (${embedding.detail}): it comes with the package`
  const done = `${counted(result.embedded, 'passage')} by ${by}. ${counted(result.digested, 'digest')} of days, weeks and months.`
  for (const line of paragraph(done, { indent: '  ', width })) print(line)
}

async function ask(handle: UserMemory, question: string): Promise<void> {
  const { result, ms } = await withTime(() => handle.recall(question, { limit: 2 }))
  heading(`Recall "${question}"`, ms)
  for (const [index, hit] of result.hits.entries()) {
    for (const line of hitLines(hit, index + 1, { width: width - 2, ids: false })) print(`  ${line}`)
  }
}

async function assemble(handle: UserMemory): Promise<void> {
  const { result, ms } = await withTime(() => handle.context({ query: asked, maxTokens }))
  heading(`Context for "${asked}"`, ms)
  const left = result.omitted.reduce((sum, { count }) => sum + count, 0)
  print(`  ${result.tokens} of at most ${maxTokens} tokens: ${itemCounts(result)}; ${left} more did not fit.\n`)
  quote(result.text)
}

/** A session with notes, and a document, where there are some. */
interface Pages {
  readonly noted: string | undefined
  readonly document: string | undefined
}

function whatNext({ noted, document }: Pages): void {
  heading('The store')
  print(`  ${resolve(store)}, ${(statSync(store).size / 1024).toFixed(0)} KiB: one SQLite file. Delete it to begin anew.`)
  heading('Type next')
  for (const command of [
    `--store ${store}`,
    `recall "who recommended the smokehouse?" --store ${store}`,
    `context "why does a bowl of soup cost seven euros?" --max-tokens 300 --store ${store}`,
    `gists show 2026-05-06-inspector-and-keys --sources --store ${store}`,
    `facts history "spare key" --store ${store}`,
    `bank --max-tokens 500 --store ${store}`,
    ...(document === undefined ? [] : [`documents revisions "${document}" --store ${store}`]),
    ...(noted === undefined ? [] : [`notes show ${noted} --project ${codingProject} --store ${store}`]),
    `serve --store ${store}`,
    '--help',
  ])
    print(`  npm run -s varve -- ${command}`)
}

async function start(): Promise<void> {
  print(`${paint('bold', 'Varve')}: long-term memory for LLM agents. No key, no network, no server.`)
  const { result: memory, ms } = await withTime(() => openMemory({ store, upkeep: 'manual' }))
  heading(`Open ${store}`, ms)
  print('  The sample is fiction: two friends turn a ticket kiosk into a soup hatch.')
  const handle = memory.for({})
  let pages: Pages = { noted: undefined, document: undefined }
  try {
    await switchOn(memory)
    await importSample(handle)
    await readSessions(memory, handle)
    await embed(memory)
    await showGists(handle)
    await printFacts(handle)
    await showBank(handle)
    const document = await showDocuments(handle)
    for (const question of questions) await ask(handle, question)
    await assemble(handle)
    pages = { noted: await showNotes(memory), document }
  } finally {
    await memory.close()
  }
  whatNext(pages)
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
try {
  await start()
} catch (error) {
  shell().exitCode = reportFailure(error, { command: undefined, file: resolve(store), flags: { store } }, false)
}
