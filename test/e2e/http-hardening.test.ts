import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { send, type Served, servedForTest } from '../fixtures/server/serve.ts'

async function withKey(serving: Parameters<typeof servedForTest>[1] = {}): Promise<{ readonly server: Served; readonly key: string }> {
  const server = await servedForTest({}, serving)
  return { server, key: (await server.memory.keys.create({ access: 'admin' })).key }
}

/** Sends bytes as they are, and gives all that comes until the connection ends. */
async function raw({ url }: Served, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  socket.on('error', () => undefined)
  socket.end(bytes)
  if (!socket.closed) await once(socket, 'close')
  return text
}

const statusesIn = (text: string): readonly number[] => [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))

describe('one key of a gateway for many users', () => {
  test('keeps the idempotency keys of its users apart', async () => {
    const { memory, url } = await servedForTest()
    const { key } = await memory.keys.create({ project: 'acme', access: 'write', impersonate: true })
    const say = (user: string, content: string) =>
      send(url, 'POST', `/v1/projects/acme/users/${user}/sessions/s/messages`, {
        ...{ key, body: { messages: { role: 'user', content } } },
        headers: { 'idempotency-key': 'turn-1', 'varve-user': user },
      })
    expect((await say('mallory', 'I was here first.')).status).toBe(200)
    expect((await say('ada', 'The kiosk opens on the 9th.')).status).toBe(200)
    expect((await say('ada', 'The kiosk opens on the 9th.')).headers.get('idempotent-replayed')).toBe('true')
    expect(await memory.for({ project: 'acme', user: 'ada' }).messages('s')).toHaveLength(1)
  })
})

test('an idempotency key that comes with another query or another condition is for another request', async () => {
  const { server, key } = await withKey()
  const path = '/v1/projects/acme/users/ada/blocks/plan'
  const set = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    send(server.url, 'PUT', `${path}${query}`, { key, body: { text: 'Go there.' }, headers: { 'idempotency-key': 'k', ...headers } })
  expect((await set('')).status).toBe(200)
  expect((await set('?maxChars=100')).status).toBe(422)
  expect((await set('', { 'if-match': '"1"' })).status).toBe(422)
  expect((await set('')).headers.get('idempotent-replayed')).toBe('true')
})

describe('streams of events', () => {
  const path = '/v1/projects/acme/events'
  const openIn = async (server: Served, key: string): Promise<string | undefined> =>
    /varve_open\{what="streams"\} (\d+)/.exec((await send(server.url, 'GET', '/metrics', { key })).text)?.[1]

  test('HEAD opens none: it would have no reader and no end', async () => {
    const { server, key } = await withKey()
    for (let times = 0; times < 5; times += 1) expect((await send(server.url, 'HEAD', path, { key })).status).toBe(405)
    expect(await openIn(server, key)).toBe('0')
  })

  test('a key has a bound of open ones, and gets its places back', async () => {
    const { server, key } = await withKey({ maxStreams: 2 })
    const other = (await server.memory.keys.create({ access: 'admin' })).key
    const open = async (of: string) => {
      const ended = new AbortController()
      const { status } = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${of}` }, signal: ended.signal })
      return { status, end: () => ended.abort() }
    }
    const first = await open(key)
    const second = await open(key)
    expect([first.status, second.status, (await open(key)).status]).toEqual([200, 200, 429])
    expect((await open(other)).status).toBe(200)
    first.end()
    while ((await openIn(server, key)) !== '2') await new Promise(setImmediate)
    expect((await open(key)).status).toBe(200)
  })
})

describe('requests that are not what they seem', () => {
  const body = '{"messages":{"role":"user","content":"smuggled"}}'
  const at = '/v1/projects/acme/users/ada/sessions/s/messages'

  test('a request within a request is never read as one', async () => {
    const { server, key } = await withKey()
    const head = `POST ${at} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`
    const inner = `${head}Authorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    for (const framing of [
      `Content-Length: ${inner.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
      `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${inner}`,
      `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
      `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`,
      `Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `Content-Length: +0\r\n\r\n${inner}`,
      `Content-Length: ${inner.length}\r\n\r\n${inner}`,
      `X: a\nContent-Length: 0\r\n\r\n${inner}`,
    ])
      expect(
        statusesIn(await raw(server, head + framing)).every((status) => status >= 400),
        framing.slice(0, 60),
      ).toBe(true)
    expect(await server.memory.for({ project: 'acme', user: 'ada' }).sessions.list()).toEqual([])
  })

  test('an address in another form reaches nothing that its plain form does not', async () => {
    const { server, key } = await withKey()
    await server.memory.for({ project: 'acme', user: 'ada' }).append('s', { role: 'user', content: 'The kiosk opens on the 9th.' })
    const bob = (await server.memory.keys.create({ project: 'acme', user: 'bob', access: 'write' })).key
    for (const path of [
      ...[`/${at}`, `${at}/`, `/.${at}`, `/v1/./projects/acme/users/ada/sessions`, `/v1/projects/acme/users/bob/../ada/sessions`],
      ...[
        '/v1/projects/acme/users/bob%2f..%2fada/sessions',
        '/v1/projects/acme/users/bob/%2e%2e/ada/sessions',
        '/v1/projects/acme/users/.%2e/ada/sessions',
      ],
      ...['/V1/projects/acme/users/ada/sessions', '/v1/projects/acme/users/ada/sessions;x=1', '/v1/projects/acme/users/ad%61%00/sessions'],
      ...['/v1/projects/acme/users/ada%252fsessions', '/v1/projects/acme//users/ada/sessions', '/v1\\projects\\acme\\users\\ada\\sessions'],
      ...[
        'http://127.0.0.1/v1/projects/acme/users/ada/sessions',
        'http://evil.example/v1/projects/acme/users/ada/sessions',
        '*',
        'v1/projects',
      ],
    ])
      for (const verb of ['GET', 'HEAD', 'POST', 'TRACE', 'OPTIONS', 'CONNECT']) {
        const text = await raw(
          server,
          `${verb} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${bob}\r\nConnection: close\r\n\r\n`,
        )
        expect(text, `${verb} ${path}`).not.toMatch(/kiosk|"id":"s"/)
        expect(
          statusesIn(text).every((status) => status >= 400 || status === 204),
          `${verb} ${path}: ${text.slice(0, 40)}`,
        ).toBe(true)
        expect(
          statusesIn(text).every((status) => status < 500),
          `${verb} ${path}: ${text.slice(0, 60)}`,
        ).toBe(true)
      }
    expect((await send(server.url, 'GET', '/v1/projects/acme/users/ada/sessions', { key })).status).toBe(200)
  })

  test('names with line breaks split no answer, and names of prototypes are names', async () => {
    const { server, key } = await withKey()
    for (const name of ['a\r\nSet-Cookie: a=b', '__proto__', 'constructor', 'toString']) {
      const user = encodeURIComponent(name)
      const path = `/v1/projects/${user}/users/${user}`
      const appended = await send(server.url, 'POST', `${path}/sessions/${user}/messages`, {
        ...{ key, headers: { 'idempotency-key': 'k' } },
        body: { messages: { role: 'user', content: 'hello', metadata: JSON.parse('{"__proto__": {"polluted": true}}') } },
      })
      expect(appended.status, appended.text).toBeLessThan(500)
      const got = await send(server.url, 'GET', `${path}/sessions?__proto__=1&constructor=2`, { key })
      expect(got.status).toBe(400)
      for (const { headers } of [appended, got]) expect([headers.get('set-cookie'), headers.get('polluted')]).toEqual([null, null])
    }
    const polluting = '{"__proto__": {"limit": 1}, "constructor": {"prototype": {"polluted": true}}, "query": "x"}'
    expect((await send(server.url, 'POST', '/v1/projects/acme/users/ada/recall', { key, body: polluting })).status).toBe(400)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})
