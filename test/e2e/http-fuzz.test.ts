import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fewRuns } from '../../packages/varve/src/testing/runs.ts'
import { type Document, type FuzzRequest, type Known, requestsOf } from '../fixtures/server/fuzz.ts'
import { send, type Served, served } from '../fixtures/server/serve.ts'
import { anyCharacter } from '../fixtures/text/any-character.ts'

const document: Document = JSON.parse(readFileSync(new URL('../../packages/varve/src/server/openapi.json', import.meta.url), 'utf8'))

/** Words of another user and another project: no answer of a request by ada's key may have one. */
const secrets = ['quokka ledger', 'narwhal ledger', 'pangolin ledger']

let server: Served
let ada: string
let admin: string

beforeAll(async () => {
  server = await served({ layers: { gists: true, facts: true, bank: true, documents: true, notes: true } }, { maxBodyBytes: 150_000 })
  const { memory } = server
  ada = (await memory.keys.create({ project: 'acme', user: 'ada', perMinute: 1_000_000 })).key
  admin = (await memory.keys.create({ access: 'admin', perMinute: 1_000_000 })).key
  const owners = [{ project: 'acme', user: 'bob' }, { project: 'acme' }, { project: 'other', user: 'ada' }]
  for (const [at, owner] of owners.entries()) {
    const handle = memory.for(owner)
    await handle.append('talk', { role: 'user', content: `My ${secrets[at]} lies in the drawer.`, id: 'm-1' })
    await handle.blocks.set('plan', `the ${secrets[at]}`)
    await handle.facts.add({ predicate: 'owns', object: `the ${secrets[at]}` })
    await handle.documents.edit('Plan', `- the ${secrets[at]}`)
    await handle.distil('talk')
  }
  await memory.for({ project: 'acme', user: 'ada' }).append('talk', { role: 'user', content: 'I keep a spare key.', id: 'm-1' })
})

afterAll(() => server.close())

async function idsThere(): Promise<string[]> {
  const ids: string[] = []
  for (const owner of [
    { project: 'acme', user: 'bob' },
    { project: 'other', user: 'ada' },
    { project: 'acme', user: 'ada' },
  ]) {
    const handle = server.memory.for(owner)
    const [messages, facts, entries] = [await handle.timeline(), await handle.facts.list(), await handle.bank.entries()]
    ids.push(...[...messages, ...facts, ...entries].map(({ id }) => id))
  }
  return ids
}

/** A name that most requests ask about. */
const mostly = (name: string): string[] => Array.from({ length: 10 }, () => name)

/** Requests of which most are about a user's own memory: the key of a user is refused at the others. */
function mostlyOwn(known: Known): fc.Arbitrary<FuzzRequest> {
  const own = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.includes('/users/{user}/')))
  return fc.oneof({ weight: 4, arbitrary: requestsOf({ paths: own }, known) }, { weight: 1, arbitrary: requestsOf(document, known) })
}

/** Statuses of the server's own faults. 503 and 504 say that the same request may succeed later. */
const faults: ReadonlySet<number> = new Set([500, 501, 502, 507])

test('requests of any kind get an answer that is no fault, and nobody else’s words', async () => {
  const ids = await idsThere()
  const known = {
    ...{
      project: [...mostly('acme'), 'other', 'none'],
      user: [...mostly('ada'), 'bob', '~'],
      session: [...mostly('talk'), 'none'],
      name: ['plan', 'Plan', 'talk', 'new'],
    },
    id: [...ids, 'talk', 'm-1', '00000000-0000-0000-0000-000000000000'],
    ...{ first: ids, second: ids },
  }
  const told = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(mostlyOwn(known), async ({ verb, path, headers, body }) => {
      const response = await fetch(`${server.url}${path}`, {
        method: verb,
        headers: { ...headers, authorization: `Bearer ${ada}` },
        ...(body === undefined ? {} : { body }),
      })
      const text = await response.text()
      told.set(response.status, (told.get(response.status) ?? 0) + 1)
      expect(faults.has(response.status), `${verb} ${path} ${response.status} ${text}`).toBe(false)
      for (const secret of secrets) expect(text, `${verb} ${path}`).not.toContain(secret)
      if (response.status >= 400 && response.status !== 404 && !path.startsWith('/readyz'))
        expect(response.headers.get('content-type')).toBe('application/problem+json')
    }),
    { numRuns: fewRuns(6_000) },
  )
  console.log(`answers by status: ${JSON.stringify(Object.fromEntries([...told].toSorted(([one], [other]) => one - other)))}`)
  expect((await send(server.url, 'GET', '/healthz')).status).toBe(200)
  // The others' memory is as it was.
  for (const owner of [
    { project: 'acme', user: 'bob' },
    { project: 'other', user: 'ada' },
  ])
    expect(await server.memory.for(owner).messages('talk')).toHaveLength(1)
})

test('an admin’s requests of any kind get an answer that is no fault', async () => {
  const ids = await idsThere()
  const names = ['scratch', 'acme']
  const known = { project: names, user: ['ada', '~'], session: ['talk'], name: ['scratch', 'plan'], id: ids, first: ids, second: ids }
  await fc.assert(
    fc.asyncProperty(requestsOf(document, known), async ({ verb, path, headers, body }) => {
      const response = await fetch(`${server.url}${path}`, {
        method: verb,
        headers: { ...headers, authorization: `Bearer ${admin}` },
        ...(body === undefined ? {} : { body }),
      })
      const text = await response.text()
      expect(faults.has(response.status), `${verb} ${path} ${response.status} ${text}`).toBe(false)
    }),
    { numRuns: fewRuns(3_000) },
  )
  expect((await send(server.url, 'GET', '/healthz')).status).toBe(200)
})

test('bytes that are no request, and connections that are cut or held open, leave the server as it was', async () => {
  const { hostname, port } = new URL(server.url)
  const beginning = `POST /v1/projects/acme/users/ada/recall HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${ada}\r\n`
  const parts = fc.constantFrom(
    ...['GET / HTTP/1.1\r\n\r\n', beginning, `${beginning}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"query":`],
    ...[
      '\r\n\r\n',
      '\0\0\0',
      'GET /%00 HTTP/1.1\r\nhost: x\r\n\r\n',
      `${beginning}x: ${'y'.repeat(20_000)}\r\n\r\n`,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ],
    ...[
      `${beginning}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n`,
      `${beginning}expect: 100-continue\r\ncontent-length: 5\r\n\r\n`,
    ],
  )
  const held: ReturnType<typeof connect>[] = []
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(parts, fc.string({ unit: anyCharacter, maxLength: 50 })), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (bytes, isHeld) => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => undefined)
        await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
        socket.write(bytes.join(''))
        if (isHeld && held.length < 100) return void held.push(socket)
        socket.end()
        socket.destroy()
      },
    ),
    { numRuns: fewRuns(600) },
  )
  expect((await send(server.url, 'POST', '/v1/projects/acme/users/ada/recall', { key: ada, body: { query: 'key' } })).status).toBe(200)
  for (const socket of held) socket.destroy()
})
