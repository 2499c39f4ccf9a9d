import { expect, onTestFinished, test } from 'vitest'
import { heldBack } from '../../../../../test/fixtures/hostile/check.ts'
import { hostileTexts } from '../../../../../test/fixtures/hostile/attacks.ts'
import { canary, tracesOf } from '../../../../../test/fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../../../../../test/fixtures/memory/open.ts'
import { sharedMemory } from '../../../../../test/fixtures/memory/shared.ts'
import { openMemory } from '../../memory/memory.ts'
import { maxFileChars, MemoryFolder } from './memory-folder.ts'
import { memoryFileName, pathOfName } from './memory-paths.ts'
import { MemoryToolRefusal } from './memory-refusal.ts'
import { memoryTool, type VarveMemoryTool } from './memory-tool.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })
const made = (path: string): string => `File created successfully at: ${path}`

test('each path has a document of its own, and simple paths are its name', () => {
  const paths = ['/memories/a_b.md', '/memories/a-b.md', '/memories/A_b.md', '/memories/a/b.md', '/memories/a b.md', '/memories/a_b_md']
  expect(new Set(paths.map(memoryFileName)).size).toBe(paths.length)
  expect(memoryFileName('/memories/travel_plans.md')).toBe('/memories/travel_plans.md')
  for (const path of paths) expect(pathOfName(memoryFileName(path))).toBe(path)
  for (const name of ['Harbour', '/memories/a/b.md', '/memories/a/b.md ~0123456789abcdef']) expect(pathOfName(name)).toBeUndefined()
})

test('paths that differ in case or in a sign are files of their own', async () => {
  const ada = shared.user()
  const tool = memoryTool(ada)
  const paths = ['/memories/a_b.md', '/memories/a-b.md', '/memories/A-B.md', '/memories/a/b.md', '/memories/a b.md']
  for (const path of paths) expect(await tool.create({ path, file_text: `of ${path}` })).toBe(made(path))
  for (const path of paths) expect(await tool.view({ path })).toContain(`of ${path}`)
})

test('a file is a document: an agent’s words, with revisions to restore, found by recall, and in the export', async () => {
  const ada = shared.user()
  const tool = memoryTool(ada, { writer: 'claude' })
  const path = '/memories/harbour.md'
  await tool.create({ path, file_text: 'The ferry leaves at nine.\n' })
  await tool.str_replace({ path, old_str: 'nine', new_str: 'ten' })
  expect(await ada.documents.read(path)).toMatchObject({ writer: 'claude', revision: 2, content: 'The ferry leaves at ten.\n' })
  const found = await ada.documents.recollect('When does the ferry leave?')
  expect(found.map(({ name, passage }) => [name, passage])).toEqual([[path, 'The ferry leaves at ten.']])
  expect((await Array.fromAsync(ada.export())).join('')).toContain('The ferry leaves at ten.')
  await ada.documents.restore(path, 1)
  expect(await tool.view({ path })).toContain('The ferry leaves at nine.')
  await expect(ada.facts.list()).resolves.toHaveLength(0)
})

test('what the agent wrote in a session is forgotten with that session', async () => {
  const ada = shared.user()
  const tool = memoryTool(ada, { session: 'monday' })
  await ada.append('monday', { role: 'user', content: 'My berth is number quartzite.' })
  await tool.create({ path: '/memories/berth.md', file_text: 'The berth is quartzite.' })
  await memoryTool(ada).create({ path: '/memories/other.md', file_text: 'The sea is blue.' })
  await ada.forget({ session: 'monday' })
  const left = (await Array.fromAsync(ada.export())).join('')
  expect(left).not.toContain('quartzite')
  expect(await tool.view({ path: '/memories/other.md' })).toContain('The sea is blue.')
})

// requirement: P3.1
test('a deleted file leaves no byte in the store, of its name and its past revisions either', async () => {
  const store = newStore()
  const ada = (await openForTest({ store, embeddingModel: false, languageModel: false })).for('ada')
  const tool = memoryTool(ada)
  const words = Array.from({ length: 6 }, () => canary())
  const [first, second, third, folder, name, whole] = words
  const [path, moved] = [`/memories/${folder}/a.md`, `/memories/${name}.md`]
  await tool.create({ path, file_text: `It is ${first}.` })
  await tool.str_replace({ path, old_str: String(first), new_str: String(second) })
  await tool.insert({ path, insert_line: 0, insert_text: String(third) })
  await tool.rename({ old_path: path, new_path: moved })
  await tool.create({ path, file_text: String(whole) })
  expect(tracesOf(words, store)).not.toEqual([])
  await tool.delete({ path: moved })
  await tool.delete({ path: `/memories/${folder}` })
  expect(tracesOf(words, store)).toEqual([])
})

test('no spelling of a path reaches another file, or leaves the folder', async () => {
  const ada = shared.user()
  const tool = memoryTool(ada)
  await tool.create({ path: '/memories/a.md', file_text: 'mine' })
  const near = [
    '/memories/%61.md',
    '/memories/A.md',
    '/memories/a.md ',
    '/memories/\u0430.md',
    '/memories/a\u0301.md',
    '/memories/..%2fa.md',
  ]
  const others = [...near, '/memories/a．md', '/memories\\a.md', '/Memories/a.md', '/memories/\u200ba.md', `/memories/${'a'.repeat(9_000)}`]
  for (const path of others) await expect(tool.view({ path }), path).rejects.toThrow(MemoryToolRefusal)
  const out = ['/memories/../a', '/memories/../../etc/passwd', '/memories/b/../../x', '/memories/a\0.md', '/etc/passwd', '../a.md', '']
  for (const path of out) {
    await expect(tool.create({ path, file_text: 'theirs' }), path).rejects.toThrow(MemoryToolRefusal)
    await expect(tool.rename({ old_path: '/memories/a.md', new_path: path }), path).rejects.toThrow(MemoryToolRefusal)
    await expect(tool.delete({ path }), path).rejects.toThrow(MemoryToolRefusal)
  }
  for (const path of near) expect(await tool.create({ path, file_text: `of ${path}` })).toBe(made(path))
  for (const path of near) expect(await tool.view({ path })).toContain(`of ${path}`)
  expect(await tool.view({ path: '/memories/./b/..//a.md' })).toContain('mine')
  expect((await Array.fromAsync(ada.documents.list({ limit: 100 }))).length).toBe(near.length + 1)
})

test('a user’s files are nobody else’s, and the project’s documents are no files', async () => {
  const ada = shared.memory.for({ project: 'files', user: 'ada' })
  const bob = shared.memory.for({ project: 'files', user: 'bob' })
  await memoryTool(ada).create({ path: '/memories/a.md', file_text: 'of Ada' })
  await shared.memory.project('files').documents.edit('/memories/shared.md', 'of all')
  const theirs = memoryTool(bob)
  expect((await theirs.view({ path: '/memories' })).split('\n')).toHaveLength(2)
  for (const path of ['/memories/a.md', '/memories/shared.md'])
    await expect(theirs.view({ path })).rejects.toThrow(`The path ${path} does not exist. Please provide a valid path.`)
  expect(await theirs.create({ path: '/memories/shared.md', file_text: 'of Bob' })).toBe(made('/memories/shared.md'))
  expect(await shared.memory.project('files').documents.read('/memories/shared.md')).toMatchObject({ content: 'of all' })
})

test('two agents that edit one file at once lose nothing', async () => {
  const ada = shared.user()
  const [one, two] = [memoryTool(ada, { writer: 'one' }), memoryTool(ada, { writer: 'two' })]
  const path = '/memories/log.md'
  await one.create({ path, file_text: '' })
  const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`)
  await Promise.all(lines.map((text, at) => (at % 2 === 0 ? one : two).insert({ path, insert_line: 0, insert_text: text })))
  const { content } = (await ada.documents.read(path)) ?? { content: '' }
  expect(content.split('\n').sort()).toEqual(['', ...lines].sort())
  const racing = await Promise.allSettled([one, two].map((tool) => tool.create({ path: '/memories/new.md', file_text: 'mine' })))
  expect(racing.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a file that is edited while it is moved keeps the edit', async () => {
  const ada = shared.user()
  const path = '/memories/a.md'
  const tool = memoryTool(ada)
  await tool.create({ path, file_text: 'first' })
  let reads = 0
  const documents = {
    list: ada.documents.list.bind(ada.documents),
    delete: ada.documents.delete.bind(ada.documents),
    edit: ada.documents.edit.bind(ada.documents),
    read: async (...given: Parameters<typeof ada.documents.read>) => {
      const found = await ada.documents.read(...given)
      if (given[0] === path && (reads += 1) === 2) await tool.insert({ path, insert_line: 1, insert_text: 'second' })
      return found
    },
  }
  await memoryTool({ documents }).rename({ old_path: path, new_path: '/memories/b.md' })
  expect(reads).toBeGreaterThan(2)
  expect((await ada.documents.read('/memories/b.md'))?.content).toBe('first\nsecond')
  expect(await ada.documents.read(path)).toBeUndefined()
})

test('hostile content and names are shown as data, and stored as they are', async () => {
  const ada = shared.user()
  const tool = memoryTool(ada)
  for (const [place, attack] of hostileTexts.entries()) {
    if (attack.isLong === true || attack.text.includes('\0') || attack.isName === true) continue
    const path = `/memories/f${place}.md`
    await tool.create({ path, file_text: attack.text })
    if (['chat template', 'template look-alike', 'fence', 'tag characters', 'directions', 'unseen'].includes(attack.family))
      expect(heldBack(await tool.view({ path }), attack), attack.text).toEqual([])
    expect((await ada.documents.read(path))?.content).toBe(attack.text)
  }
  // A line end in a name would forge rows of a listing.
  await expect(tool.create({ path: '/memories/a\n4K\t/memories/b', file_text: '' })).rejects.toThrow('no file name can have')
})

const wrong: readonly [string, (tool: VarveMemoryTool, not: ReturnType<typeof JSON.parse>) => Promise<string>, string][] = [
  ['a path that is no text', (tool, path) => tool.view({ path }), 'Invalid `path` parameter: it must be a text.'],
  ['a second name for a file', (tool) => tool.view({ path: '/memoriesa.md' }), 'Path must start with /memories, got: /memoriesa.md'],
  ['a file without text', (tool, not) => tool.create({ path: '/memories/b.md', file_text: not }), 'Invalid `file_text` parameter'],
  ['a NUL', (tool) => tool.create({ path: '/memories/b.md', file_text: 'a\0' }), 'it has a NUL character'],
  [
    'no line',
    (tool, not) => tool.insert({ path: '/memories/a.md', insert_line: not, insert_text: 'x' }),
    'Invalid `insert_line` parameter: no number.',
  ],
  [
    'half a line',
    (tool) => tool.insert({ path: '/memories/a.md', insert_line: 0.5, insert_text: 'x' }),
    'Invalid `insert_line` parameter: 0.5.',
  ],
  ['a range of no numbers', (tool, not) => tool.view({ path: '/memories/a.md', view_range: [1, not] }), 'Invalid `view_range` parameter'],
  [
    'a text twice in a line',
    (tool) => tool.str_replace({ path: '/memories/a.md', old_str: 'a', new_str: 'b' }),
    'Multiple occurrences of old_str `a` in lines: 1.',
  ],
  [
    'a file as a folder',
    (tool) => tool.create({ path: '/memories/a.md/b.md', file_text: '' }),
    'The path /memories/a.md is a file, not a directory',
  ],
  ['a folder into itself', (tool) => tool.rename({ old_path: '/memories/c', new_path: '/memories/c/d' }), 'it cannot be within itself'],
  [
    'a long path',
    (tool) => tool.create({ path: `/memories/${'x'.repeat(240)}`, file_text: '' }),
    'is too long: 250 bytes. The most is 238.',
  ],
  [
    'a long file',
    (tool) => tool.create({ path: '/memories/b.md', file_text: 'x'.repeat(maxFileChars + 1) }),
    'would have 200001 characters. The most is 200000.',
  ],
]

test.each(wrong)('%s is refused, and changes nothing', async (_name, run, words) => {
  const ada = shared.user()
  const tool = memoryTool(ada)
  await tool.create({ path: '/memories/a.md', file_text: 'aba' })
  await tool.create({ path: '/memories/c/d.md', file_text: 'x'.repeat(maxFileChars) })
  const before = await Array.fromAsync(ada.documents.list())
  const not = JSON.parse('null')
  await expect(run(tool, not)).rejects.toThrow(words)
  await expect(run(tool, not)).rejects.toBeInstanceOf(MemoryToolRefusal)
  expect(await Array.fromAsync(ada.documents.list())).toEqual(before)
})

test('several lines are replaced, though the SDK’s own tool finds none', async () => {
  const tool = memoryTool(shared.user())
  const path = '/memories/a.md'
  await tool.create({ path, file_text: 'one\ntwo\nthree\nfour\nfive\nsix' })
  const told = await tool.str_replace({ path, old_str: 'three\nfour', new_str: 'III\nIV' })
  expect(told.split('\n').slice(1)).toEqual(['     1\tone', '     2\ttwo', '     3\tIII', '     4\tIV', '     5\tfive'])
})

test('a memory that is closed is told to the model by a code, and the run goes on', async () => {
  const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, languageModel: false })
  onTestFinished(() => memory.close())
  const tool = memoryTool(memory.for('ada'))
  await memory.close()
  await expect(tool.view({ path: '/memories/a.md' })).rejects.toThrow('Memory cannot be used now (MEMORY_CLOSED). Go on without it.')
})

test('a listing reads each file once, until it changes', async () => {
  const ada = shared.user()
  const tool = memoryTool(ada)
  for (const name of ['a', 'b', 'c']) await tool.create({ path: `/memories/${name}.md`, file_text: name })
  let reads = 0
  const documents = {
    list: ada.documents.list.bind(ada.documents),
    delete: ada.documents.delete.bind(ada.documents),
    edit: ada.documents.edit.bind(ada.documents),
    read: (...given: Parameters<typeof ada.documents.read>) => {
      reads += 1
      return ada.documents.read(...given)
    },
  }
  const folder = new MemoryFolder({ documents }, { writer: 'a', during: undefined, deadlineMs: 10_000 })
  const sizes = async () => Promise.all((await folder.below('/memories')).map((file) => folder.sizeOf(file)))
  expect(await sizes()).toEqual([1, 1, 1])
  await tool.insert({ path: '/memories/a.md', insert_line: 1, insert_text: 'more' })
  expect((await sizes()).sort()).toEqual([1, 1, 6])
  expect(reads).toBe(4)
})
