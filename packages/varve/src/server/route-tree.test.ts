import { expect, test } from 'vitest'
import { RouteTree } from './route-tree.ts'
import { allRoutes } from './routes.ts'

const routes = allRoutes()
const tree = new RouteTree(routes)

test('every route is found at its path, with the names that stand in it, decoded', () => {
  for (const route of routes) {
    const open = route.path.match(/\{\w+\}/g) ?? []
    const sent = open.reduce((path, name, at) => path.replace(name, `n%2F${at}`), route.path)
    const found = tree.find(sent, route.verb)
    expect(found?.route, `${route.verb} ${route.path}`).toBe(route)
    expect(found?.names).toEqual(open.map((_, at) => `n/${at}`))
  }
})

test('a named segment goes before an open one, and where it leads nowhere the open one is tried', () => {
  expect(tree.find('/v1/projects/acme/users/ada/facts/recall', 'POST')?.names).toEqual(['acme', 'ada'])
  expect(tree.find('/v1/projects/acme/users/ada/facts/some', 'PATCH')?.names).toEqual(['acme', 'ada', 'some'])
  expect(tree.find('/v1/projects/users/users/facts/facts/recall', 'POST')?.names).toEqual(['users', 'facts'])
})

test('a document may have the name of a route that takes another verb', () => {
  const path = '/v1/projects/acme/users/ada/documents/recollect'
  expect(tree.find(path, 'POST')?.route.operation.name).toBe('documents.recollect')
  expect(tree.find(path, 'GET')?.route.operation.name).toBe('documents.read')
  expect(tree.find(path, 'DELETE')?.names).toEqual(['acme', 'ada', 'recollect'])
  expect(tree.find(path, 'PUT')).toBeUndefined()
  expect(tree.verbsAt(path).toSorted()).toEqual(['DELETE', 'GET', 'PATCH', 'POST'])
})

test('an empty name, a path that ends early and one that goes on find nothing', () => {
  for (const path of [
    '/v1/projects//users/ada/recall',
    '/v1/nothing',
    '/v1/projects/acme/users/ada/no/thing/here',
    '/v1/projects/acme/users/ada/recall/',
    '/v1',
    '/',
    '',
  ])
    expect([tree.find(path, 'GET'), tree.find(path, 'POST'), tree.verbsAt(path)], path).toEqual([undefined, undefined, []])
})

test('a name that cannot be decoded is refused', () => {
  expect(() => tree.find('/v1/projects/%C3/users/ada/recall', 'POST')).toThrow(/hexadecimal digits of UTF-8/)
})
