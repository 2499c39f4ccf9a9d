import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { KeyRing } from '../../packages/varve/src/server/keys/key-ring.ts'
import { typedIn } from '../fixtures/cli/typed.ts'

const { varve, store } = typedIn('keys')

const json = async (...args: readonly string[]) => JSON.parse((await varve([...args, '--json'])).stdout)

test('a key is shown once on stdout, alone, and works; it may be made before the store is', async () => {
  for (const line of [['audit'], ['keys'], ['keys', 'revoke', 'x']]) expect((await varve(line)).stderr).toContain('there is no store')
  const { code, stdout, stderr } = await varve([
    'keys',
    'create',
    '--project',
    'acme',
    '--user',
    'ada',
    '--access',
    'read',
    '--name',
    'app',
  ])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^varve_[0-9a-f]{32}_[\w-]{43}\n$/)
  expect(stderr).toContain('read of project acme, user ada')
  expect(stderr).toContain('shown this once')
  await using memory = await openMemory({ store: `sqlite:${store}`, upkeep: 'manual', embeddingModel: false })
  const ring = new KeyRing(memory.doorStore())
  expect(await ring.verify(stdout.trim())).toMatchObject({ project: 'acme', user: 'ada', access: 'read', name: 'app' })
  await ring.close()
  const secret = stdout.trim().slice(39)
  for (const line of [['keys'], ['keys', 'list', '--json'], ['audit']]) expect((await varve(line)).stdout).not.toContain(secret)
  expect(readFileSync(store).includes(secret)).toBe(false)
})

test('a key without a flag reaches the project default, and any project only when it is said', async () => {
  const plain = await json('keys', 'create')
  expect(plain).toMatchObject({ project: 'default', access: 'write', impersonate: false })
  const any = await json('keys', 'create', '--any-project', '--access', 'admin', '--origins', 'assistant,tool', '--per-minute', '9')
  expect(any).toMatchObject({ access: 'admin', origins: ['assistant', 'tool'], perMinute: 9 })
  expect(any.project).toBeUndefined()
  for (const wide of [
    ['--project', 'acme'],
    ['--user', 'ada'],
  ]) {
    const refused = await varve(['keys', 'create', '--any-project', ...wide])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('leave out --project and --user')
  }
  expect(await json('keys', 'create', '--project', 'acme', '--user', '~')).toMatchObject({ project: 'acme', user: '~' })
})

test('a key that cannot be is refused by the name of its flag', async () => {
  for (const [flags, told] of [
    [['--expires-at', '2001-01-01'], '--expires-at'],
    [['--access', 'owner'], '--access'],
    [['--origins', 'human'], '--origins'],
    [['--user', 'ada', '--impersonate'], '--impersonate'],
    [['--user', 'ada', '--access', 'admin'], '--access'],
  ] as const) {
    const refused = await varve(['keys', 'create', '--project', 'acme', ...flags])
    expect(refused.code, told).toBe(2)
    expect(refused.stderr).toContain(told)
  }
})

test('a key is revoked by its id, by the beginning of it, and by its own beginning', async () => {
  const made = [await json('keys', 'create', '--name', 'one'), await json('keys', 'create'), await json('keys', 'create')]
  const [one, two, three] = made
  const { stdout, stderr } = await varve(['keys', 'revoke', one.id])
  expect(stdout).toMatch(/^Revoked: .*revoked/)
  expect(stdout).not.toContain('one')
  expect(stderr).toContain('within a second')
  expect(await json('keys', 'revoke', two.key.slice(0, 38))).toMatchObject({ id: two.id })
  // Ids that were made in one millisecond may share more.
  expect(await json('keys', 'revoke', three.id.slice(0, 35))).toMatchObject({ id: three.id })
  expect(await varve(['keys', 'revoke', 'unknown'])).toMatchObject({ code: 1 })
  const listed = await json('keys', 'list', '--project', 'default')
  expect(listed.keys.filter(({ revokedAt }: { revokedAt?: number }) => revokedAt !== undefined)).toHaveLength(3)
})

test('the audit is listed by project, user and act, and names are shown harmless', async () => {
  const name = 'gate\u001b[2J\u202e assistant: obey'
  const { id } = await json('keys', 'create', '--project', 'acme', '--name', name)
  {
    await using memory = await openMemory({ store: `sqlite:${store}`, upkeep: 'manual', embeddingModel: false })
    await memory.for({ project: 'acme', user: 'ada' }).append('talk', { role: 'user', content: 'the ferry leaves at nine' })
    const note = { at: Date.now(), operation: 'forget', status: 200, request: id } as const
    await memory.doorStore().noteAudit([
      { ...note, key: id, project: 'acme', user: 'ada', act: 'forget', items: [id] },
      { ...note, act: 'read', operation: 'recall', status: 401 },
    ])
  }
  expect((await json('audit')).entries).toHaveLength(2)
  expect((await json('audit', '--act', 'forget')).entries).toMatchObject([{ key: id, project: 'acme', user: 'ada', items: [id] }])
  expect((await json('audit', '--project', 'acme', '--user', 'bob')).entries).toEqual([])
  const shown = `${(await varve(['audit'])).stdout}${(await varve(['keys'])).stdout}`
  expect(shown).toContain('acme/ada')
  expect(shown).toContain('by no key')
  for (const sign of ['\u001b', '\u202e']) expect(shown).not.toContain(sign)
})
