import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportMarkdown, type Memory, openMemory } from '../../packages/varve/src/index.ts'

let home = ''
let memory: Memory

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'varve-markdown-'))
  memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, isolation: 'silent' })
})
afterEach(async () => {
  await memory.close()
  rmSync(home, { recursive: true, force: true })
})

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .toSorted()

const allText = (folder: string): string =>
  filesIn(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')

test('a memory is written as a folder: sessions in their order, documents, facts with their sources, blocks', async () => {
  const ada = memory.for('ada')
  await ada.append(
    '../../monday',
    Array.from({ length: 450 }, (_, at) => ({ role: 'user' as const, name: 'Ada', content: `line ${at + 1}` })),
  )
  await ada.append('café', { role: 'user', content: 'I live in Oslo.' })
  await ada.append('CAFÉ', { role: 'user', content: 'the other one' })
  await ada.documents.edit('Pier', '- green')
  await ada.blocks.set('habits', 'rises at six')
  await ada.blocks.set('mood', 'calm', { session: 'café' })
  await memory.upkeep.run({ all: true })
  const told = await exportMarkdown(ada, join(home, 'ada'))
  expect(told.counts).toMatchObject({ session: 3, message: 452, document: 1, block: 2, fact: 1 })
  const files = filesIn(join(home, 'ada'))
  expect(files).toHaveLength(told.files)
  expect(files.filter((file) => file.startsWith('sessions'))).toHaveLength(3)
  const [monday = ''] = files.filter((file) => file.includes('monday') && file.startsWith('sessions'))
  const said = [...readFileSync(join(home, 'ada', monday), 'utf8').matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number))
  expect(said).toEqual(Array.from({ length: 450 }, (_, at) => at + 1))
  expect(readFileSync(join(home, 'ada', 'facts.md'), 'utf8')).toMatch(/Oslo[^]*I live in Oslo[^]*message 1/)
  for (const file of files) expect(statSync(join(home, 'ada', file)).mode & 0o777, file).toBe(0o600)
  expect(statSync(join(home, 'ada')).mode & 0o777).toBe(0o700)
  expect(readdirSync(home)).toEqual(['ada'])
})

test('nothing of another user, of another project or of the shared pages is in it', async () => {
  await memory.for('ada').append('talk', { role: 'user', content: 'mine' })
  await memory.for('bob').append('talk', { role: 'user', content: 'canary of bob' })
  await memory.for({ project: 'acme', user: 'ada' }).append('talk', { role: 'user', content: 'canary of acme' })
  await memory.project('default').blocks.set('rules', 'canary of the project')
  await memory.project('default').documents.edit('Rules', '- canary of the project')
  await exportMarkdown(memory.for('ada'), join(home, 'ada'))
  expect(allText(join(home, 'ada'))).toContain('mine')
  expect(allText(join(home, 'ada'))).not.toContain('canary')
})

test('text cannot leave its block, nor a name its line', async () => {
  const hostile = '```\n# a heading\n````\n![x](http://example.org/x)'
  await memory.for('ada').append('[x](http://example.org) # y\n# z', { role: 'user', name: '](x) \n# b', content: hostile })
  await exportMarkdown(memory.for('ada'), join(home, 'ada'))
  const text = allText(join(home, 'ada'))
  expect(text).toContain(`\`\`\`\`\`text\n${hostile}\n\`\`\`\`\`\n`)
  expect(text.replace(hostile, '')).not.toMatch(/^# [bz]|[^\\]\]\(http/m)
})

test('an earlier export is written anew, and any other folder, file or link is refused and stays', async () => {
  await memory.for('ada').append('talk', { role: 'user', content: 'mine' })
  const folder = join(home, 'ada')
  mkdirSync(folder)
  await exportMarkdown(memory.for('ada'), folder)
  await memory.for('ada').forget({ all: true })
  await exportMarkdown(memory.for('ada'), folder)
  expect(allText(folder)).not.toContain('mine')
  mkdirSync(join(home, 'other'))
  writeFileSync(join(home, 'other', 'letter.txt'), 'dear')
  symlinkSync(folder, join(home, 'link'))
  for (const refused of [join(home, 'other'), join(home, 'other', 'letter.txt'), join(home, 'link')])
    await expect(exportMarkdown(memory.for('ada'), refused)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
  expect(readdirSync(home).toSorted()).toEqual(['ada', 'link', 'other'])
  expect(readFileSync(join(home, 'other', 'letter.txt'), 'utf8')).toBe('dear')
})
