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
      for (const [name, { type }] of Object.entries(properties)) expect(type, `${operation.name}: ${name}`).not.toBe('object')
    } else if (operation.kind === 'read') expect(verb, operation.name).toBe('POST')
  }
})

test('an edit that names a revision has the field for it', () => {
  const edits = routes.filter(({ operation }) => operation.expects !== undefined)
  expect(new Set(edits.map(({ operation }) => operation.name))).toEqual(new Set(['blocks.set', 'documents.edit', 'notes.edit']))
  for (const { operation } of edits) {
    expect(operation.kind).toBe('write')
    expect(Object.keys(jsonSchemaOf(operation).properties ?? {})).toContain(operation.expects)
    expect(operation.errors).toContain('STALE_REVISION')
  }
})
