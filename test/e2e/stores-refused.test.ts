import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { InvalidConfiguration, openMemory, StoreForeign } from '../../packages/varve/src/index.ts'
import { newHome, type Outcome, typedHere } from '../fixtures/cli/in-process.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

let home: string
const before = process.cwd()
beforeAll(() => {
  home = newHome('places')
})
afterAll(() => process.chdir(before))

const inMemory = ['memory:', 'Memory:', ':memory:', 'sqlite::memory:', 'sqlite:///:memory:', 'file::memory:']
const otherStores = [
  'in-memory',
  'chroma',
  'varve',
  'redis://localhost:6379/0',
  'mysql://localhost/varve',
  'libsql:varve.db',
  'postgres://',
  'file::memory:?cache=shared',
  'file:varve.db?mode=memory',
  'sqlite://varve.db',
  'sqlite:./varve.db?cache=shared',
  './data/',
  './varve.db ',
  String.raw`C:\varve.db`,
]
const otherFolders = ['notes', 'true', 's3://bucket/notes', 'file:///srv/notes', './notes ']

function typed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  return typedHere(args, { env: { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off', ...env } })
}

test.each(inMemory)('%s keeps its words in memory, and makes no file', async (store) => {
  const memory = await openForTest({ store })
  await memory.for('ada').append('monday', { role: 'user', content: 'The pin is in the drawer.' })
  expect((await memory.for('ada').recall('pin')).hits).toHaveLength(1)
  expect(readdirSync(home)).toEqual([])
})

test.each(otherStores)('the store %s is refused, as an option, a flag and a variable, and makes no file', async (store) => {
  expect(await rejection(openMemory({ store }))).toBeInstanceOf(InvalidConfiguration)
  for (const refused of [
    await typed(['append', 'monday', 'Hello', '--store', store]),
    await typed(['append', 'monday', 'Hello'], { VARVE_STORE: store }),
  ]) {
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/(?:write|leave)/)
  }
  expect(readdirSync(home)).toEqual([])
})

test.each(inMemory)('the command refuses %s, which ends with it', async (store) => {
  expect(await typed(['append', 'monday', 'Hello', '--store', store])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('memory:'),
  })
  expect(readdirSync(home)).toEqual([])
})

test.each(otherFolders)('the folder of notes %s is refused, and nothing is made', async (notesDirectory) => {
  expect(await rejection(openMemory({ store: 'memory:', notesDirectory }))).toBeInstanceOf(InvalidConfiguration)
  const append = ['append', 'monday', 'Hello', '--store', './varve.db']
  expect(await typed([...append, '--notes-directory', notesDirectory])).toMatchObject({ code: 2 })
  expect(await typed(append, { VARVE_NOTES_DIRECTORY: notesDirectory })).toMatchObject({ code: 2 })
  expect(readdirSync(home)).toEqual([])
})

test('a folder, and a file that is no store, are refused as stores, and a file is refused as a folder of notes', async () => {
  const folder = join(home, 'a-folder')
  const text = join(folder, 'text.md')
  mkdirSync(folder)
  writeFileSync(text, 'words')
  for (const store of [folder, text, `sqlite:${folder}`, `file://${text}`])
    expect(await rejection(openMemory({ store }))).toBeInstanceOf(StoreForeign)
  const refused = await rejection(openMemory({ store: 'memory:', notesDirectory: text }))
  expect(refused).toBeInstanceOf(InvalidConfiguration)
  expect(String(refused)).toMatch(/is a file; write the path of a folder/)
  expect(readdirSync(folder)).toEqual(['text.md'])
})
