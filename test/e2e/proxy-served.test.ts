import { expect, test } from 'vitest'
import { type Served, send, servedForTest } from '../fixtures/server/serve.ts'
import { chatAnswer, chatStream, scriptedUpstream, type UpstreamAnswer, type UpstreamRequest } from '../fixtures/proxy/scripted-upstream.ts'

interface Reached {
  readonly server: Served
  readonly requests: readonly UpstreamRequest[]
}

/** `deadlineMs`: on a machine that is busy, memory takes longer than a call usually waits for it. */
async function reached(script: () => UpstreamAnswer, deadlineMs = 300): Promise<Reached> {
  const { url, requests } = await scriptedUpstream(script)
  const server = await servedForTest({}, { upstreams: { openai: { url, key: 'sk-upstream' } }, proxyLimits: { deadlineMs } })
  return { server, requests }
}

const path = '/v1/chat/completions'
const body = { model: 'm', messages: [{ role: 'user', content: 'Which day does the kiosk open?' }] }

test('a served key reaches its own user’s memory through the proxy, and no header takes it further', async () => {
  const { server, requests } = await reached(() => chatAnswer('On the 16th.'), 30_000)
  const { memory, url } = server
  const [ada, bob] = [memory.for({ project: 'pier', user: 'ada' }), memory.for({ project: 'pier', user: 'bob' })]
  await ada.append('past', { role: 'user', content: 'The kiosk opens on the 16th, says ada.' })
  await bob.append('past', { role: 'user', content: 'The kiosk opens on the 17th, says bob.' })
  const { key } = await memory.keys.create({ name: 'ada', access: 'write', project: 'pier', user: 'ada' })
  const own = await send(url, 'POST', path, { key, body, headers: { 'varve-session': 's' } })
  expect([own.status, own.headers.get('varve-degraded')]).toEqual([200, null])
  expect(requests[0]?.text).toContain('says ada')
  expect(requests[0]?.text).not.toContain('says bob')
  expect(JSON.stringify(requests[0])).not.toContain(key)
  for (const headers of [{ 'varve-user': 'bob' }, { 'varve-project': 'other' }]) {
    const other = await send(url, 'POST', path, { key, body, headers })
    expect([403, 404]).toContain(other.status)
  }
  expect(requests).toHaveLength(1)
  await expect.poll(() => ada.messages('s')).toHaveLength(2)
  expect(await bob.messages('s')).toEqual([])
})

test('the first call after a start is told what was said: what a context loads is there, and leaves no user behind', async () => {
  const { server, requests } = await reached(() => chatAnswer('ok'))
  const { memory, url } = server
  expect(await memory.projects.list()).toEqual([])
  await memory.for('ada').append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const { key } = await memory.keys.create({ name: 'all', access: 'admin' })
  const { headers } = await send(url, 'POST', path, { key, body, headers: { 'varve-user': 'ada' } })
  expect(headers.get('varve-degraded')).toBeNull()
  expect(requests[0]?.text).toContain('16th')
})

test('one key for all users serves each by the header', async () => {
  const { server, requests } = await reached(() => chatAnswer('ok'))
  const { memory, url } = server
  for (const user of ['ada', 'bob']) await memory.for(user).append('past', { role: 'user', content: `The kiosk opens, says ${user}.` })
  const { key } = await memory.keys.create({ name: 'all', access: 'admin' })
  for (const user of ['ada', 'bob']) await send(url, 'POST', path, { key, body, headers: { 'varve-user': user } })
  expect(requests.map(({ text }) => /says (\w+)/.exec(text)?.[1])).toEqual(['ada', 'bob'])
})

test('a page of another site, another host’s name, and no key reach no upstream', async () => {
  const { server, requests } = await reached(() => chatAnswer('ok'))
  const { key } = await server.memory.keys.create({ name: 'all', access: 'admin' })
  expect((await send(server.url, 'POST', path, { key, body, headers: { origin: 'https://evil.example' } })).status).toBe(403)
  expect((await send(server.url, 'POST', path, { body })).status).toBe(401)
  expect((await send(server.url, 'POST', path, { key: 'varve_wrong', body })).status).toBe(401)
  expect((await send(server.url, 'GET', '/v1/turns/x', {})).status).toBe(401)
  expect(requests).toEqual([])
})

test('a turn is gone once something is forgotten over HTTP', async () => {
  const { server } = await reached(() => chatAnswer('ok'))
  const { memory, url } = server
  await memory.for('ada').append('past', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const { key } = await memory.keys.create({ name: 'all', access: 'admin' })
  const headers = { 'varve-user': 'ada' }
  const { headers: told } = await send(url, 'POST', path, { key, body, headers })
  const turn = `/v1/turns/${told.get('varve-turn')}`
  expect((await send(url, 'GET', turn, { key, headers })).text).toContain('16th')
  await memory.for('ada').forget({ session: 'past' })
  expect((await send(url, 'GET', turn, { key, headers })).status).toBe(404)
})

test('a server that closes lets a stream go on to its end, and stores what it said', async () => {
  const gate = Promise.withResolvers<void>()
  const { pieces, ...answer } = chatStream([{ content: 'On the ' }, { content: '16th.' }])
  const { server } = await reached(() => ({ ...answer, pieces: [pieces[0] ?? '', gate.promise, ...pieces.slice(1)] }))
  const { memory, url } = server
  const { key } = await memory.keys.create({ name: 'all', access: 'admin' })
  const ada = memory.for('ada')
  const response = await fetch(url + path, {
    ...{ method: 'POST', body: JSON.stringify(body) },
    headers: { authorization: `Bearer ${key}`, 'varve-user': 'ada', 'varve-session': 's' },
  })
  const appended = (async () => {
    for await (const event of memory.events()) if (event.type === 'appended' && event.session === 's') return event.messages
    return 0
  })()
  const closing = server.close()
  gate.resolve()
  expect(await response.text()).toContain('16th.')
  const began = performance.now()
  await closing
  // The client keeps its connection open: the server does not wait for it.
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(await appended).toBe(2)
  await expect(ada.messages('s')).rejects.toMatchObject({ code: 'MEMORY_CLOSED' })
})

test('a body without a length is passed on, bounded, and a kept response is deleted without one', async () => {
  const { server, requests } = await reached(() => chatAnswer('ok'))
  const { key } = await server.memory.keys.create({ project: 'pier', user: 'ada' })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const chunked = (text: string): Promise<Response> =>
    fetch(`${server.url}${path}`, { method: 'POST', headers, body: new Blob([text]).stream(), duplex: 'half' })
  expect((await chunked(JSON.stringify(body))).status).toBe(200)
  expect(requests[0]?.text).toContain('Which day does the kiosk open?')
  const large = await chunked(JSON.stringify({ ...body, padding: ' '.repeat(33 * 1024 * 1024) }))
  expect([large.status, Object(await large.json()).error?.code]).toEqual([413, 'request_too_large'])
  expect((await send(server.url, 'DELETE', '/v1/responses/resp_1', { key })).status).toBe(404)
  expect(requests).toHaveLength(1)
})
