import { request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../packages/varve/src/client/index.ts'
import type { ServerOptions } from '../../packages/varve/src/server/serve-memory.ts'
import { chatAnswer, scriptedUpstream } from '../fixtures/proxy/scripted-upstream.ts'
import { newStore } from '../fixtures/memory/open.ts'
import { send, type Sent, type Served, served, servedForTest } from '../fixtures/server/serve.ts'

let server: Served
let key: string
const log: string[] = []

beforeAll(async () => {
  const logged: ServerOptions = { log: 'requests', logSink: { write: (line) => log.push(line) }, maxBodyBytes: 100_000 }
  server = await served({}, logged)
  key = (await server.memory.keys.create({ access: 'admin' })).key
})

afterAll(() => server.close())

const ada = '/v1/projects/acme/users/ada'
const asked = (verb: string, path: string, sent: Sent = {}) => send(server.url, verb, path, { key, ...sent })
const said = (content: string) => ({ messages: [{ role: 'user', content }] })

describe('names', () => {
  const odd = ['a/b', '100%', '%2F', 'a b', '?', '#', 'ключ', '🔑', 'a+b', 'a;b=c', '..a', '*', "'", '"', '\\', '{user}', ':user', '~a']

  test('of any letters come back as they were sent, in each place of a path', async () => {
    for (const name of odd) {
      const path = `/v1/projects/${encodeURIComponent(name)}/users/${encodeURIComponent(name)}`
      await asked('POST', `${path}/sessions/${encodeURIComponent(name)}/messages`, { body: said(`of ${name}`) })
      const listed = await server.memory.for({ project: name, user: name }).messages(name)
      expect(listed.map(({ content }) => content)).toEqual([`of ${name}`])
    }
    const { items } = Object((await asked('GET', '/v1/projects')).json())
    expect(items.map((one: { name: string }) => one.name)).toEqual(expect.arrayContaining(odd))
  })

  test('that there cannot be are refused', async () => {
    for (const name of ['%00', '%ED%A0%80', '%', '%F', '%20', 'x'.repeat(257)]) {
      const got = await asked('GET', `/v1/projects/acme/users/${name}/sessions`)
      expect(got.status, name).toBe(400)
      expect(got.headers.get('content-type')).toBe('application/problem+json')
    }
  })
})

describe('a body', () => {
  const cases: readonly (readonly [string, Sent, number])[] = [
    ['that is no JSON', { body: '{"query":' }, 400],
    ['of another shape', { body: '[]' }, 400],
    ['with a byte order mark', { body: '\ufeff{}' }, 400],
    ['of another type', { body: '{"query":"x"}', headers: { 'content-type': 'text/plain' } }, 415],
    ['that is compressed', { body: { query: 'x' }, headers: { 'content-encoding': 'gzip' } }, 415],
    ['that is too large', { body: { query: 'x'.repeat(100_001) } }, 413],
    ['with an unknown field', { body: { query: 'x', limt: 3 } }, 400],
    ['with a field of another type', { body: { query: 'x', limit: '3' } }, 400],
    ['with a key that is special in JavaScript', { body: '{"query":"x","__proto__":{"limit":1}}' }, 400],
  ]
  for (const [name, sent, status] of cases)
    test(`${name} is refused with ${status}, and a problem says so`, async () => {
      const got = await asked('POST', `${ada}/recall`, sent)
      expect(got.status).toBe(status)
      expect(got.json()).toMatchObject({ status, isRetryable: false, code: expect.stringMatching(/^(?:REQUEST|OPTION)_INVALID$/) })
    })

  test('that is no UTF-8 is refused', async () => {
    const body = Buffer.concat([Buffer.from('{"query":"'), Buffer.from([0xff]), Buffer.from('"}')])
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    expect((await fetch(`${server.url}${ada}/recall`, { method: 'POST', headers, body })).status).toBe(400)
  })

  test('that is too large is refused before it is read, also where its length is not told', async () => {
    const { hostname, port } = new URL(server.url)
    const head = `POST ${ada}/recall HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`
    const told = await answerTo(hostname, Number(port), `${head}content-length: 100001\r\n\r\n`)
    expect(told).toMatch(/^HTTP\/1.1 413 /)
    const piece = `${(50_000).toString(16)}\r\n${'x'.repeat(50_000)}\r\n`
    expect(await answerTo(hostname, Number(port), `${head}transfer-encoding: chunked\r\n\r\n${piece}${piece}${piece}`)).toMatch(
      /^HTTP\/1.1 413 /,
    )
  })
})

/** Sends bytes, and gives the head of the answer. */
function answerTo(host: string, port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(port, host, () => socket.write(bytes))
    socket.setEncoding('utf8').once('data', (data: string) => {
      resolve(data)
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

describe('the fields of a query as JSON', () => {
  const fields = (given: unknown) => `fields=${encodeURIComponent(JSON.stringify(given))}`

  test('have the types that they are given with, and are refused as those of a body are', async () => {
    await server.memory.for({ project: 'acme', user: 'cy' }).append('5', { role: 'user', content: 'The ferry leaves at nine.' })
    const path = '/v1/projects/acme/users/cy'
    expect(Object((await asked('GET', `${path}/sessions?${fields({ limit: 1, deadlineMs: 9_000 })}`)).json()).items).toHaveLength(1)
    expect(Object((await asked('GET', `${path}/contexts?${fields({ session: '5' })}`)).json()).items).toEqual([])
    for (const wrong of [fields({ limit: '1' }), fields({ limit: null }), fields({ limits: 1 }), `limit=1&${fields({ limit: 1 })}`]) {
      const got = await asked('GET', `${path}/sessions?${wrong}`)
      expect([got.status, Object(got.json()).code], wrong).toEqual([400, 'OPTION_INVALID'])
    }
    for (const wrong of ['fields=', 'fields={', 'fields=[]', 'fields=7', 'fields=null', 'fields={}&fields={"limit":1}'])
      expect((await asked('GET', `${path}/sessions?${wrong}`)).status, wrong).toBe(400)
  })

  test('and of a body hold what no path can, which is refused as in the library: no other one is touched', async () => {
    const path = '/v1/projects/acme/users/cy'
    await server.memory.for({ project: 'acme', user: 'cy' }).blocks.set('habits', 'tea')
    const wrongs = [
      ['GET', `/sessions/%00?${fields({ id: '..' })}`, undefined, 400, 'SCOPE_INVALID'],
      ['DELETE', '/sessions/%00', { id: '' }, 400, 'SCOPE_INVALID'],
      ['DELETE', '/blocks/%00', { name: '..' }, 400, 'OPTION_INVALID'],
      ['DELETE', '/blocks/%00', {}, 400, 'OPTION_INVALID'],
      ['DELETE', '/blocks/habits', { name: 'other' }, 400, 'OPTION_INVALID'],
      ['POST', '/facts/%00/retract', { id: '' }, 404, 'NOT_FOUND'],
    ] as const
    for (const [verb, at, body, status, code] of wrongs) {
      const got = await asked(verb, `${path}${at}`, body === undefined ? {} : { body })
      expect([got.status, Object(got.json()).code], `${verb} ${at}`).toEqual([status, code])
    }
    // The owner of a memory stands in the path alone.
    expect((await asked('GET', `/v1/projects/acme/users/%00/sessions?${fields({ user: 'cy' })}`)).status).toBe(400)
    expect((await server.memory.for({ project: 'acme', user: 'cy' }).blocks.list()).map(({ name }) => name)).toEqual(['habits'])
  })
})

describe('a write that comes again', () => {
  test('with its key is done once, and answered the same', async () => {
    const again = { body: said('once'), headers: { 'idempotency-key': 'k-1' } }
    const path = `${ada}/sessions/again/messages`
    const all = await Promise.all([asked('POST', path, again), asked('POST', path, again), asked('POST', path, again)])
    expect(new Set(all.map(({ text }) => text)).size).toBe(1)
    expect(await server.memory.for({ project: 'acme', user: 'ada' }).messages('again')).toHaveLength(1)
    expect((await asked('POST', path, again)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('with a key that another request had is refused, as is a key that can be none', async () => {
    const headers = { 'idempotency-key': 'k-2' }
    const path = `${ada}/sessions/again/messages`
    await asked('POST', path, { body: said('one'), headers })
    expect((await asked('POST', path, { body: said('another'), headers })).status).toBe(422)
    expect((await asked('POST', path, { body: said('x'), headers: { 'idempotency-key': 'x'.repeat(256) } })).status).toBe(400)
  })

  test('with the key of another caller is a request of its own', async () => {
    const other = (await server.memory.keys.create({ project: 'acme', user: 'ada' })).key
    const headers = { 'idempotency-key': 'k-3' }
    const path = `${ada}/sessions/two/messages`
    await asked('POST', path, { body: said('mine'), headers })
    await asked('POST', path, { key: other, body: said('mine'), headers })
    expect(await server.memory.for({ project: 'acme', user: 'ada' }).messages('two')).toHaveLength(2)
  })

  test('tells nothing that was forgotten meanwhile, and is not done again', async () => {
    const sent = { body: { text: 'The vault opens with 4711.' }, headers: { 'idempotency-key': 'k-4' } }
    await asked('PUT', `${ada}/blocks/vault`, sent)
    await asked('DELETE', `${ada}/blocks/vault`)
    await asked('POST', `${ada}/forget`, { body: { what: { all: true } } })
    const again = await asked('PUT', `${ada}/blocks/vault`, sent)
    expect(again.status).toBe(409)
    expect(again.text).not.toContain('4711')
    expect(await server.memory.for({ project: 'acme', user: 'ada' }).blocks.get('vault')).toBeUndefined()
  })

  test('tells nothing of a block that was deleted meanwhile, for which no event comes', async () => {
    const sent = { body: { text: 'The vault opens with 4712.' }, headers: { 'idempotency-key': 'k-6' } }
    await asked('PUT', `${ada}/blocks/safe`, sent)
    await asked('DELETE', `${ada}/blocks/safe`)
    const again = await asked('PUT', `${ada}/blocks/safe`, sent)
    expect([again.status, again.text.includes('4712')]).toEqual([409, false])
  })

  test('as an append whose session was forgotten is told so, and stored no more', async () => {
    const sent = { body: said('The vault opens with 4713.'), headers: { 'idempotency-key': 'k-8' } }
    const path = `${ada}/sessions/gone/messages`
    await asked('POST', path, sent)
    await asked('POST', `${ada}/forget`, { body: { what: { session: 'gone' } } })
    const again = await asked('POST', path, sent)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(again.json()).toMatchObject({ messages: [], forgottenSince: [0] })
    expect(await server.memory.for({ project: 'acme', user: 'ada' }).messages('gone')).toEqual([])
  })

  test('never shows the text of a key again', async () => {
    const sent = { body: { project: 'acme' }, headers: { 'idempotency-key': 'k-7' } }
    const [first, again] = [await asked('POST', '/v1/keys', sent), await asked('POST', '/v1/keys', sent)]
    expect(Object(first.json()).key).not.toBe(Object(again.json()).key)
  })

  test('that failed for a while is done when it comes again', async () => {
    const sent = { body: { text: 'x' }, headers: { 'idempotency-key': 'k-5' } }
    expect((await asked('PUT', `${ada}/sessions/none-yet/gist`, sent)).status).toBe(404)
    expect((await asked('PUT', `${ada}/sessions/none-yet/gist`, sent)).status).toBe(404)
  })
})

describe('an edit of a revision', () => {
  test('is refused with 412 when another one stands, for blocks, documents and notes', async () => {
    const user = server.memory.for({ project: 'revisions', user: 'ada' })
    await user.append('talk', { role: 'user', content: 'The kiosk opens on the 16th.' })
    await user.notes.edit('talk', '# Kiosk\n\n- opens')
    await user.documents.edit('Kiosk', '- opens')
    await user.blocks.set('kiosk', 'opens')
    const edits = [
      ['PUT', '/blocks/kiosk', { text: 'closes' }],
      ['PATCH', '/documents/Kiosk', { change: '- closes' }],
      ['PUT', '/sessions/talk/notes', { content: '# Kiosk\n\n- closes' }],
    ] as const
    for (const [verb, path, body] of edits) {
      const at = `/v1/projects/revisions/users/ada${path}`
      const tag = (await asked('GET', at)).headers.get('etag') ?? ''
      expect(tag).toMatch(/^"1\.[\w-]{12}"$/)
      expect((await asked('GET', at, { headers: { 'if-none-match': tag } })).status).toBe(304)
      const first = await asked(verb, at, { body, headers: { 'if-match': tag } })
      expect([first.status, first.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"2\./)])
      const stale = await asked(verb, at, { body, headers: { 'if-match': tag } })
      expect([stale.status, Object(stale.json()).code]).toEqual([412, 'STALE_REVISION'])
      expect((await asked(verb, at, { body, headers: { 'if-match': 'W/"x"' } })).status).toBe(400)
    }
  })
})

describe('a list', () => {
  test('comes in pages, and whole as lines', async () => {
    const user = server.memory.for({ project: 'lists', user: 'ada' })
    for (let at = 0; at < 25; at += 1) await user.append(`session ${at}`, { role: 'user', content: `number ${at}` })
    const path = '/v1/projects/lists/users/ada/sessions'
    const seen: string[] = []
    for (let cursor: string | undefined, page = 0; page < 4; page += 1) {
      const got = Object(
        (await asked('GET', `${path}?limit=10${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)).json(),
      )
      seen.push(...got.items.map(({ id }: { id: string }) => id))
      cursor = got.cursor
      if (cursor === undefined) break
    }
    expect(new Set(seen).size).toBe(25)
    const lines = await asked('GET', `${path}?limit=10`, { headers: { accept: 'application/jsonl' } })
    expect(lines.headers.get('content-type')).toMatch(/^application\/jsonl/)
    expect(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(seen)
  })

  test('of an export goes out and comes in as a stream', async () => {
    const from = server.memory.for({ project: 'lists', user: 'ada' })
    const { text } = await asked('POST', '/v1/projects/lists/users/ada/export', { body: {} })
    expect(text.split('\n').length).toBeGreaterThan(50)
    const headers = { 'content-type': 'application/jsonl' }
    const imported = await asked('POST', '/v1/projects/copies/users/ada/import?accept=true', { body: text, headers })
    expect(imported.json()).toMatchObject({ stored: { message: 25 } })
    expect(await server.memory.for({ project: 'copies', user: 'ada' }).sessions.list()).toHaveLength((await from.sessions.list()).length)
  })
})

describe('what nobody asked for', () => {
  test('is 404 or 405, and a deadline is 504', async () => {
    expect((await asked('GET', '/')).status).toBe(404)
    expect((await asked('GET', '/v1/nothing')).status).toBe(404)
    expect((await asked('PATCH', `${ada}/recall`, { body: {} })).status).toBe(405)
    expect((await asked('GET', `${ada}/sessions/not-there`)).json()).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect((await asked('GET', `${ada}/profile?deadlineMs=0`)).status).toBe(400)
  })

  test('a request of two lengths, or of none, is no request', async () => {
    const { hostname, port } = new URL(server.url)
    const smuggled = `POST ${ada}/recall HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`
    expect(await answerTo(hostname, Number(port), smuggled)).toMatch(/^HTTP\/1.1 400 /)
  })
})

describe('what is kept of requests', () => {
  const canary = 'the safe behind the canary painting'

  test('the log has a line for each, with no name and no word of anybody', async () => {
    log.length = 0
    await asked('POST', '/v1/projects/canary-project/users/canary-user/sessions/canary-session/messages', { body: said(canary) })
    await asked('POST', '/v1/projects/canary-project/users/canary-user/recall', { body: { query: canary } })
    await asked('GET', '/v1/projects/canary-project/users/canary-user/facts?subject=canary')
    await asked('POST', '/v1/projects/canary-project/users/canary-user/recall', { body: { query: 'canary', limit: 'canary' } })
    expect(log.map((line) => JSON.parse(line).status)).toEqual([200, 200, 200, 400])
    expect(log.join('')).not.toMatch(/canary|safe|varve_/)
    expect(JSON.parse(log[0] ?? '')).toMatchObject({
      verb: 'POST',
      route: '/v1/projects/{project}/users/{user}/sessions/{session}/messages',
    })
  })

  test('the audit says who read, wrote, shared and forgot, by ids alone', async () => {
    const { memory } = server
    const made = await memory.keys.create({ name: 'the app', project: 'audited', access: 'write' })
    const by = { key: made.key }
    const path = '/v1/projects/audited/users/ada'
    const appended = Object((await asked('POST', `${path}/sessions/talk/messages`, { ...by, body: said(canary) })).json())
    await asked('POST', `${path}/recall`, { ...by, body: { query: canary } })
    await asked('PUT', `${path}/sessions/talk/share`, { ...by, body: { share: true } })
    const receipt = Object((await asked('POST', `${path}/forget`, { ...by, body: { what: { session: 'talk' } } })).json())
    expect((await asked('GET', '/v1/doctor', by)).status).toBe(403)
    await asked('GET', '/v1/keys')
    const entries = await servedAudit(made.id)
    expect(entries.map(({ act, operation, status }) => `${act} ${operation} ${status}`).toSorted()).toEqual(
      ['forget forget 200', 'read doctor 403', 'read recall 200', 'share sessions.share 200', 'write append 200'].toSorted(),
    )
    expect(entries.find(({ act }) => act === 'write')?.items).toEqual([appended.messages[0].id])
    expect(entries.find(({ act }) => act === 'forget')?.items).toEqual([receipt.id])
    expect(JSON.stringify(entries)).not.toMatch(/canary|talk/)
  })

  async function servedAudit(id: string) {
    // What shares, forgets or is about keys is stored before its answer; the rest within a named time.
    await asked('POST', '/v1/keys', { body: { project: 'flush' } })
    return server.memory.audit.list({ key: id })
  }
})

test('a server that closes answers what is under way, and takes no more', async () => {
  const closing = await servedForTest()
  const { key: own } = await closing.memory.keys.create({ access: 'admin' })
  const { hostname, port } = new URL(closing.url)
  const body = JSON.stringify(said('under way'))
  const headers = { authorization: `Bearer ${own}`, 'content-type': 'application/json', 'content-length': String(body.length) }
  const answer = Promise.withResolvers<number | undefined>()
  const sent = request({ hostname, port, method: 'POST', path: `${ada}/sessions/s/messages`, headers }, (response) => {
    response.resume()
    answer.resolve(response.statusCode)
  })
  sent.on('error', answer.reject)
  sent.write(body.slice(0, 10))
  // The head has come once another request on its own connection was answered after it.
  await send(closing.url, 'GET', '/healthz')
  const closed = closing.close()
  sent.end(body.slice(10))
  expect(await answer.promise).toBe(200)
  await closed
  await expect(fetch(`${closing.url}/healthz`)).rejects.toThrow('fetch failed')
})

describe('limits', () => {
  test('a key that asks too often waits, and the others do not', async () => {
    const limited = await servedForTest({}, { limits: { perMinute: 3, failures: 4 } })
    const [one, other] = [
      await limited.memory.keys.create({ project: 'acme' }),
      await limited.memory.keys.create({ project: 'acme', perMinute: 50 }),
    ]
    const get = (own: string) => send(limited.url, 'GET', '/v1/projects/acme/settings', { key: own })
    for (let at = 0; at < 3; at += 1) expect((await get(one.key)).status).toBe(200)
    const over = await get(one.key)
    expect(over.json()).toMatchObject({ status: 429, code: 'RATE_LIMITED', isRetryable: true })
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await get(other.key)).status).toBe(200)
    // Guesses are slowed down, and never those who have a key.
    for (let at = 0; at < 4; at += 1) expect((await get('varve_0_0')).status).toBe(401)
    expect((await get('varve_0_0')).status).toBe(429)
    expect((await get(other.key)).status).toBe(200)
  })
})

describe('events', () => {
  const opened = async (path: string, own: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${own}`, ...headers } })

  test('come as a stream, with words only for a key that reads them, and end with the key', async () => {
    const { memory } = server
    const own = await memory.keys.create({ project: 'streams', user: 'ada' })
    const handle = memory.for({ project: 'streams', user: 'ada' })
    const stream = await opened('/v1/projects/streams/users/ada/events?content=true', own.key)
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    await memory.for({ project: 'streams', user: 'bob' }).append('talk', { role: 'user', content: 'the canary of bob' })
    await handle.append('talk', { role: 'user', content: 'the words of ada' })
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of stream.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      if (text.includes('the words of ada')) await memory.keys.revoke(own.id)
    }
    expect(text).toMatch(/^retry: /)
    expect(text).toContain('event: appended')
    expect(text).not.toContain('canary')
    expect((await opened('/v1/projects/streams/users/ada/events', own.key)).status).toBe(401)
  })

  test('reach the client, which goes on where it was', async () => {
    const { memory, url } = server
    const own = await memory.keys.create({ project: 'client', user: 'ada' })
    const handle = memory.for({ project: 'client', user: 'ada' })
    const remote = connect({ url, key: own.key })
    onTestFinished(() => remote.close())
    const { place } = await handle.changes()
    await handle.append('first', { role: 'user', content: 'The ferry leaves at nine.' })
    const told: unknown[] = []
    for await (const event of remote.events({ project: 'client', user: 'ada', lastEventId: place })) {
      told.push(event)
      if (told.length === 1) await handle.append('second', { role: 'user', content: 'The kiosk opens on the 16th.' })
      if (told.length === 2) break
    }
    expect(told).toMatchObject([
      { type: 'appended', session: 'first' },
      { type: 'appended', session: 'second' },
    ])
  })

  test('and proxied calls are in the audit: who read and who wrote, under the id of the request', async () => {
    const upstream = await scriptedUpstream(() => chatAnswer('On the 16th.'))
    const proxying = await servedForTest(
      {},
      { upstreams: { openai: { url: upstream.url, key: 'sk-upstream' } }, proxyLimits: { deadlineMs: 30_000 } },
    )
    const own = await proxying.memory.keys.create({ project: 'audited', user: 'ada' })
    const words = { model: 'm', messages: [{ role: 'user', content: 'Which day has the canary?' }] }
    const called = await send(proxying.url, 'POST', '/v1/chat/completions', {
      key: own.key,
      body: words,
      headers: { 'varve-session': 's' },
    })
    await expect
      .poll(() =>
        proxying.memory
          .for({ project: 'audited', user: 'ada' })
          .messages('s')
          .catch(() => []),
      )
      .toHaveLength(2)
    const stream = await fetch(`${proxying.url}/v1/projects/audited/users/ada/events`, { headers: { authorization: `Bearer ${own.key}` } })
    await stream.body?.cancel()
    await expect.poll(() => proxying.memory.audit.list({ key: own.id })).toHaveLength(3)
    const entries = await proxying.memory.audit.list({ key: own.id })
    expect(entries.map(({ act, operation, user }) => `${act} ${operation} ${user}`)).toEqual([
      'read changes ada',
      'write append ada',
      'read context ada',
    ])
    expect(entries[1]?.items).toHaveLength(2)
    expect(entries[2]?.request).toBe(called.headers.get('varve-request-id'))
    expect(JSON.stringify(entries)).not.toMatch(/canary|16th/)
    expect((await send(proxying.url, 'POST', '/v1/chat/completions', { body: words })).json()).toMatchObject({
      status: 401,
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })

  test('of a project are not for the key of a user, and of a user not for another’s', async () => {
    const bob = await server.memory.keys.create({ project: 'streams', user: 'bob' })
    for (const path of ['/v1/projects/streams/events', '/v1/projects/streams/users/ada/events', '/v1/projects/none/events'])
      expect((await opened(path, bob.key)).status, path).toBe(403)
  })
})

test('an append that comes again after a restart of the server is stored once', async () => {
  const store = newStore()
  const headers = { 'idempotency-key': 'over-a-restart' }
  let own = ''
  const ids: unknown[] = []
  for (const start of [1, 2]) {
    const server = await served({ store })
    if (start === 1) own = (await server.memory.keys.create({ project: 'acme' })).key
    const got = await send(server.url, 'POST', `${ada}/sessions/restart/messages`, { key: own, headers, body: said('once') })
    expect(got.text).toContain('messages')
    ids.push(Object(got.json()).messages[0].id)
    expect(await server.memory.for({ project: 'acme', user: 'ada' }).messages('restart')).toHaveLength(1)
    await server.close()
  }
  expect(ids[1]).toBe(ids[0])
})
