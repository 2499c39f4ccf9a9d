import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { serve } from '../fixtures/distil/open.ts'
import { hour } from '../fixtures/distil/talk.ts'
import { linesUnder, logged } from '../fixtures/notes/noting.ts'
import type { NotesArguments, NotesLine } from './children/notes-child.ts'
import { Child } from './support/child.ts'
import { seeded } from './support/disk.ts'
import { temporaryFolder } from './support/folder.ts'
import { scaled, summarise } from './support/scale.ts'

const kills = scaled(3, 80)
const longestMs = 250
const modelMs = 60

/** The invariants of notes, each with a query for violations. */
const invariants: readonly (readonly [what: string, sql: string])[] = [
  ['an empty page', "SELECT id FROM page WHERE trim(content) = ''"],
  ['a page that is its template alone', 'SELECT id FROM page WHERE revision < 2'],
  [
    'a cursor beyond its session',
    'SELECT p.id FROM page p JOIN session s ON s.id = p.session_id WHERE p.noted_seq > s.seq OR p.noted_tokens > s.main_tokens ' +
      'OR p.noted_calls > s.main_calls',
  ],
  ['a page without a cursor', 'SELECT id FROM page WHERE noted_seq = 0 OR noted_tokens = 0'],
  [
    'a page that is not its newest revision',
    'SELECT p.id FROM page p LEFT JOIN page_revision r ON r.page_id = p.id AND r.revision = p.revision AND r.content = ' +
      'p.content WHERE r.page_id IS NULL',
  ],
  ['a revision beyond its page', 'SELECT r.page_id FROM page_revision r JOIN page p ON p.id = r.page_id WHERE r.revision > p.revision'],
]

function problemsOf(store: string, root: string): string[] {
  const connection = new Database(store, { readonly: true })
  const broken = invariants.filter(([, sql]) => connection.prepare(sql).get() !== undefined).map(([what]) => what)
  connection.close()
  return [...broken, ...halfFiles(root)]
}

/** Returns files of notes that were not written whole. */
function halfFiles(root: string): string[] {
  // The first process may be killed before there is a folder.
  if (!existsSync(root)) return []
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  return files
    .filter((name) => {
      const [mark = '', ...lines] = readFileSync(join(root, name), 'utf8').split('\n')
      return /([\da-f]{16})\. Edit/.exec(mark)?.[1] !== createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
    })
    .map((name) => `half a file: ${name}`)
}

async function harness() {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  // Most of an update is waiting for its model.
  const server = await serve((request) => ({ ...logged(request), delayMs: modelMs }))
  const [store, root] = [folder.file('store.db'), folder.file('notes')]
  const child = (args: Pick<NotesArguments, 'name' | 'rounds' | 'aheadMs'>): Child<NotesLine> =>
    new Child<NotesLine>('notes-child.ts', { store, root, ...args } satisfies NotesArguments, {
      environment: { VARVE_MODEL_URL: server.url, VARVE_MODEL: 'scripted', VARVE_MODEL_WINDOW: '32768', VARVE_EMBEDDINGS: 'off' },
    })
  return { server, store, root, child }
}

describe('kill -9 while notes are written', () => {
  it(
    'leaves no empty page, no half file and no lost message, and the next process goes on',
    { timeout: scaled(150_000, 1_800_000) },
    async () => {
      const { store, root, child, server } = await harness()
      const random = seeded(7)
      const problems: string[] = []
      let [acknowledged, midWork] = [0, 0]
      for (let round = 0; round < kills && problems.length === 0; round += 1) {
        const one = child({ name: `r${round}`, rounds: 1_000, aheadMs: round * hour })
        // The first round waits for none: the page is made then.
        const wanted = round === 0 ? 0 : 1 + Math.floor(random() * 3)
        await one.line(({ type }) => type === 'opened' || type === 'failed')
        while (one.lines.filter(({ type }) => type === 'updated').length < wanted && !one.lines.some(({ type }) => type === 'failed'))
          await sleep(5)
        await sleep(random() * longestMs)
        one.kill()
        const { stderr } = await one.ended
        problems.push(
          ...one.lines.flatMap((line) => (line.type === 'failed' ? [`round ${round}: ${line.code} ${stderr}`] : [])),
          ...problemsOf(store, root).map((problem) => `round ${round}: ${problem}`),
        )
        const last = one.lines.findLast((line) => line.type === 'updated')
        await using memory = await openMemory({ store, upkeep: 'manual', languageModel: false, logger: { warn: () => undefined } })
        const ada = memory.for('ada')
        const [notes, messages] = [await ada.notes.get('monday'), await ada.messages('monday', { limit: 1 })]
        if (last !== undefined && (notes?.revision ?? 0) < last.revision)
          problems.push(`round ${round}: revision ${last.revision} was acknowledged, and ${notes?.revision} stands`)
        if ((messages[0]?.seq ?? 0) > (notes?.upTo ?? 0)) midWork += 1
        acknowledged += one.lines.filter(({ type }) => type === 'updated').length
      }
      const last = child({ name: 'last', rounds: 1, aheadMs: kills * hour })
      const end = await last.line(({ type }) => type === 'updated' || type === 'failed')
      await last.ended
      problems.push(...problemsOf(store, root))
      summarise(
        `kill -9 while notes are written: ${kills} kills, ${midWork} with messages not noted, ${acknowledged} updates ` +
          `acknowledged, ${server.count} calls, ${problems.length} problems`,
      )
      expect(problems).toEqual([])
      expect(acknowledged).toBeGreaterThan(0)
      expect(midWork).toBeGreaterThan(0)
      await using memory = await openMemory({
        store,
        upkeep: 'manual',
        languageModel: false,
        logger: { warn: () => undefined },
        notesDirectory: root,
      })
      const notes = await memory.for('ada').notes.get('monday')
      expect(end).toMatchObject({ type: 'updated', upTo: notes?.upTo })
      // The newest lines of the killed processes stand there, each once.
      const said = (await memory.for('ada').messages('monday', { limit: 10 })).map(({ content }) => `- ${content.slice(0, 80)}`)
      expect(linesUnder(notes?.content ?? '', 'Worklog').slice(-said.length)).toEqual(said)
    },
  )
})

it(
  'two processes that update one session’s notes by hand, all the time, are one writer: what each said stands once, and the file ' +
    'says what the store says',
  async () => {
    const { store, root, child, server } = await harness()
    const rounds = 12
    const both = [child({ name: 'one', rounds, aheadMs: 0 }), child({ name: 'two', rounds, aheadMs: 0 })]
    for (const one of both) {
      await one.ended
      expect(one.lines.filter(({ type }) => type === 'failed')).toEqual([])
      expect(one.lines.at(-1)).toEqual({ type: 'done' })
    }
    await using memory = await openMemory({
      store,
      upkeep: 'manual',
      languageModel: false,
      logger: { warn: () => undefined },
      notesDirectory: root,
    })
    const notes = await memory.for('ada').notes.get('monday')
    const told = linesUnder(notes?.content ?? '', 'Worklog').map((line) => / ((?:one|two)-\d+) /.exec(line)?.[1])
    expect(told.toSorted()).toEqual(
      ['one', 'two'].flatMap((name) => Array.from({ length: rounds }, (_, place) => `${name}-${place + 1}`)).toSorted(),
    )
    expect(notes).toMatchObject({ upTo: 2 * rounds })
    expect(readFileSync(notes?.path ?? '', 'utf8')).toContain(notes?.content)
    expect(problemsOf(store, root)).toEqual([])
    // No message was sent to the model twice.
    expect(server.count).toBeLessThanOrEqual(2 * rounds)
  },
)
