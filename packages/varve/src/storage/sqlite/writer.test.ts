import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MemoryClosed } from '../../errors/memory-closed.ts'
import { NotFound } from '../../errors/not-found.ts'
import { StoreBusy } from '../../errors/store-busy.ts'
import { projects, setProjectSettings } from '../partitions.ts'
import type { Program } from '../program.ts'
import { execute } from './execute.ts'
import { migrate } from './migrate.ts'
import { openConnection } from './open-connection.ts'
import { Writer } from './writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'varve-writer-'))
afterAll(() => rmSync(folder, { recursive: true }))

function open(name: string): Writer {
  const file = join(folder, name)
  const connection = openConnection(file)
  migrate(connection, { file, now: 0, identity: { id: 'store', key: 'key' } })
  return new Writer(file, connection, () => openConnection(file))
}

function* refused(): Program<void> {
  yield* setProjectSettings('half done', {}, 0)
  throw new NotFound({ kind: 'session', id: 'x' })
}

const names = (writer: Writer): string[] => execute(writer.connection, projects({ limit: 10 })).items.map(({ name }) => name)

test('a refused request takes nothing with it from the commit that it shares', async () => {
  const writer = open('shared.db')
  const settled = await Promise.allSettled([
    writer.write(() => setProjectSettings('a', {}, 0)),
    writer.write(refused),
    writer.write(() => setProjectSettings('b', {}, 0)),
  ])
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(names(writer)).toEqual(['a', 'b'])
  await expect(writer.write(refused)).rejects.toBeInstanceOf(NotFound)
  expect(names(writer)).toEqual(['a', 'b'])
  writer.close()
})

test('a connection that was lost is opened anew for the next request', async () => {
  const writer = open('lost.db')
  await writer.write(() => setProjectSettings('a', {}, 0))
  writer.connection.close()
  await writer.write(() => setProjectSettings('b', {}, 0))
  expect(names(writer)).toEqual(['a', 'b'])
  expect(writer.connection.pragma('synchronous', { simple: true })).toBe(2)
  writer.close()
})

test('what waits when the store is closed is written first, and nothing after it', async () => {
  const writer = open('closed.db')
  const waiting = writer.write(() => setProjectSettings('late', {}, 0))
  writer.close()
  await waiting
  await expect(writer.write(() => setProjectSettings('too late', {}, 0))).rejects.toBeInstanceOf(MemoryClosed)
  const again = open('closed.db')
  expect(names(again)).toEqual(['late'])
  again.close()
})

test('a request with brief patience waits for a lock briefly, and the next one not at all; others wait as before', async () => {
  const writer = open('locked.db')
  const other = openConnection(join(folder, 'locked.db'))
  other.exec('BEGIN IMMEDIATE')
  const before = performance.now()
  for (let time = 0; time < 40; time += 1)
    await expect(writer.write(() => setProjectSettings('brief', {}, 0), 1, 'brief')).rejects.toBeInstanceOf(StoreBusy)
  expect(performance.now() - before).toBeLessThan(1_500)
  expect(writer.connection.pragma('busy_timeout', { simple: true })).toBe(5_000)
  other.exec('ROLLBACK')
  other.close()
  await writer.write(() => setProjectSettings('brief', {}, 0), 1, 'brief')
  expect(names(writer)).toEqual(['brief'])
  writer.close()
})
