import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { VarveError } from '../../packages/varve/src/index.ts'
import { handles } from '../../packages/varve/src/operations/all.ts'
import { callsOfStore, callsOfUser } from '../fixtures/memory/every-call.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const reads = new Set(
  handles.flatMap(({ operations }) => Object.values(operations).flatMap(({ kind, name }) => (kind === 'read' ? [name] : []))),
)

test('every read is answered while another process is in the middle of a write: a read writes nothing', async () => {
  const store = newStore()
  const memory = await openForTest({ store, engine: 'inline', embeddingModel: false, isolation: 'silent' })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.append('talk', { role: 'user', content: 'I live in Oslo. The ferry leaves at nine.' })
  await ada.distil('talk')
  await ada.notes.edit('talk', '# Ferry\n\n- at nine')
  const other = new Database(store)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  const calls = { ...callsOfStore(memory), ...callsOfUser(ada) }
  const asked = Object.entries(calls).filter(([name]) => reads.has(name))
  expect(asked.length).toBeGreaterThan(50)
  const busy: string[] = []
  for (const [name, call] of asked) {
    try {
      await call()
    } catch (error) {
      if (!VarveError.is(error)) throw error
      if (error.code === 'STORE_BUSY') busy.push(name)
    }
  }
  expect(busy).toEqual([])
  other.exec('ROLLBACK')
}, 60_000)
