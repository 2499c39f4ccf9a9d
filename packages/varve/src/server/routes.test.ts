import { expect, test } from 'vitest'
import { jsonSchemaOf } from '../operations/parse.ts'
import { allRoutes, namesInPath } from './routes.ts'

const routes = allRoutes()

test('every operation of every handle has an address of its own', () => {
  const addresses = routes.map(({ verb, path }) => `${verb} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(addresses.filter((address, at) => addresses.indexOf(address) !== at)).toEqual([])
})

test('a name in a path is a required field, of a text', () => {
  for (const { operation, places, path } of routes) {
    const { properties = {}, required = [] } = jsonSchemaOf(operation)
    for (const place of places) {
      expect(required, `${operation.name}: ${path}`).toContain(place)
      expect(properties[place]?.type, `${operation.name}: ${place}`).toBe('string')
    }
    expect(new Set(namesInPath(path)).size, path).toBe(namesInPath(path).length)
  }
})

test('a read by GET takes fields that a query can say, and a question never stands in an address', () => {
  for (const { operation, verb } of routes) {
    const { properties = {} } = jsonSchemaOf(operation)
    if (verb === 'GET') {
      expect(operation.kind, operation.name).toBe('read')
      expect(Object.keys(properties), operation.name).not.toContain('query')
      // A query has all of them as JSON under this name.
      expect(Object.keys(properties), operation.name).not.toContain('fields')
      for (const [name, { type }] of Object.entries(properties)) expect(type, `${operation.name}: ${name}`).not.toBe('object')
    } else if (operation.kind === 'read') expect(verb, operation.name).toBe('POST')
  }
})

/** Operations that change the store and take no If-Match, each with the reason. */
const replaceNothing: Readonly<Record<string, string>> = {
  append: 'adds messages: nothing stands in their place',
  replace: 'takes the words themselves, in `expectedContent`: a message has no revision',
  distil: 'Varve writes, under the lease of the session, and keeps a person’s words',
  import: 'what was changed here stays',
  forget: 'erases whatever stands, as it was asked to',
  confirmForget: 'erases exactly what was shown: where anything changed, it shows again',
  'readings.next': 'gives a lease to one host, for a while',
  'readings.done': 'Varve writes where nothing changed since the span was handed out',
  'sessions.delete': 'forgets the session, whatever it holds by now',
  'blocks.append': 'adds to the text that stands, whoever wrote it',
  'blocks.reorder': 'an order has no words: the last one wins',
  'gists.distil': 'Varve writes, under the lease of the session, and keeps a person’s words',
  'facts.add': 'adds a statement: earlier ones stay in the history',
  'facts.merge': 'adds a merge, which can be taken back by its id',
  'facts.unmerge': 'takes one merge back by its id, once',
  'instructions.add': 'adds a statement: the ones that it ends stay listed',
  'pendingForget.confirm': 'answers one request, once',
  'pendingForget.dismiss': 'answers one request, once',
  'documents.memorize': 'Varve edits the page as it stands in the same transaction',
  'notes.update': 'Varve edits the page as it stands in the same transaction',
  'bank.clear': 'takes out whatever stands, as it was asked to; `restore` brings it back',
  'bank.rebuild': 'Varve writes again, and keeps a person’s words',
  'bank.withdraw': 'erases whatever rests on a member’s words',
  'imports.accept': 'answers one import, once',
  'imports.discard': 'answers one import, once',
  'project.import': 'what was changed here stays',
  'projects.create': 'an existing project stays as it is',
  'projects.delete': 'erases whatever stands, as it was asked to',
  'receipts.replay': 'erases what receipts name, again',
  'keys.create': 'makes another key',
  'keys.revoke': 'ends one key, for good',
  'upkeep.run': 'Varve works, under leases',
}

test('each edit that may replace another’s takes If-Match, and each other write has a reason to take none', () => {
  const writes = routes.filter(({ operation }) => operation.kind === 'write')
  const edits = writes.filter(({ operation }) => operation.expects !== undefined)
  const others = writes.filter(({ operation }) => operation.expects === undefined)
  expect(new Set(others.map(({ operation }) => operation.name))).toEqual(new Set(Object.keys(replaceNothing)))
  expect(edits.length).toBeGreaterThan(25)
  for (const { operation } of edits) {
    const { properties = {}, required = [] } = jsonSchemaOf(operation)
    expect(['integer', 'string'], operation.name).toContain(properties[operation.expects ?? '']?.type)
    expect(required, operation.name).not.toContain(operation.expects)
    expect(operation.errors, operation.name).toContain('STALE_REVISION')
  }
  for (const { operation } of routes.filter(({ operation }) => operation.kind === 'read')) expect(operation.expects).toBeUndefined()
})
