import { afterAll, describe, expect, it } from 'vitest'
import { deleteDocument, editDocument, restoreDocument } from '../../packages/varve/src/documents/write-documents.ts'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { DiskFull } from '../../packages/varve/src/index.ts'
import { deleteNotes, replaceNotes, restoreNotes } from '../../packages/varve/src/notes/write-notes.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { eraseProject } from '../../packages/varve/src/storage/erase/erasure.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import type { Connection } from '../../packages/varve/src/storage/sqlite/connection.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { Writer } from '../../packages/varve/src/storage/sqlite/writer.ts'
import { monday } from '../../packages/varve/src/testing/store/check.ts'
import { forgetting, note, replacing, tell, workAllIn } from '../fixtures/pages/engine.ts'
import { failingConnection } from '../fixtures/pages/failing.ts'
import { pageProblems } from '../fixtures/pages/inspect.ts'

const ada = partitionId(projectName('acme'), { kind: 'user', name: 'ada' })
const [talk, other] = [sessionName('talk'), sessionName('other')]
const said = (subject: string, what: string) => ({ subject, fact: `Our ${subject} ${what}` })
const byHand = { writer: 'person', isTool: false, during: undefined }
const unchanged = { description: undefined, maxChars: undefined, revision: undefined }

/** Fills a store: a bakery in two sessions, a smithy, and notes. Some facts wait to be worked in, some messages to be noted. */
async function filled(writer: Writer): Promise<readonly string[]> {
  const ids = await writer.write(() =>
    tell(ada, talk, [said('bakery', 'opens at 7'), said('bakery', 'sells rye'), said('smithy', 'is old')]),
  )
  await writer.write(() => workAllIn(ada, 'extractive'))
  await writer.write(() => note(ada, talk, 'extractive'))
  await writer.write(() => tell(ada, other, [said('bakery', 'closes at 9')]))
  await writer.write(() => workAllIn(ada, 'model'))
  await writer.write(() =>
    editDocument(ada, 'bakery', { ...unchanged, edits: [{ tool: 'append', text: '- Ask for Mira.' }] }, byHand, monday),
  )
  await writer.write(() => tell(ada, talk, [said('smithy', 'has two fires'), said('ferry', 'is late')]))
  return ids
}

const writes: Readonly<Record<string, (ids: readonly string[]) => Program<unknown>>> = {
  'an edit by hand': () =>
    editDocument(ada, 'bakery', { ...unchanged, edits: [{ tool: 'append', text: '- Knock twice.' }] }, byHand, monday),
  'a new document by an agent': () =>
    editDocument(ada, 'harbour', { ...unchanged, content: '# Harbour\n- open' }, { writer: 'agent', isTool: true, during: talk }, monday),
  'a restored document': () => restoreDocument(ada, 'bakery', { revision: 1 }, 'person', monday),
  'facts worked in as bullets': () => workAllIn(ada, 'extractive'),
  'facts worked in by a model': () => workAllIn(ada, 'model'),
  'notes that are brought up to date': () => note(ada, talk, 'model'),
  'the first notes': () => note(ada, other, 'extractive'),
  'notes that are edited': () => replaceNotes(ada, talk, { content: '# Mine\n- Knock twice.', revision: undefined }, 'person', monday),
  'notes that are restored': () => restoreNotes(ada, talk, { revision: 1 }, 'person', monday),
  'a replaced message': ([, id = '']) => replacing(ada, id, said('bakery', 'sells nothing')),
  'a forgotten message': ([, id = '']) => forgetting(ada, { messages: [id] }),
  'a forgotten session': () => forgetting(ada, { session: talk }),
  'all that is forgotten': () => forgetting(ada, { all: true }),
  'a deleted document': () => deleteDocument(ada, { name: 'bakery' }, uuidv7(monday), monday),
  'deleted notes': () => deleteNotes(ada, { session: talk }, uuidv7(monday), monday),
  'a deleted project': () => eraseProject('acme', uuidv7(monday), monday),
}

/** Returns every row of every table. */
function everything(connection: Connection): string {
  const tables = connection
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
  return JSON.stringify(tables.map(({ name }) => [name, connection.prepare(`SELECT * FROM "${name}"`).all()]))
}

let failed = 0
afterAll(() => console.log(`faults: pages: each of ${failed} statements failed once`))

describe('when the n-th statement of a writing fails, for each n, nothing of it stands, and done again it does:', () => {
  it.each(Object.entries(writes))('%s', async (_, write) => {
    const store = openConnection(':memory:')
    migrate(store, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
    const failing = failingConnection(store)
    const writer = new Writer(':memory:', failing.connection, () => expect.unreachable('a full disk breaks no connection'))
    const ids = await filled(writer)
    const before = everything(store)
    let nth = 0
    for (;;) {
      nth += 1
      failing.failAt(nth)
      const refused: unknown = await writer
        .write(() => write(ids))
        .then(
          () => undefined,
          (error: unknown) => error,
        )
      if (refused === undefined) break
      expect(refused).toBeInstanceOf(DiskFull)
      expect(everything(store), `statement ${nth}`).toBe(before)
    }
    // In the last try no statement was left to fail.
    expect(failing.hasFailed).toBe(false)
    failing.failAt(0)
    expect(nth).toBeGreaterThan(8)
    expect(everything(store)).not.toBe(before)
    expect(pageProblems(store)).toEqual([])
    failed += nth - 1
    writer.close()
  })
})
