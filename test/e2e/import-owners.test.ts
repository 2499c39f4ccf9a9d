import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importFile, type Memory, type UserMemory } from '../../packages/varve/src/index.ts'
import { InvalidOption } from '../../packages/varve/src/errors/invalid-option.ts'
import { typedIn } from '../fixtures/cli/typed.ts'
import { chatgptConversation, temporaryFiles } from '../fixtures/importers/files.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

const file = temporaryFiles()
const said = (content: string, fields: object): string => JSON.stringify({ session: 'monday', role: 'user', content, ...fields })
const jsonl = (lines: readonly string[]): string => file(`lines-${lines.join('').length}.jsonl`, lines.join('\n'))

const ofTwo = [
  said('My pin is 1234.', { user: 'ada', sessionName: 'Pins' }),
  said('My pin is 4711.', { user: 'bob', sessionName: 'Secret of Bob' }),
  said('The kiosk opens at nine.', {}),
  said('The ferry is late.', { user: 'ada', project: 'pier' }),
]

async function contents(handle: UserMemory, session = 'monday'): Promise<string[]> {
  return (await handle.messages(session)).map(({ content }) => content)
}

const opened = async (): Promise<{ memory: Memory; ada: UserMemory; bob: UserMemory }> => {
  const memory = await openForTest()
  return { memory, ada: memory.for('ada'), bob: memory.for('bob') }
}

describe('lines that name their user and project', () => {
  test('of another are left out and counted: bob’s pin is not ada’s', async () => {
    const { ada } = await opened()
    const report = await importFile(ada, jsonl(ofTwo))
    expect(report).toMatchObject({ stored: 2, messages: 2, skipped: { 'of another user': 1, 'of another project': 1 } })
    expect(await contents(ada)).toEqual(['My pin is 1234.', 'The kiosk opens at nine.'])
    expect((await ada.sessions.get('monday')).name).toBe('Pins')
    expect(await importFile(ada, jsonl(ofTwo))).toMatchObject({ stored: 0, duplicates: 2 })
  })

  test('are not the anonymous user’s', async () => {
    const { memory } = await opened()
    expect(await importFile(memory.for({ project: 'pier' }), jsonl(ofTwo))).toMatchObject({ stored: 1, skipped: { 'of another user': 3 } })
  })

  test.each(['user', 'user_id', 'userId', 'owner', 'account', 'username'])('may say it in the field %s', async (field) => {
    const { ada, bob } = await opened()
    const path = jsonl([said(`By ${field}`, { [field]: 'bob' }), said(`By id in ${field}`, { [field]: { id: 'bob' } })])
    expect(await importFile(ada, path)).toMatchObject({ stored: 0, skipped: { 'of another user': 2 } })
    expect(await importFile(bob, path)).toMatchObject({ stored: 2, skipped: {} })
  })

  test.each(['project', 'project_id', 'workspace', 'workspaceId', 'tenant', 'namespace', 'organization'])(
    'may say the project in the field %s',
    async (field) => {
      const { memory, ada } = await opened()
      const path = jsonl([said(`In ${field}`, { [field]: 'pier' })])
      expect(await importFile(ada, path)).toMatchObject({ stored: 0, skipped: { 'of another project': 1 } })
      expect(await importFile(memory.for({ project: 'pier', user: 'ada' }), path)).toMatchObject({ stored: 1 })
    },
  )

  test.each([{ user: null }, { user: '' }, { user: [] }, { user: true }, { user_id: 'ada', owner: 'bob' }, { user: 'ada', project: null }])(
    'are nobody’s when they say it as %j',
    async (fields) => {
      const { ada, memory } = await opened()
      const path = jsonl([said(`Whose? ${JSON.stringify(fields)}`, fields)])
      expect(await importFile(ada, path)).toMatchObject({ stored: 0, skipped: { 'unreadable owner': 1 } })
      expect(await importFile(memory, path, { route: true })).toMatchObject({ stored: 0, skipped: { 'unreadable owner': 1 } })
    },
  )

  test('look alike and are others: case, a blank, another form of a letter', async () => {
    const { memory } = await opened()
    const composed = memory.for('Zo\u00eb')
    const path = jsonl(['zo\u00eb', 'Zo\u00eb ', 'Zoe\u0308'].map((user) => said(`By ${user}`, { user })))
    expect(await importFile(composed, path)).toMatchObject({ stored: 0, skipped: { 'of another user': 3 } })
  })

  test('go to their own when they are routed, and a second run stores nothing twice', async () => {
    const { memory, ada, bob } = await opened()
    const path = jsonl(ofTwo)
    expect(await importFile(memory, path, { route: true, dryRun: true })).toMatchObject({ messages: 4, sessions: 4, stored: 4 })
    expect((await memory.projects.list()).length).toBe(0)
    expect(await importFile(memory, path, { route: true })).toMatchObject({ stored: 4, sessions: 4, skipped: {} })
    expect(await contents(ada)).toEqual(['My pin is 1234.'])
    expect(await contents(bob)).toEqual(['My pin is 4711.'])
    expect(await contents(memory.for({}))).toEqual(['The kiosk opens at nine.'])
    expect(await contents(memory.for({ project: 'pier', user: 'ada' }))).toEqual(['The ferry is late.'])
    expect((await bob.sessions.get('monday')).name).toBe('Secret of Bob')
    expect((await ada.sessions.get('monday')).name).toBe('Pins')
    expect(await importFile(memory, path, { route: true })).toMatchObject({ stored: 0, duplicates: 4 })
    // Ids depend on a user's own lines alone. A line that names nobody is then bob's too.
    expect(await importFile(bob, path)).toMatchObject({ stored: 1, duplicates: 1 })
  })

  test('with a name that cannot be one are left out when they are routed', async () => {
    const { memory } = await opened()
    const path = jsonl([said('Up', { user: '..' }), said('Down', { project: '~' }), said('Fine', { user: 'ada' })])
    expect(await importFile(memory, path, { route: true })).toMatchObject({ stored: 1, skipped: { 'unreadable owner': 2 } })
  })

  test('are routed by a memory, and taken by a handle', async () => {
    const { memory, ada } = await opened()
    const path = jsonl(ofTwo)
    expect(await rejection(Reflect.apply(importFile, undefined, [ada, path, { route: true }]))).toBeInstanceOf(InvalidOption)
    expect(await rejection(Reflect.apply(importFile, undefined, [memory, path]))).toBeInstanceOf(InvalidOption)
  })
})

describe('exports of other programs', () => {
  const claude = (account: string | undefined, id: string): object => ({
    uuid: id,
    name: `Talk ${id}`,
    ...(account === undefined ? {} : { account: { uuid: account } }),
    chat_messages: [{ uuid: `${id}-1`, sender: 'human', text: `Words of ${account}`, created_at: '2025-01-01T00:00:00Z' }],
  })
  const chatgpt = (account: string | undefined, id: string): object => ({
    ...chatgptConversation(id, [`Words of ${account}`]),
    ...(account === undefined ? {} : { user_id: account }),
  })
  const exportOf = (of: typeof claude, ...accounts: readonly (string | undefined)[]): string =>
    file(`${of === claude ? 'claude' : 'chatgpt'}-${accounts.join('-')}.json`, JSON.stringify(accounts.map((one, at) => of(one, `c${at}`))))

  test.each([
    ['Claude', claude],
    ['ChatGPT', chatgpt],
  ])('%s: one account is its person’s; of several, each must be named or routed', async (_name, of) => {
    const { memory, ada } = await opened()
    expect(await importFile(ada, exportOf(of, 'a1', 'a1', undefined))).toMatchObject({ stored: 3, skipped: {} })
    const several = exportOf(of, 'a1', 'b2', 'a1')
    const { ada: other } = await opened()
    expect(await importFile(other, several)).toMatchObject({ stored: 0, skipped: { 'of one of several accounts': 3 } })
    expect(await other.sessions.list()).toEqual([])
    expect(await importFile(memory.for('b2'), several)).toMatchObject({ stored: 1, skipped: { 'of one of several accounts': 2 } })
    expect(await contents(memory.for('b2'), 'c1')).toEqual(['Words of b2'])
    expect(await importFile(memory, several, { route: true })).toMatchObject({ stored: 2, duplicates: 1 })
    expect(await contents(memory.for('a1'), 'c2')).toEqual(['Words of a1'])
  })

  test('a file that breaks off before a second account keeps what came before', async () => {
    const { ada } = await opened()
    const whole = JSON.stringify([claude('a1', 'c0'), claude('a1', 'c1'), claude('b2', 'c2')])
    const broken = await rejection(importFile(ada, file('broken.json', whole.slice(0, -250))))
    expect(String(broken)).toMatch(/\d message\(s\) before the break were stored/)
  })
})

test('the command counts the lines of others and says how to take them, and --route gives each its own', async () => {
  const { varve, store, home } = typedIn('owners')
  const path = join(home, 'two.jsonl')
  writeFileSync(path, ofTwo.join('\n'))
  const ada = await varve(['import', path, '--user', 'ada'])
  expect(ada.stdout).toContain('Left out: 1 of another user (line 2), 1 of another project (line 4).')
  expect(ada.stderr).toMatch(/2 messages left out, which the file does not say to be ada's\. --user .*--route/)
  expect((await varve(['sessions', 'show', 'monday', '--user', 'ada'])).stdout).not.toContain('4711')
  for (const [flags, env] of [
    [['--user', 'ada'], {}],
    [['--project', 'pier'], {}],
    [[], { VARVE_USER: 'ada' }],
  ] as const) {
    expect(await varve(['import', path, '--route', ...flags], '', env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('leave out --user'),
    })
  }
  expect(JSON.parse((await varve(['import', path, '--route', '--json'])).stdout)).toMatchObject({ stored: 3, duplicates: 1 })
  expect((await varve(['sessions', 'show', 'monday', '--user', 'bob'])).stdout).toContain('My pin is 4711.')
  expect(existsSync(store)).toBe(true)
})

test('varve append --jsonl stores no line of another user or project', async () => {
  const { varve, store } = typedIn('appended')
  for (const fields of [{ user: 'bob' }, { user_id: 'bob' }, { project: 'pier' }, { user: null }]) {
    const refused = await varve(['append', 'monday', '--jsonl', '--user', 'ada'], `${said('Fine.', {})}\n${said('Mine?', fields)}`)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('line 2: names another user') })
    expect(existsSync(store)).toBe(false)
  }
  const own = said('Mine.', { user: 'ada', project: 'default' })
  expect(await varve(['append', 'monday', '--jsonl', '--user', 'ada'], own)).toMatchObject({
    code: 0,
    stdout: 'Stored 1 message in monday.\n',
  })
})
