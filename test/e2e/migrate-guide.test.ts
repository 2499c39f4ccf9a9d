import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publicMethods } from '../../packages/varve/src/testing/isolation/public-methods.ts'
import { typedIn } from '../fixtures/cli/typed.ts'
import { fixture } from '../fixtures/importers/files.ts'
import { mem0History } from '../fixtures/importers/mem0-history.ts'
import { sampleTranscript } from '../fixtures/importers/transcript.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/migrate.md'), 'utf8')
const shared = sharedMemory()

/** The commands that the guide shows, without `npx`. */
const commands = [...guide.matchAll(/^npx varve (.+)$/gm)].map(([, line = '']) => line.split(' '))

test('each command of the guide does what it says: a dry run stores nothing, and a second run adds nothing', async () => {
  const { varve, home, store } = typedIn('guide')
  const at = (path: string): string => path.replace(/^~/, home)
  const files: Readonly<Record<string, () => void>> = {
    'memories.json': () => copyFileSync(fixture('mem0.json'), join(home, 'memories.json')),
    'history.db': () => void mem0History(join(home, 'history.db')).close(),
    'langchain.json': () => copyFileSync(fixture('langchain.json'), join(home, 'langchain.json')),
    'items.json': () => copyFileSync(fixture('openai-agents.json'), join(home, 'items.json')),
    'memory.jsonl': () => copyFileSync(fixture('server-memory.jsonl'), join(home, 'memory.jsonl')),
    vault: () => {
      mkdirSync(join(home, 'vault'))
      writeFileSync(join(home, 'vault', 'Kiosk.md'), '# Kiosk\nOpens at nine.\n')
    },
    '~/.claude/projects': () => {
      mkdirSync(join(home, '.claude/projects/-srv-kiosk'), { recursive: true })
      copyFileSync(sampleTranscript, join(home, '.claude/projects/-srv-kiosk/5d1f0c7e.jsonl'))
    },
  }
  const given = new Set(commands.map(([, path = '']) => path))
  expect([...given].toSorted()).toEqual(Object.keys(files).toSorted())
  for (const make of Object.values(files)) make()
  for (const [, path = '', ...flags] of commands) {
    const args = ['import', path.startsWith('~') ? at(path) : join(home, path), ...flags]
    const before = existsSync(store)
    const first = await varve(args)
    expect(first, args.join(' ')).toMatchObject({ code: 0 })
    if (!flags.includes('--dry-run')) expect((await varve(args)).stdout).toMatch(/^0 stored, (?:0 updated, )?[1-9][\d,]* there already/m)
    else {
      expect(existsSync(store)).toBe(before)
      expect(first.stdout).toMatch(/^[1-9][\d,]* to store, \d+ there already/m)
    }
  }
  expect(commands.length).toBeGreaterThanOrEqual(8)
})

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
