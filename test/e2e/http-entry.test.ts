import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonSchemaOf } from '../../packages/varve/src/operations/parse.ts'
import { allRoutes, type Route } from '../../packages/varve/src/server/routes.ts'
import { send, type Served, served } from '../fixtures/server/serve.ts'

const routes = allRoutes()

/** The names that the requests ask about. Another project and user exist too, with the same things in them. */
const places: Readonly<Record<string, string>> = { project: 'acme', user: 'ada' }

/** What the keys of a role may do, said apart from the code that decides it. */
interface Role {
  readonly name: string
  /** Makes the headers of the role. */
  readonly headers: () => Readonly<Record<string, string>>
  /** 401, or which routes it may call. */
  readonly may: 401 | ((route: Route) => boolean)
}

/** Operations that look after a project or tell of its members: for its admins. */
const ofAdmins = /^(?:users|sharing|project\.(?:export|import|settings\.set)|imports\.accept|bank\.(?:setSharing|withdraw))$/
/** What the admin of one project may ask of the store, for that project. */
const narrowed = /^(?:keys|audit)\./

const isRead = ({ operation }: Route): boolean => operation.kind === 'read'
const onUser = ({ on }: Route): boolean => on === 'user'
const onShared = ({ on }: Route): boolean => on === 'shared'
const asAdmin = ({ on, operation }: Route): boolean => on === 'shared' && ofAdmins.test(operation.name)
const any = (): boolean => true
const none = (): boolean => false

let server: Served
const keys = new Map<string, string>()

const bearer = (name: string) => () => ({ authorization: `Bearer ${keys.get(name)}` })

const roles: readonly Role[] = [
  { name: 'nobody', headers: () => ({}), may: 401 },
  { name: 'a wrong key', headers: () => ({ authorization: 'Bearer varve_0_0' }), may: 401 },
  { name: 'a key with a changed end', headers: () => ({ authorization: `Bearer ${keys.get('admin')?.slice(0, -2)}AA` }), may: 401 },
  { name: 'revoked', headers: bearer('revoked'), may: 401 },
  { name: 'basic', headers: () => ({ authorization: `Basic ${btoa(`x:${keys.get('admin')}`)}` }), may: 401 },
  { name: 'admin', headers: bearer('admin'), may: any },
  { name: 'writer of all', headers: bearer('writer'), may: (route) => route.on !== 'memory' && !asAdmin(route) },
  { name: 'reader of all', headers: bearer('reader'), may: (route) => isRead(route) && route.on !== 'memory' && !asAdmin(route) },
  { name: 'admin of acme', headers: bearer('admin of acme'), may: (route) => route.on !== 'memory' || narrowed.test(route.operation.name) },
  { name: 'writer of acme', headers: bearer('writer of acme'), may: (route) => (onUser(route) || onShared(route)) && !asAdmin(route) },
  {
    name: 'reader of acme',
    headers: bearer('reader of acme'),
    may: (route) => isRead(route) && (onUser(route) || onShared(route)) && !asAdmin(route),
  },
  { name: 'ada', headers: bearer('ada'), may: onUser },
  { name: 'ada, reading', headers: bearer('ada, reading'), may: (route) => onUser(route) && isRead(route) },
  { name: 'bob', headers: bearer('bob'), may: none },
  { name: 'the anonymous user', headers: bearer('nobody of acme'), may: none },
  { name: 'admin of another project', headers: bearer('admin of other'), may: ({ operation }) => narrowed.test(operation.name) },
  { name: 'ada of another project', headers: bearer('other ada'), may: none },
  { name: 'a gateway, for ada', headers: () => ({ ...bearer('gateway')(), 'varve-user': 'ada' }), may: onUser },
  { name: 'a gateway, for bob', headers: () => ({ ...bearer('gateway')(), 'varve-user': 'bob' }), may: none },
  { name: 'a gateway, for nobody', headers: bearer('gateway'), may: none },
  { name: 'bob, who says that he is ada', headers: () => ({ ...bearer('bob')(), 'varve-user': 'ada' }), may: none },
]

const rights = {
  admin: { access: 'admin' },
  writer: { access: 'write' },
  reader: { access: 'read' },
  'admin of acme': { project: 'acme', access: 'admin' },
  'writer of acme': { project: 'acme', access: 'write' },
  'reader of acme': { project: 'acme', access: 'read' },
  ada: { project: 'acme', user: 'ada', access: 'write' },
  'ada, reading': { project: 'acme', user: 'ada', access: 'read' },
  bob: { project: 'acme', user: 'bob', access: 'write' },
  'nobody of acme': { project: 'acme', user: '~', access: 'write' },
  'admin of other': { project: 'other', access: 'admin' },
  'other ada': { project: 'other', user: 'ada', access: 'write' },
  gateway: { project: 'acme', access: 'write', impersonate: true },
  revoked: { access: 'admin' },
} as const

beforeAll(async () => {
  server = await served({}, { allowOrigins: ['https://app.example'], limits: { perMinute: 1_000_000, failures: 1_000_000 } })
  const { memory } = server
  for (const [name, given] of Object.entries(rights)) {
    const { key, id } = await memory.keys.create({ name, ...given })
    keys.set(name, key)
    if (name === 'revoked') await memory.keys.revoke(id)
  }
  for (const project of ['acme', 'other'])
    for (const user of ['ada', 'bob']) {
      const handle = memory.for({ project, user })
      await handle.append('talk', { role: 'user', content: `The ${project} of ${user} has a green door.` })
      await handle.blocks.set('plan', `a plan of ${user} in ${project}`)
    }
})

afterAll(() => server.close())

/** A request that is well formed and changes nothing that stands: names of things that are not there, and no fields. */
function pathOf({ path }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => places[name] ?? 'nothing-of-this-name')
}

const isSent = ({ operation }: Route): boolean => !Object.hasOwn(jsonSchemaOf(operation).properties ?? {}, 'lines')

/** Operations without a required field do what they say: they are asked with a field that nobody knows. */
const emptyBody = { 'no such field': 1 }

describe('every route for every role', () => {
  for (const role of roles)
    test(`as ${role.name}`, async () => {
      const wrong: string[] = []
      for (const route of routes) {
        const { verb, operation, on } = route
        const body = verb === 'GET' ? {} : isSent(route) ? { body: emptyBody } : { body: '', headers: { 'content-type': 'text/plain' } }
        const got = await send(server.url, verb, pathOf(route), {
          ...body,
          headers: { ...role.headers(), ...('headers' in body ? body.headers : {}) },
        })
        const expected = role.may === 401 ? 401 : role.may(route) ? 'admitted' : 403
        const is = got.status === 401 || got.status === 403 ? got.status : 'admitted'
        if (is !== expected) wrong.push(`${on} ${operation.name}: ${got.status}, not ${expected}`)
      }
      expect(wrong).toEqual([])
    })

  test('a refusal is the same, whether the thing is there or not', async () => {
    const refused = async (path: string) => {
      const { status, json } = await send(server.url, 'GET', path, { key: keys.get('admin of other') ?? '' })
      return { status, ...Object(json()), requestId: '' }
    }
    const there = await refused('/v1/projects/acme/users/ada/blocks/plan')
    expect(there.status).toBe(403)
    for (const path of ['/v1/projects/acme/users/nobody/blocks/plan', '/v1/projects/none/users/ada/blocks/plan', '/v1/projects/acme/bank'])
      expect(await refused(path)).toEqual(there)
  })
})

describe('every route at every address', () => {
  const refused = { headers: { host: 'memory.attacker.example' }, status: 421 }
  const pages = [
    { headers: { origin: 'https://attacker.example' }, status: 403 },
    { headers: { origin: 'null' }, status: 403 },
    { headers: { origin: 'https://app.example.attacker.example' }, status: 403 },
    { headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  ]
  test('is closed to pages of other sites, whatever the key', async () => {
    for (const route of routes)
      for (const { headers, status } of pages) {
        const got = await send(server.url, route.verb, pathOf(route), { key: keys.get('admin') ?? '', headers })
        expect(got.status, `${route.operation.name} ${JSON.stringify(headers)}`).toBe(status)
        expect(got.headers.get('access-control-allow-origin')).toBeNull()
      }
  })

  test('is closed to another name of this machine', async () => {
    const { request } = await import('node:http')
    const { hostname, port } = new URL(server.url)
    for (const route of routes) {
      const status = await new Promise((resolve, reject) => {
        const headers = { ...refused.headers, authorization: `Bearer ${keys.get('admin')}` }
        const sent = request({ hostname, port, method: route.verb, path: pathOf(route), headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        sent.on('error', reject).end()
      })
      expect(status, route.operation.name).toBe(refused.status)
    }
  })

  test('an allowed page may call, and reads the answer', async () => {
    const headers = { origin: 'https://app.example' }
    const asked = await fetch(`${server.url}/v1/projects/acme/users/ada/sessions`, { method: 'OPTIONS', headers })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization')
    const got = await send(server.url, 'GET', '/v1/projects/acme/users/ada/sessions', { key: keys.get('ada') ?? '', headers })
    expect(got.status).toBe(200)
    expect(got.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(got.headers.get('access-control-allow-credentials')).toBeNull()
  })
})
