import { expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { shinglesIn, shinglesOf } from '../../packages/varve/src/messages/echo.ts'
import { Preparation } from '../../packages/varve/src/log/preparation.ts'
import { sessionName } from '../../packages/varve/src/scope/partition.ts'
import { saveContext } from '../../packages/varve/src/storage/log/contexts.ts'
import { appendMessages } from '../../packages/varve/src/storage/log/append.ts'
import type { Connection } from '../../packages/varve/src/storage/sqlite/connection.ts'
import { execute, runStep } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { asPrepared, monday, prepared, talkSession, userOf } from '../../packages/varve/src/testing/store/check.ts'
import { newStore } from '../fixtures/memory/open.ts'

const ada = userOf('acme', 'ada')
const key = 'key'

function connected(file: string): Connection {
  const connection = openConnection(file)
  onTestFinished(() => void connection.close())
  return connection
}

function show(connection: Connection, words: string): void {
  execute(
    connection,
    saveContext(ada, talkSession, { id: uuidv7(monday), messages: [], shingles: shinglesOf(words, key), epochs: [] }, monday),
  )
}

test('what another process showed to another session is known, also when it is told while an older state is read', () => {
  const file = newStore()
  const [newer, older] = [connected(file), connected(file)]
  migrate(newer, { file, now: 0, identity: { id: 'store', key } })
  execute(newer, appendMessages(ada, talkSession, asPrepared([prepared('the ferry leaves at nine')]), monday))
  show(newer, 'the first ferry of the day leaves the island at nine')
  const preparation = new Preparation(key)
  const elsewhere = (connection: Connection): number =>
    execute(connection, preparation.state(ada, sessionName('other'))).shown.elsewhere.size
  older.exec('BEGIN')
  expect(elsewhere(older)).toBe(1)
  for (let shown = 2; shown <= 4; shown += 1) {
    show(newer, `the ferry number ${shown} of the day leaves the mainland at ten`)
    expect(elsewhere(newer)).toBe(shown)
    expect(elsewhere(older)).toBe(1)
    preparation.forget()
    expect(elsewhere(older)).toBe(1)
  }
  older.exec('COMMIT')
  expect(elsewhere(older)).toBe(4)
  expect(execute(newer, preparation.state(ada, talkSession)).shown.elsewhere.size).toBe(0)
})

test('who reads an older state of what a session was shown takes nothing from who reads a newer one meanwhile', () => {
  const file = newStore()
  const [newer, older] = [connected(file), connected(file)]
  migrate(newer, { file, now: 0, identity: { id: 'store', key } })
  execute(newer, appendMessages(ada, talkSession, asPrepared([prepared('the ferry leaves at nine')]), monday))
  show(newer, 'the first ferry of the day leaves the island at nine')
  older.exec('BEGIN')
  const preparation = new Preparation(key)
  const first = execute(older, preparation.state(ada, talkSession)).shown.here.size
  const second = 'the last ferry of the day leaves the mainland at ten'
  show(newer, second)
  expect(execute(newer, preparation.state(ada, talkSession)).shown.here.size).toBe(first + 1)
  // The older program reads at one step of the newer one, at each in turn.
  let steps = 1
  for (let at = 0; at < steps; at += 1) {
    steps = 0
    const reading = preparation.state(ada, talkSession)
    let next = reading.next()
    for (; next.done !== true; steps += 1) {
      const rows = runStep(newer, next.value)
      if (steps === at) expect(execute(older, preparation.state(ada, talkSession)).shown.here.size).toBe(first)
      next = reading.next(rows)
    }
    const { shown } = next.value
    expect([...shinglesIn(shinglesOf(second, key))].every((hash) => shown.here.has(hash))).toBe(true)
  }
  expect(steps).toBeGreaterThan(2)
  older.exec('COMMIT')
})
