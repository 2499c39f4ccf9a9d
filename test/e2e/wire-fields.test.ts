import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../packages/varve/src/client/index.ts'
import { type Memory, type UserMemory, VarveError } from '../../packages/varve/src/index.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'
import { asLibrary } from '../fixtures/wire/open-memory.ts'
import { scriptedServer } from '../fixtures/wire/scripted-server.ts'
import { served } from '../fixtures/wire/served.ts'

async function both(): Promise<readonly [Memory, Memory]> {
  const memory = await openForTest()
  const { url, close } = await served(memory)
  const remote = connect({ url })
  onTestFinished(async () => {
    await remote.close()
    await close(1_000)
  })
  return [memory, asLibrary(remote)]
}

/** Calls whose options come from code without types. */
type Untyped = (ada: UserMemory, wrong: never) => Promise<unknown>

/** A wrong value, as code without types may give one. */
function wrong(value: unknown): never
function wrong(value: unknown): unknown {
  return value
}

const calls: readonly (readonly [string, Untyped, unknown])[] = [
  ['forget: no session', (ada, it) => ada.forget(it), { session: undefined, before: '2026-04-01' }],
  ['forget: no time', (ada, it) => ada.forget(it), { session: 'talk', before: undefined }],
  ['forget: no messages', (ada, it) => ada.forget(it), { session: 'talk', messages: undefined }],
  ['forget: nothing', (ada, it) => ada.forget(it), {}],
  ['previewForget', (ada, it) => ada.previewForget(it), { all: true, session: undefined }],
  ['recall: metadata', (ada, it) => ada.recall('ferry', it), { metadata: { a: undefined } }],
  ['recall: a function', (ada, it) => ada.recall('ferry', it), { metadata: { a: () => 1 } }],
  ['recall: no number', (ada, it) => ada.recall('ferry', it), { metadata: { a: Number.NaN } }],
  ['blocks.get', (ada, it) => ada.blocks.get('habits', it), { session: undefined }],
  ['blocks.list', (ada, it) => ada.blocks.list(it), { session: undefined }],
  ['blocks.set', (ada, it) => ada.blocks.set('habits', 'tea', it), { session: undefined }],
  ['sessions.delete: a path', (ada, it) => ada.sessions.delete(it), '..'],
  ['sessions.delete: no text', (ada, it) => ada.sessions.delete(it), undefined],
  ['sessions.delete: blank', (ada, it) => ada.sessions.delete(it), ''],
  ['blocks.delete: a path', (ada, it) => ada.blocks.delete(it), '..'],
  ['blocks.delete: half a sign', (ada, it) => ada.blocks.delete(it), '\uD800'],
  ['documents.delete: this', (ada, it) => ada.documents.delete(it), '.'],
  ['sessions.list: a text', (ada, it) => ada.sessions.list(it), { limit: '5' }],
  ['sessions.list: null', (ada, it) => ada.sessions.list(it), { limit: null }],
  ['a placed field twice', (ada, it) => ada.sessions.rename('talk', 'Talk', it), { name: 'Other' }],
  ['an unknown option', (ada, it) => ada.facts.add({ predicate: 'likes', object: 'tea' }, it), { subject: 'bo' }],
  ['no options', (ada, it) => ada.profile(it), 7],
  ['no signal', (ada, it) => ada.profile(it), { signal: {} }],
]

test.each(calls)('a wrong call is refused as the library does, and does nothing: %s', async (_, call, given) => {
  const [memory, remote] = await both()
  await memory.for('ada').append('talk', { role: 'user', content: 'The ferry leaves at nine.', metadata: { a: 1 } })
  await memory.for('ada').blocks.set('habits', 'tea')
  const errors = [memory, remote].map((one) => rejection(call(one.for('ada'), wrong(given))))
  const [own, far] = await Promise.all(errors)
  if (!VarveError.is(own) || !VarveError.is(far)) throw own
  expect(far.code).toBe(own.code)
  expect(await memory.for('ada').messages('talk')).toHaveLength(1)
  expect(await memory.for('ada').blocks.list()).toHaveLength(1)
})

test('scopes are refused as the library does, and before anything is sent', async () => {
  const [memory, remote] = await both()
  for (const scope of [
    '',
    ' ',
    '.',
    '..',
    '~',
    '\0',
    '\uD800',
    'x'.repeat(257),
    'ü'.repeat(129),
    undefined,
    null,
    7,
    [],
    { user: undefined },
    { user: '' },
    { project: null },
    { name: 'ada' },
  ]) {
    const [own, far] = [memory, remote].map((one) => {
      try {
        return String(one.for(wrong(scope)))
      } catch (error) {
        return String(error)
      }
    })
    expect(far).toBe(own)
    expect(far, JSON.stringify(scope)).toMatch(/^InvalidScope: /)
  }
  for (const name of ['', '..', '~', undefined]) expect(() => remote.project(wrong(name))).toThrow(/^project must /)
})

test('what JSON has no form for is refused', async () => {
  const [, remote] = await both()
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  for (const input of [loop, { big: 1n }, { call: () => 1 }])
    expect(await rejection(remote.for('ada').compact([{ role: 'user', input }], { session: 'talk', maxTokens: 100 }))).toMatchObject({
      code: 'OPTION_INVALID',
    })
})

test('a wrong address, key or number is refused, and no error tells the address or the key', async () => {
  const wrongs: readonly (readonly [string, object])[] = [
    ['url', { url: 'memory.example' }],
    ['url', { url: 'file:///etc/passwd' }],
    ['url', { url: 'https://ada:hunter2@memory.example' }],
    ['url', {}],
    ['key', { url: 'http://127.0.0.1:1', key: 'two\nlines' }],
    ['key', { url: 'http://127.0.0.1:1', key: '' }],
    ['retries', { url: 'http://127.0.0.1:1', retries: -1 }],
    ['timeoutMs', { url: 'http://127.0.0.1:1', timeoutMs: 0 }],
  ]
  for (const [setting, options] of wrongs)
    expect(() => connect(wrong(options)), JSON.stringify(options)).toThrow(
      expect.objectContaining({ code: 'CONFIGURATION_INVALID', setting }),
    )
  expect(() => connect({ url: 'https://ada:hunter2@memory.example' })).not.toThrow(/hunter2/)
  const server = await scriptedServer((_request, response) => void response.destroy())
  const error = await rejection(
    connect({ url: `${server.url}/sEcrEt`, key: 'varve_sEcrEt', retries: 0 })
      .for('ada')
      .profile(),
  )
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('sEcrEt')
})
