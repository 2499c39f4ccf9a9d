import { describe, expect, test } from 'vitest'
import { importFile, type Memory } from '../../packages/varve/src/index.ts'
import { temporaryFiles } from '../fixtures/importers/files.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const file = temporaryFiles()
const line = (content: string, fields: object, raw = ''): string =>
  `${JSON.stringify({ session: 'monday', role: 'user', content, ...fields }).slice(0, -1)}${raw}}`

async function contents(memory: Memory, user: string | undefined, project = 'default', session = 'monday'): Promise<string[]> {
  const handle = memory.for(user === undefined ? { project } : { project, user })
  if ((await handle.sessions.list()).every(({ id }) => id !== session)) return []
  return (await handle.messages(session, { limit: 1_000 })).map(({ content }) => content)
}

describe('hostile owners', () => {
  test('names that look alike, and names of prototypes and paths, are each their own', async () => {
    const memory = await openForTest()
    const names = [
      ...['ada', 'Ada', 'ada ', ' ada', 'аda', 'ada\u200b', 'ada\u0301', 'ad\u00e1', 'a\u0301da', '\u00e1da', 'ａｄａ', 'ada\n', 'ada\t'],
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '../ada', '/etc/passwd', 'C:\\ada', '%61da', 'ada%00', '*', '%', '_'],
      ...['null', 'undefined', '0', 'true', '[]', '{}', '{"user":"ada"}', "ada'--", 'x'.repeat(256), '{"project":"default","user":"ada"}'],
    ]
    const path = file('alike.jsonl', names.map((user, at) => line(`of ${at}`, { user, id: 'same' })).join('\n'))
    const report = await importFile(memory, path, { route: true })
    expect(report).toMatchObject({ messages: names.length, stored: names.length, duplicates: 0, skipped: {} })
    for (const [at, user] of names.entries()) expect([user, await contents(memory, user)]).toEqual([user, [`of ${at}`]])
    expect((await memory.project('default').users({ limit: 1_000 })).toSorted()).toEqual(names.toSorted())
    expect(await importFile(memory, path, { route: true })).toMatchObject({ stored: 0, duplicates: names.length })
    const alone = await openForTest()
    const others = names.length - 1
    expect(await importFile(alone.for('ada'), path)).toMatchObject({ stored: 1, skipped: { 'of another user': others } })
    expect(await alone.project('default').users()).toEqual(['ada'])
  })

  test('what is no exact name is nobody’s, however it is said', async () => {
    const memory = await openForTest()
    const deep = `,"user":${'{"id":'.repeat(100_000)}"ada"${'}'.repeat(100_000)}`
    const lines = [
      line('long', { user: 'x'.repeat(257) }),
      line('dots', { user: '..' }),
      line('surrogate', {}, ',"user":"\\ud800"'),
      line('nul', { user: 'ada\0' }),
      line('deep', {}, deep),
      line('list', { user: ['ada'] }),
      line('object', { user: { name: 'ada' } }),
      line('nested', { user: { id: { id: 'ada' } } }),
      line('fraction', { user: 1.5 }),
      line('one of two that a double cannot tell apart', {}, ',"user":9007199254740993'),
      line('infinite', {}, ',"user":1e999'),
      line('prototype', {}, ',"user":{"__proto__":{"id":"ada"}}'),
      line('project', { user: 'ada', project: { id: [] } }),
    ]
    const path = file('nobody.jsonl', lines.join('\n'))
    expect(await importFile(memory, path, { route: true })).toMatchObject({ stored: 0, skipped: { 'unreadable owner': lines.length } })
    expect(await memory.projects.list()).toEqual([])
    const { skipped, stored } = await importFile(memory.for('ada'), path)
    expect(stored).toBe(0)
    expect(Object.values(skipped).reduce((sum, count) => sum + count, 0)).toBe(lines.length)
  })

  test('in one conversation, with one id, each line goes to its own; a line without a name to nobody’s user', async () => {
    const memory = await openForTest()
    const lines = [
      line('of ada', { user: 'ada', id: 'm1' }),
      line('of none', { id: 'm1' }),
      line('of bob', { user: 'bob', id: 'm1' }),
      line('of ada at the pier', { user: 'ada', project: 'pier', id: 'm1' }),
      line('of the number', { user: 7, id: 'm1' }),
      line('of ada again', { user: 'ada', id: 'm1' }),
    ]
    const report = await importFile(memory, file('mixed.jsonl', lines.join('\n')), { route: true })
    expect(report).toMatchObject({ messages: 6, stored: 5, duplicates: 1 })
    expect(await contents(memory, 'ada')).toEqual(['of ada'])
    expect(await contents(memory, 'bob')).toEqual(['of bob'])
    expect(await contents(memory, undefined)).toEqual(['of none'])
    expect(await contents(memory, 'ada', 'pier')).toEqual(['of ada at the pier'])
    expect(await contents(memory, '7')).toEqual(['of the number'])
  })

  test('numbers that are not exact make no two conversations, and no two messages, one', async () => {
    const { ada } = { ada: (await openForTest()).for('ada') }
    const said = (content: string, raw: string): string => `{"role":"user","content":"${content}"${raw}}`
    const lines = [
      said('one', ',"session":"s","id":9007199254740992'),
      said('two', ',"session":"s","id":9007199254740993'),
      said('three', ',"session":9007199254740992'),
      said('four', ',"session":9007199254740993'),
      said('five', ',"session":5'),
    ]
    expect(await importFile(ada, file('numbers.jsonl', lines.join('\n')))).toMatchObject({
      stored: 3,
      duplicates: 0,
      skipped: { 'not a message': 2 },
    })
    expect((await ada.messages('s')).map(({ content }) => content)).toEqual(['one', 'two'])
    expect((await ada.messages('5')).map(({ content }) => content)).toEqual(['five'])
  })
})

test('a line that is nested deep, in whatever field, takes no other line along', async () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const fields = ['at', 'metadata', 'origin', 'id', 'name', 'thread', 'sessionName', 'more']
  const lines = [
    line('first', {}),
    ...fields.map((field) => line(`with ${field}`, {}, `,"${field}":${nested}`)),
    `{"session":"monday","role":"user","content":${nested}}`,
    nested,
    line('last', {}),
  ]
  const { ada } = { ada: (await openForTest()).for('ada') }
  const report = await importFile(ada, file('deep.jsonl', lines.join('\n')))
  expect(report).toMatchObject({ stored: fields.length + 2, skipped: { 'empty content': 1, 'not a message': 1 } })
  expect((await ada.messages('monday')).map(({ content }) => content)).toEqual(['first', ...fields.map((field) => `with ${field}`), 'last'])
})

test('random lines of random owners: each is with the owner that it names, and the counts add up', async () => {
  const memory = await openForTest()
  const owners = Array.from({ length: 400 }, (_, at) => (at % 50 === 0 ? undefined : `u${at}`))
  const lines = Array.from({ length: 4_000 }, (_, at) => {
    const user = owners[(at * 7_919) % owners.length]
    return line(`line ${at}`, { ...(user === undefined ? {} : { user }), session: `s${at % 3}`, id: `m${at % 1_000}` })
  })
  const report = await importFile(memory, file('many.jsonl', lines.join('\n')), { route: true })
  expect(report.stored + report.duplicates).toBe(lines.length)
  const where = new Map<string, string>()
  for (const user of new Set(owners))
    for (const session of ['s0', 's1', 's2'])
      for (const content of await contents(memory, user, 'default', session)) where.set(content, user ?? '')
  expect(where.size).toBe(report.stored)
  for (const [content, user] of where)
    expect([content, owners[(Number(content.slice(5)) * 7_919) % owners.length] ?? '']).toEqual([content, user])
})
