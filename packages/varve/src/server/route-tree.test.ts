import { expect, test } from 'vitest'
import { RouteTree } from './route-tree.ts'
import { allRoutes } from './routes.ts'

const routes = allRoutes()
const tree = new RouteTree(routes)

test('every route is found at its path, with the names that stand in it, decoded', () => {
  for (const route of routes) {
    const open = route.path.match(/\{\w+\}/g) ?? []
    const sent = open.reduce((path, name, at) => path.replace(name, `n%2F${at}`), route.path)
    const found = tree.find(sent)
    expect(found?.routes.get(route.verb), `${route.verb} ${route.path}`).toBe(route)
    expect(found?.names).toEqual(open.map((_, at) => `n/${at}`))
  }
})

test('a named segment goes before an open one, and where it leads nowhere the open one is tried', () => {
  expect(tree.find('/v1/projects/acme/users/ada/facts/recall')?.names).toEqual(['acme', 'ada'])
  expect(tree.find('/v1/projects/acme/users/ada/facts/some')?.names).toEqual(['acme', 'ada', 'some'])
  expect(tree.find('/v1/projects/users/users/facts/facts/recall')?.names).toEqual(['users', 'facts'])
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
    expect(tree.find(path), path).toBeUndefined()
})

test('a name that cannot be decoded is refused', () => {
  expect(() => tree.find('/v1/projects/%C3/users/ada/recall')).toThrow(/hexadecimal digits of UTF-8/)
})
