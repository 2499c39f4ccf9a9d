import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publicMethods } from '../../packages/varve/src/testing/isolation/public-methods.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/migrate.md'), 'utf8')
const shared = sharedMemory()

test('every call of the guide is a method of its handle', () => {
  const { memory } = shared
  const handles = { ada: memory.for('ada'), acme: memory.project('acme'), memory }
  const named = [...guide.matchAll(/\b(ada|acme|memory)\.([\w.]+)\(/g)].map(([, handle = '', path = '']) => [handle, path] as const)
  expect(named.length).toBeGreaterThan(40)
  for (const [handle, path] of named) {
    const of = Object.entries(handles).find(([name]) => name === handle)?.[1]
    expect(publicMethods(of ?? {}), `${handle}.${path}`).toContain(path)
  }
})

test('what the guide says of things that are not there', async () => {
  const ada = shared.user()
  expect(await ada.messages('nowhere')).toEqual([])
  expect(await ada.blocks.get('none')).toBeUndefined()
  expect(await ada.documents.read('none')).toBeUndefined()
  await expect(ada.sessions.get('nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(ada.notes.update('nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await ada.recall('zebra')).toMatchObject({ hits: [] })
})

test('what the guide says of an id that is there, of separators and of lines', async () => {
  const ada = shared.user()
  await ada.append('talk', { role: 'user', content: 'the ferry leaves at nine', id: 'own-1' })
  const { duplicates } = await ada.append('talk', { role: 'user', content: 'the ferry leaves at ten', id: 'own-1' })
  expect(duplicates).toEqual(['own-1'])
  expect((await ada.messages('talk')).map(({ content }) => content)).toEqual(['the ferry leaves at nine'])
  await ada.blocks.set('list', 'rope')
  expect((await ada.blocks.append('list', 'tar')).text).toBe('rope\ntar')
  expect((await ada.blocks.append('list', '!', { separator: '' })).text).toBe('rope\ntar!')
  await ada.documents.edit('Pier', 'one\ntwo\nthree')
  await ada.documents.edit('Pier', [{ tool: 'replace_lines', from: 1, to: 2, text: 'first' }])
  expect((await ada.documents.read('Pier'))?.content).toBe('first\nthree')
  await expect(ada.documents.edit('Pier', [{ tool: 'replace_lines', from: 0, to: 1, text: 'x' }])).rejects.toMatchObject({
    code: 'OPTION_INVALID',
  })
})
