import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FieldSchema } from '../../packages/varve/src/operations/field-schema.ts'
import { jsonSchemaOf } from '../../packages/varve/src/operations/parse.ts'
import { allRoutes, type Route } from '../../packages/varve/src/server/routes.ts'
import { attacks } from '../fixtures/attacks/attacks.ts'
import { families } from '../fixtures/hostile/attack.ts'
import { hostileTexts } from '../fixtures/hostile/attacks.ts'
import { heldBack } from '../fixtures/hostile/check.ts'
import { plant } from '../fixtures/hostile/planted.ts'
import { canary, seeded } from '../fixtures/memory/canaries.ts'
import { type Got, send, type Served, served } from '../fixtures/server/serve.ts'

let server: Served
let admin = ''

beforeAll(async () => {
  server = await served({ layers: { documents: true, notes: true } }, { limits: { perMinute: 1_000_000, failures: 1_000_000 } })
  admin = (await server.memory.keys.create({ access: 'admin' })).key
})

afterAll(() => server.close())

const at = (project: string, user: string): string => `/v1/projects/${encodeURIComponent(project)}/users/${encodeURIComponent(user)}`

async function post(path: string, body: object, key = admin): Promise<Readonly<Record<string, unknown>>> {
  const got = await send(server.url, 'POST', path, { key, body })
  expect(got.status, `${path}: ${got.text}`).toBe(200)
  return Object(got.json())
}

/** Says a text over the wire, and gives what a model would read of it. */
async function contextAfter(user: string, text: string, name?: string): Promise<string> {
  const path = at('hostile', user)
  const message = { role: 'user', content: name === undefined ? text : 'hello ferry', ...(name === undefined ? {} : { name }) }
  await post(`${path}/sessions/now/messages`, { messages: [message, { role: 'user', content: 'The ferry leaves at nine.' }] })
  const stored = Object((await send(server.url, 'GET', `${path}/sessions/now/messages`, { key: admin })).json())
  expect(stored.items[0].content).toBe(message.content)
  return String((await post(`${path}/context`, { query: 'ferry', session: 'now', maxTokens: 4_000 }))['text'])
}

// requirement: P4.14
describe('no context over HTTP lets through', () => {
  test.each(families)('%s', async (family) => {
    const found: string[] = []
    for (const [place, hostile] of hostileTexts.filter((one) => one.family === family).entries()) {
      const { text, isName } = hostile
      const shown = isName === true ? await contextAfter(`${family} ${place}`, '', text) : await contextAfter(`${family} ${place}`, text)
      found.push(...heldBack(shown, hostile).map((sign) => `${sign} of ${JSON.stringify(text.slice(0, 80))}`))
    }
    expect(found).toEqual([])
  })

  test('a planted message that closes the fence or passes for another', async () => {
    for (const { name, text, speaker } of attacks) {
      // What no memory takes is refused with its reason.
      if (!text.isWellFormed() || text.includes('\0')) {
        const body = { messages: { role: 'user', content: text } }
        const got = await send(server.url, 'POST', `${at('hostile', 'refused')}/sessions/now/messages`, { key: admin, body })
        expect([got.status, Object(got.json()).code], name).toEqual([422, 'MESSAGE_INVALID'])
        continue
      }
      const shown = await contextAfter(`planted ${name}`, speaker === undefined ? text : '', speaker)
      const [first = ''] = shown.split('\n', 1)
      const fences = shown.split('\n').filter((line) => /^\s*<\s*\/?\s*memory/i.test(line))
      if (shown !== '') expect(fences, name).toEqual([first, `</${first.slice(1)}`])
    }
  })
})

const users = [
  ['acme', 'ada'],
  ['acme', 'bob'],
  ['other', 'ada'],
  ['other', 'bob'],
] as const

interface Held {
  readonly path: string
  readonly key: string
  /** A word of its texts that nobody else knows. */
  readonly secret: string
  /** A word of its texts that an attacker guessed. */
  readonly guessed: string
  readonly ids: readonly string[]
  readonly names: readonly string[]
  readonly cursors: readonly string[]
}

/** Fills a user's memory, and gathers every id, name and place that its answers have. */
async function held(project: string, user: string): Promise<Held> {
  const [secret, guessed] = [canary(), canary()]
  const handle = server.memory.for({ project, user })
  for (const turn of ['one', 'two'])
    await plant(handle, { text: `${secret} and ${guessed} in the harbour, ${turn}` }, `-${canary(8)}-${turn}`)
  await handle.distil((await handle.sessions.list())[0]?.id ?? '')
  const { key } = await server.memory.keys.create({ project, user, access: 'write' })
  const path = at(project, user)
  const [ids, names, cursors] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const gather = (value: unknown, name = ''): void => {
    if (Array.isArray(value)) for (const one of value) gather(one, name)
    else if (typeof value === 'object' && value !== null) for (const [inner, one] of Object.entries(value)) gather(one, inner)
    else if (typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27,}$/.test(value)) ids.add(value)
    else if (typeof value === 'string' && ['cursor', 'after', 'place'].includes(name)) cursors.add(value)
    else if (typeof value === 'string' && ['session', 'name', 'id'].includes(name)) names.add(value)
  }
  await send(server.url, 'POST', `${path}/context`, { key, body: { query: guessed } })
  for (const route of allRoutes())
    if (route.on === 'user' && route.verb === 'GET' && route.places.length === 0)
      for (const limit of ['', '?limit=1']) gather((await send(server.url, 'GET', `${path}${tailOf(route)}${limit}`, { key })).json())
  for (const session of names)
    gather((await send(server.url, 'GET', `${path}/sessions/${encodeURIComponent(session)}/messages`, { key })).json())
  return { path, key, secret, guessed, ids: [...ids], names: [...names], cursors: [...cursors] }
}

function tailOf({ path }: Route): string {
  return path.replace('/v1/projects/{project}/users/{user}', '')
}

interface Request {
  readonly verb: string
  readonly path: string
  readonly body?: string
}

const random = seeded(20_261_126)
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] ?? expect.fail('there is nothing to pick from')

/** Operations that end what an attacker has: their second request would meet another state. */
const ending = /^(?:forget|bank\.clear|bank\.rebuild|facts\.merge|project\.import|import)$/

/**
 * Makes a request of a caller with things of another in each place. Writes get ids alone: a name would make a thing of
 * the caller's own.
 */
function requestWith(route: Route, own: Held, other: Held): Request {
  const { operation, places, verb } = route
  const name = (): string => (operation.kind === 'read' ? pick(other.names) : `mine-${canary(8)}`)
  const valueOf = (field: string, { type }: FieldSchema): unknown => {
    if (['query', 'entity', 'subject', 'object', 'predicate', 'text', 'content'].includes(field)) return other.guessed
    if (['session', 'excludeSession', 'name', 'into', 'during'].includes(field)) return name()
    if (['cursor', 'after'].includes(field) && other.cursors.length > 0) return pick(other.cursors)
    if (field === 'messages') return [{ role: 'user', content: other.guessed, id: pick(other.ids) }]
    if (field === 'what') return { messages: [pick(other.ids)] }
    if (type === 'boolean') return true
    if (type === 'integer' || type === 'number') return 1 + random(3)
    if (type === 'array') return [pick(other.ids)]
    return type === 'object' ? {} : pick(other.ids)
  }
  const tail = tailOf(route).replaceAll(/\{(\w+)\}/g, (_, place: string) =>
    encodeURIComponent(place === 'session' || place === 'name' || tailOf(route).startsWith('/sessions/') ? name() : pick(other.ids)),
  )
  const { properties = {}, required = [] } = jsonSchemaOf(operation)
  const free = Object.entries(properties).filter(([field]) => !places.includes(field) && (required.includes(field) || random(3) === 0))
  const given = Object.fromEntries(free.map(([field, schema]) => [field, valueOf(field, schema)]))
  if (verb !== 'GET') return { verb, path: `${own.path}${tail}`, body: JSON.stringify(given) }
  const query = new URLSearchParams(Object.entries(given).map(([field, value]): [string, string] => [field, String(value)]))
  return { verb, path: `${own.path}${tail}?${query}` }
}

/** The same request with ids and names of the same form that nobody has. */
function unknownIn({ verb, path, body }: Request, other: Held): Request {
  const turned = (text: string): string =>
    text.replaceAll(/[0-9a-z]/g, (sign) => (/[0-9]/.test(sign) ? `${9 - Number(sign)}` : ('fedcba'['abcdef'.indexOf(sign)] ?? sign)))
  const changed = (text: string): string => {
    let told = text
    for (const id of other.ids) told = told.replaceAll(id, `${id.slice(0, -12)}${turned(id.slice(-12))}`)
    for (const one of other.names)
      if (one.length > 5)
        told = told
          .replaceAll(encodeURIComponent(one), `${encodeURIComponent(one)}z`)
          .replaceAll(JSON.stringify(one), JSON.stringify(`${one}z`))
    return told
  }
  return { verb, path: changed(path), ...(body === undefined ? {} : { body: changed(body) }) }
}

function sent({ verb, path, body }: Request, key: string): Promise<Got> {
  return send(server.url, verb, path, { key, ...(body === undefined ? {} : { body }) })
}

test('a thousand requests with the ids, names and places of another get what unknown ones get, and never a word', async () => {
  const all = await Promise.all(users.map(([project, user]) => held(project, user)))
  for (const { ids, names, cursors } of all) expect([ids.length > 8, names.length > 3, cursors.length > 3]).toEqual([true, true, true])
  const routes = allRoutes().filter(({ on, operation }) => on === 'user' && !ending.test(operation.name))
  const wrong: string[] = []
  /** Resolves with the number of requests that were sent. */
  const one = async (): Promise<number> => {
    const own = pick(all)
    const other = pick(all.filter((candidate) => candidate !== own))
    const route = pick(routes)
    const request = requestWith(route, own, other)
    const outside = random(4) === 0
    const known = await sent(outside ? { ...request, path: request.path.replace(own.path, other.path) } : request, own.key)
    if (known.text.includes(other.secret)) wrong.push(`${route.operation.name} tells another's words: ${JSON.stringify(request)}`)
    if (outside) {
      if (known.status !== 403) wrong.push(`${route.operation.name} outside: ${known.status}`)
      return 1
    }
    const unknown = await sent(unknownIn(request, other), own.key)
    if (unknown.status !== known.status)
      wrong.push(`${route.operation.name}: ${known.status} and ${unknown.status} where it is unknown: ${JSON.stringify(request)}`)
    return 2
  }
  for (let asked = 0; asked < 1_000;) for (const sentNow of await Promise.all(Array.from({ length: 8 }, one))) asked += sentNow
  expect(wrong).toEqual([])
  for (const { path, key, secret } of all) {
    const got = await send(server.url, 'POST', `${path}/recall`, { key, body: { query: 'harbour', limit: 100 } })
    expect(got.text, 'its own words are still there').toContain(secret)
  }
})
