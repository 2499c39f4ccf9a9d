import { request, type RequestOptions } from 'node:http'
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { httpClient, textOf } from '../fixtures/mcp/connected.ts'
import { send, type Served, servedForTest } from '../fixtures/server/serve.ts'

const modern = '2026-07-28'

/** The headers and the body of one message of the current revision, as a client sends it. */
function message(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': modern,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': modern,
      'mcp-method': method,
      ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
  }
}

const recallOf = (query: string) => message('tools/call', { name: 'memory_recall', arguments: { query } })

async function keyOf({ memory }: Served, options: Parameters<Served['memory']['keys']['create']>[0]): Promise<string> {
  return (await memory.keys.create(options)).key
}

/** Sends what fetch does not. */
function statusOf(url: string, options: RequestOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, options, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end()
  })
}

async function recalled(client: Client, query: string): Promise<string> {
  return textOf(await client.callTool({ name: 'memory_recall', arguments: { query } }))
}

test('no key, a wrong one and a page of another site are refused as at every route', async () => {
  const server = await servedForTest()
  const { url } = server
  const asked = message('tools/list')
  for (const path of ['/mcp', '/v1/projects/acme/users/ada/mcp']) {
    expect(await send(url, 'POST', path, asked)).toMatchObject({ status: 401 })
    expect(await send(url, 'POST', path, { ...asked, key: 'varve_nothing' })).toMatchObject({ status: 401 })
    const key = await keyOf(server, { project: 'acme', user: 'ada' })
    expect(await send(url, 'POST', path, { key, ...asked })).toMatchObject({ status: 200 })
    const elsewhere = { ...asked, key, headers: { ...asked.headers, origin: 'https://evil.example' } }
    expect(await send(url, 'POST', path, elsewhere)).toMatchObject({ status: 403 })
    for (const verb of ['GET', 'DELETE']) expect(await send(url, verb, path, { key })).toMatchObject({ status: 405 })
    expect(await statusOf(`${url}${path}`, { method: 'TRACE', headers: { authorization: `Bearer ${key}` } })).toBe(405)
  }
})

test('a key reaches its own user alone; a gateway names the user; a key of a project names one by header or path', async () => {
  const server = await servedForTest()
  const { memory, url } = server
  for (const user of ['ada', 'bob']) {
    const handle = memory.for({ project: 'acme', user })
    await handle.append('talk', { role: 'user', content: `The oars of ${user} are blue.` })
  }
  const adas = await keyOf(server, { project: 'acme', user: 'ada', access: 'write' })
  const gateway = await keyOf(server, { project: 'acme', impersonate: true })
  const acmes = await keyOf(server, { project: 'acme' })
  const told = async (key: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const asked = recallOf('oars')
    const got = await send(url, 'POST', path, { key, body: asked.body, headers: { ...asked.headers, ...headers } })
    return got.status === 200 ? (/oars of (\w+)/.exec(got.text)?.[1] ?? 'nothing') : got.status
  }
  expect(await told(adas, '/mcp')).toBe('ada')
  expect(await told(adas, '/v1/projects/acme/users/ada/mcp')).toBe('ada')
  expect(await told(adas, '/v1/projects/acme/users/bob/mcp')).toBe(403)
  expect(await told(adas, '/mcp', { 'varve-user': 'bob' })).toBe(403)
  expect(await told(adas, '/mcp', { 'varve-project': 'other' })).toBe(403)
  expect(await told(gateway, '/mcp', { 'varve-user': 'bob' })).toBe('bob')
  expect(await told(gateway, '/mcp')).toBe(403)
  expect(await told(gateway, '/v1/projects/acme/users/ada/mcp', { 'varve-user': 'bob' })).toBe(403)
  expect(await told(acmes, '/mcp', { 'varve-user': 'bob' })).toBe('bob')
  expect(await told(acmes, '/v1/projects/acme/users/bob/mcp')).toBe('bob')
  expect(await told(acmes, '/v1/projects/other/users/bob/mcp')).toBe(403)
  expect(await told(acmes, '/mcp')).toBe('nothing')
})

test('a key that only reads has no tool that writes, also when the tool is called by name', async () => {
  const server = await servedForTest()
  const client = await httpClient(
    server,
    { era: 'auto' },
    { key: { project: 'acme', user: 'ada', access: 'read' }, path: '/mcp?tools=all' },
  )
  for (const [name, given] of [
    ['memory_remember', { note: 'x' }],
    ['memory_forget', { all: true }],
    ['memory_block_set', { name: 'x', text: 'y' }],
  ] as const)
    await expect(client.callTool({ name, arguments: given })).rejects.toThrow('not found')
  expect(await server.memory.for({ project: 'acme', user: 'ada' }).documents.list()).toEqual([])
})

test('what a client writes is an agent’s, also with a key that may claim no person', async () => {
  const server = await servedForTest()
  const ada = server.memory.for({ project: 'acme', user: 'ada' })
  const rights = { project: 'acme', user: 'ada', access: 'write', origins: ['assistant', 'tool'] } as const
  const client = await httpClient(server, { era: 'auto' }, { key: rights, path: '/mcp?tools=all' })
  const write = (name: string, given: Readonly<Record<string, unknown>>) => client.callTool({ name, arguments: { ...given } })
  for (const [name, given] of [
    ['memory_remember', { predicate: 'likes', object: 'tea', writer: 'person' }],
    ['memory_remember', { predicate: 'likes', object: 'tea' }],
    ['memory_remember', { instruction: 'Name the pier.' }],
    ['memory_remember', { note: 'The gate is blue.' }],
    ['memory_fact_add', { predicate: 'likes', object: 'ale', writer: 'person', sources: [{ message: 'x' }] }],
    ['memory_fact_add', { predicate: 'likes', object: 'rum' }],
  ] as const)
    await write(name, given)
  expect((await ada.facts.list()).map(({ writer, sources }) => [writer, sources])).toEqual([
    ['agent', []],
    ['agent', []],
  ])
  expect(await ada.instructions.list()).toMatchObject([{ by: 'agent', noted: true }])
  expect(await ada.documents.list()).toMatchObject([{ writer: 'agent' }])
})

test('each call has its entry in the audit, without a word of it, and its requests are counted by route', async () => {
  const server = await servedForTest()
  const { memory, url } = server
  const { messages } = await memory.for({ project: 'acme', user: 'ada' }).append('talk', { role: 'user', content: 'The oars are blue.' })
  const client = await httpClient(server, { era: 'auto' }, { key: { project: 'acme', user: 'ada', access: 'write' } })
  await recalled(client, 'xylophone')
  const refs = [`message:${messages[0]?.id}`]
  await client.callTool({ name: 'memory_forget', arguments: { refs, confirm: 'forged' } })
  const shown = await client.callTool({ name: 'memory_forget', arguments: { refs } })
  const confirm = Reflect.get(Object(shown.structuredContent), 'confirm')
  const erased = await client.callTool({ name: 'memory_forget', arguments: { refs, confirm } })
  const receipt: unknown = Reflect.get(Object(erased.structuredContent), 'receipt')
  const admin = await keyOf(server, { access: 'admin' })
  const { text } = await send(url, 'GET', '/v1/audit?project=acme', { key: admin })
  const rows: readonly Readonly<Record<string, unknown>>[] = JSON.parse(text).items ?? JSON.parse(text)
  const deeds = rows.map(({ operation, act, status, user }) => [operation, act, status, user])
  expect(deeds).toEqual(
    expect.arrayContaining([
      ['recall', 'read', 200, 'ada'],
      ['showForget', 'read', 200, 'ada'],
      ['confirmForget', 'forget', 400, 'ada'],
      ['confirmForget', 'forget', 200, 'ada'],
    ]),
  )
  expect(JSON.stringify(rows)).toContain(String(receipt))
  expect(text).not.toMatch(/xylophone|oars/)
  const metrics = await send(url, 'GET', '/metrics', { key: admin })
  expect(metrics.text).toContain('route="/mcp"')
  expect(metrics.text).not.toMatch(/xylophone|oars/)
})

test('batches, subscriptions, giant bodies and what is no message are refused, and the next message is answered', async () => {
  const server = await servedForTest()
  const { url } = server
  const key = await keyOf(server, { project: 'acme', user: 'ada' })
  const { headers, body } = recallOf('oars')
  const post = (given: unknown) => send(url, 'POST', '/mcp', { key, headers, body: given })
  expect(await post([body, body])).toMatchObject({ status: 400 })
  const listen = message('subscriptions/listen', { notifications: { resourcesListChanged: true } })
  expect(await send(url, 'POST', '/mcp', { key, ...listen })).toMatchObject({ status: 404 })
  expect(await post(JSON.stringify({ ...body, x: 'y'.repeat(5 * 1024 * 1024) }))).toMatchObject({ status: 413 })
  for (const wrong of [
    '{',
    '7',
    'null',
    '"x"',
    '{}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    `${'['.repeat(50_000)}`,
  ]) {
    const got = await post(wrong)
    expect([400, 202], `${wrong.slice(0, 40)} ${got.text}`).toContain(got.status)
  }
  const many = message('tools/call', { name: 'memory_forget', arguments: { refs: Array.from({ length: 20_000 }, () => 'message:x') } })
  expect(await send(url, 'POST', '/mcp', { key, ...many })).toMatchObject({
    status: 400,
    text: expect.stringContaining('at most 10000 values'),
  })
  // Each of them held up everybody for a second or more while it was checked.
  const deep = `${'['.repeat(900_000)}${']'.repeat(900_000)}`
  const fields = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, 1]))
  for (const wide of [JSON.stringify({ ...body, x: fields }), `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${deep}}}`])
    expect(await post(wide)).toMatchObject({ status: 400, text: expect.stringContaining('at most 10000 values') })
  expect(await post(body)).toMatchObject({ status: 200 })
  expect(
    (await send(url, 'POST', '/mcp', { key, headers: { ...headers, 'content-type': 'text/plain' }, body: JSON.stringify(body) })).status,
  ).toBe(415)
})

test('two users who ask at once, many times, never see each other’s memory', async () => {
  const server = await servedForTest()
  const clients = await Promise.all(
    ['ada', 'bob'].map(async (user) => {
      await server.memory.for({ project: 'acme', user }).append('talk', { role: 'user', content: `The oars of ${user} are blue.` })
      return { user, client: await httpClient(server, { era: 'auto' }, { key: { project: 'acme', user } }) }
    }),
  )
  const asked = Array.from({ length: 20 }, () => clients).flat()
  const answers = await Promise.all(
    asked.map(async ({ user, client }) => [user, /oars of (\w+)/.exec(await recalled(client, 'oars'))?.[1]]),
  )
  for (const [user, told] of answers) expect(told).toBe(user)
})

test('ids, pages, tokens and addresses of another user are refused', async () => {
  const server = await servedForTest()
  const [ada, bob] = ['ada', 'bob'].map((user) => server.memory.for({ project: 'acme', user }))
  const { messages = [] } = (await bob?.append('talk', { role: 'user', content: 'The code is in the shed.' })) ?? {}
  const fact = await bob?.facts.add({ predicate: 'owns', object: 'a skiff', writer: 'agent' })
  await bob?.documents.edit('Secret', '- in the shed')
  await bob?.blocks.set('secret', 'in the shed')
  await ada?.append('talk', { role: 'user', content: 'Hello.' })
  const client = await httpClient(server, { era: 'auto' }, { key: { project: 'acme', user: 'ada', access: 'write' } })
  const bobs = await httpClient(server, { era: 'auto' }, { key: { project: 'acme', user: 'bob', access: 'write' } })
  const call = async (name: string, given: Readonly<Record<string, unknown>>) => client.callTool({ name, arguments: { ...given } })
  for (const [name, given] of [
    ['memory_edit', { ref: `fact:${fact?.id}`, text: 'x' }],
    ['memory_edit', { ref: 'document:Secret', text: 'x' }],
    ['memory_edit', { ref: 'block:secret', text: 'x' }],
    ['memory_forget', { refs: [`message:${messages[0]?.id}`] }],
    ['memory_forget', { refs: [`fact:${fact?.id}`] }],
    ['memory_forget', { refs: ['document:Secret'] }],
  ] as const) {
    const answer = await call(name, given)
    expect(answer.isError, JSON.stringify(given)).toBe(true)
    expect(textOf(answer)).not.toContain('shed')
  }
  const shown = await bobs.callTool({ name: 'memory_forget', arguments: { refs: ['session:talk'] } })
  const confirm = Reflect.get(Object(shown.structuredContent), 'confirm')
  expect(await call('memory_forget', { refs: ['session:talk'], confirm })).toMatchObject({ structuredContent: { done: false } })
  expect(await ada?.messages('talk')).toHaveLength(1)
  expect(await bob?.messages('talk')).toHaveLength(1)
  const addresses = [
    'documents/Secret',
    'blocks/secret',
    'notes/talk',
    '../bob',
    'documents/..',
    'documents/../blocks/secret',
    'documents/%2e%2e',
  ]
  const odd = [
    'profile/x',
    'documents/',
    'documents',
    'documents/%',
    'documents/Secret?x',
    'documents/%00',
    'x/Secret',
    '',
    'documents/%ED%A0%80',
  ]
  for (const uri of [...addresses, ...odd].map((path) => `varve://${path}`).concat('file:///etc/passwd', 'http://127.0.0.1/', 'Secret'))
    await expect(client.readResource({ uri }), uri).rejects.toThrow(/not found|resource|must/i)
  expect(JSON.stringify(await client.listResources())).not.toMatch(/secret/i)
})

test('requests are bounded by the limits of the key', async () => {
  const server = await servedForTest({}, { limits: { perMinute: 3 } })
  const key = await keyOf(server, { project: 'acme', user: 'ada' })
  const statuses: number[] = []
  for (let at = 0; at < 5; at += 1) statuses.push((await send(server.url, 'POST', '/mcp', { key, ...recallOf('oars') })).status)
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})
