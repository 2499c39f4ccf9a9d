import { afterAll, beforeAll, expect, test } from 'vitest'
import { send, type Served, served } from '../fixtures/server/serve.ts'

let server: Served
let key = ''
const ada = '/v1/projects/acme/users/ada'

beforeAll(async () => {
  server = await served()
  key = (await server.memory.keys.create({ access: 'admin' })).key
})
afterAll(() => server.close())

interface Try {
  readonly name: string
  readonly verb: string
  readonly path: string
  readonly body?: unknown
  readonly detail: string
  readonly allow?: string
}

/** Mistakes of somebody who tries the API for the first time, and what the answer says. */
const tries: readonly Try[] = [
  {
    ...{ name: 'a message in the place of the body', verb: 'POST', path: '/sessions/s/messages', body: { role: 'user', content: 'x' } },
    detail: 'messages must be given: received undefined.',
  },
  {
    ...{ name: 'a field that is given twice', verb: 'POST', path: '/recall?limit=3', body: { query: 'x', limit: 2 } },
    detail: 'limit must be said once, in the path, the query or the body: received 3.',
  },
  {
    ...{ name: 'a path that is none', verb: 'GET', path: '/sesions' },
    detail: 'The request cannot be used: nothing is at its path; /docs lists the routes.',
  },
  { name: 'the wrong verb', verb: 'GET', path: '/recall', detail: 'The request cannot be used: its path takes POST alone.', allow: 'POST' },
]

test.each(tries)('a first try: $name', async ({ verb, path, body, detail, allow = null }) => {
  const { json, headers } = await send(server.url, verb, `${ada}${path}`, { key, ...(body === undefined ? {} : { body }) })
  expect(json()).toMatchObject({ detail })
  expect(headers.get('allow')).toBe(allow)
})
