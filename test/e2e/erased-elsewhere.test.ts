import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { ErasureWatch } from '../../packages/varve/src/server/erasure-watch.ts'
import { IdempotentReplies } from '../../packages/varve/src/server/idempotent-replies.ts'
import { builtProgram } from '../built.ts'
import { newStore } from '../fixtures/memory/open.ts'
import { placeOf } from '../fixtures/memory/store-files.ts'
import { chatAnswer, scriptedUpstream, type UpstreamRequest } from '../fixtures/proxy/scripted-upstream.ts'
import { type Got, send, type Served, servedForTest } from '../fixtures/server/serve.ts'
import { OtherProcess } from './other-process.ts'

// Another process forgets what a server holds in memory: answers of writes, turns of the proxy and their contexts.

let store: string
let server: Served
let key: string
let requests: readonly UpstreamRequest[]

beforeEach(async () => {
  store = newStore()
  const upstream = await scriptedUpstream(() => chatAnswer('ok'))
  requests = upstream.requests
  const serving = { upstreams: { openai: { url: upstream.url, key: 'sk-upstream' } }, proxyLimits: { deadlineMs: 30_000 } }
  server = await servedForTest({ store }, serving)
  key = (await server.memory.keys.create({ name: 'all', access: 'admin' })).key
})

const vault = '/v1/projects/pier/users/ada/blocks/vault'

function put(text: string, idempotencyKey: string, path = vault): Promise<Got> {
  return send(server.url, 'PUT', path, { key, body: { text }, headers: { 'idempotency-key': idempotencyKey } })
}

test('an answer whose words another process forgot is not given again, and the write is not done again', async () => {
  const other = await OtherProcess.start(store)
  expect((await put('The vault opens with 4711.', 'k')).text).toContain('4711')
  expect((await put('The vault opens with 4711.', 'k')).headers.get('idempotent-replayed')).toBe('true')
  await other.call(['blocks', 'delete'], 'vault')
  const again = await put('The vault opens with 4711.', 'k')
  expect([again.status, again.text.includes('4711')]).toEqual([409, false])
  expect(await server.memory.for({ project: 'pier', user: 'ada' }).blocks.get('vault')).toBeUndefined()
})

test('what another process forgets in a project leaves the answers of other projects', async () => {
  const other = await OtherProcess.start(store)
  await put('The ferry leaves at nine.', 'k', '/v1/projects/quay/users/ada/blocks/vault')
  await put('The vault opens with 4711.', 'k')
  await other.call(['forget'], { all: true })
  expect((await put('The ferry leaves at nine.', 'k', '/v1/projects/quay/users/ada/blocks/vault')).status).toBe(200)
  expect((await put('The vault opens with 4711.', 'k')).status).toBe(409)
})

test('the command that deletes a project takes its answers from a running server', async () => {
  await put('The vault opens with 4711.', 'k')
  const command = [builtProgram('packages/varve/src/cli/main.ts'), 'projects', 'delete', 'pier', '--yes', '--store', placeOf(store)]
  await promisify(execFile)(process.execPath, command)
  expect((await put('The vault opens with 4711.', 'k')).status).toBe(409)
})

test('an answer is not kept when another process forgets while the write runs', async () => {
  const other = await OtherProcess.start(store)
  const watch = await ErasureWatch.start(server.memory.doorStore())
  const replies = new IdempotentReplies(watch)
  const write = { caller: 'c', key: 'k', project: 'pier', user: 'ada', request: ['PUT'], erased: () => 0, isStored: false }
  const ada = server.memory.for({ project: 'pier', user: 'ada' })
  await replies.once(write, async () => {
    const block = await ada.blocks.set('vault', 'The vault opens with 4711.')
    await other.call(['forget'], { all: true })
    await watch.look()
    return { status: 200, headers: {}, body: JSON.stringify(block) }
  })
  await expect(replies.once(write, () => expect.fail('it was done again'))).rejects.toMatchObject({ code: 'REQUEST_INVALID', status: 409 })
})

test('a receipt and the answer of a replaced message are given again, though they erased something', async () => {
  const ada = server.memory.for({ project: 'pier', user: 'ada' })
  const { messages } = await ada.append('talk', [
    { role: 'user', content: 'The vault opens with 4711.' },
    { role: 'user', content: 'Nothing.' },
  ])
  const asked = (path: string, body: object) =>
    send(server.url, 'POST', `/v1/projects/pier/users/ada${path}`, { key, body, headers: { 'idempotency-key': path } })
  for (const [path, body] of [
    ['/messages/replace', { id: messages[0]?.id, content: 'It opens with 4712.' }],
    ['/forget', { what: { messages: [messages[1]?.id] } }],
  ] as const) {
    const first = await asked(path, body)
    const again = await asked(path, body)
    expect([first.status, again.status, again.headers.get('idempotent-replayed')], path).toEqual([200, 200, 'true'])
    expect(again.text).toBe(first.text)
  }
})

test.each([
  ['PATCH', '/users/ada/settings', { share: false }],
  ['PUT', '/users/ada/sessions/talk/share', { share: false }],
  ['PUT', '/users/ada/sessions/talk', { name: 'Ferry', share: false }],
  ['PUT', '/bank/sharing', { on: false }],
])('what a withdrawal answered is given again, though it took entries out: %s %s', async (verb, path, body) => {
  // A session that began in the millisecond of the sharing is not shared: each look at the clock is a later one.
  let now = Date.now()
  const clock = { now: () => (now += 1) }
  const sharing = await servedForTest({ store: newStore(), layers: { bank: true }, languageModel: false, embeddingModel: false, clock })
  const { memory, url } = sharing
  const admin = (await memory.keys.create({ name: 'all', access: 'admin' })).key
  await memory.project('pier').bank.setSharing(true, { acknowledge: true })
  const ada = memory.for({ project: 'pier', user: 'ada' })
  await ada.append('talk', { role: 'user', content: 'Mira said that the barge needs a new rudder.' })
  await ada.distil('talk')
  const asked = () => send(url, verb, `/v1/projects/pier${path}`, { key: admin, body, headers: { 'idempotency-key': 'k' } })
  const first = await asked()
  expect(Object(first.json()).receipt).toMatchObject({ counts: { bank: 1 } })
  const again = await asked()
  expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true'])
  await ada.forget({ session: 'talk' })
  expect((await asked()).status).toBe(409)
})

const headers = { 'varve-project': 'pier', 'varve-user': 'ada', 'varve-session': 's' }
const question = { role: 'user', content: 'Which day does the kiosk open?' }

function chat(...more: readonly object[]): Promise<Got> {
  return send(server.url, 'POST', '/v1/chat/completions', { key, body: { model: 'm', messages: [question, ...more] }, headers })
}

test('a turn is gone once another process has forgotten something of its project', async () => {
  const other = await OtherProcess.start(store)
  await server.memory.for({ project: 'pier', user: 'ada' }).append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const turn = `/v1/turns/${(await chat()).headers.get('varve-turn')}`
  expect((await send(server.url, 'GET', turn, { key, headers })).text).toContain('16th')
  await other.tell({ do: 'call', project: 'quay', user: 'ada', path: ['forget'], args: [{ all: true }] })
  expect((await send(server.url, 'GET', turn, { key, headers })).status).toBe(200)
  await other.call(['forget'], { session: 'past' })
  expect((await send(server.url, 'GET', turn, { key, headers })).status).toBe(404)
})

test('a context that another process forgot is not sent again within a turn with tools', async () => {
  const other = await OtherProcess.start(store)
  await server.memory.for({ project: 'pier', user: 'ada' }).append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const call = { id: 'c1', type: 'function', function: { name: 'hours', arguments: '{}' } }
  const tools = [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'closed' },
  ]
  await chat()
  await chat(...tools)
  await other.call(['forget'], { session: 'past' })
  await chat(...tools)
  expect(requests.map(({ text }) => text.includes('16th'))).toEqual([true, true, false])
})
