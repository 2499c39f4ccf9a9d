import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AddressFault, postgresAddress, shownPlace } from './address.ts'

test('an address without parameters of ours has the usual ones, and goes to the driver as it is', () => {
  expect(postgresAddress('postgres://ada:secret@db.example:5433/memory?sslmode=verify-full')).toEqual({
    urls: ['postgres://ada:secret@db.example:5433/memory?sslmode=verify-full'],
    shown: 'postgres://db.example:5433/memory',
    schema: undefined,
    connections: 8,
    timeoutMs: 30_000,
    isCallersClock: false,
    listens: false,
    searchesFar: false,
  })
})

test('parameters of ours are read, and the driver does not see them', () => {
  const place =
    'postgresql://db/memory?varve_schema=tenant_1&sslmode=require&varve_connections=3&varve_timeout_ms=500' +
    '&varve_clock=caller&varve_listen=on&varve_vectors=pgvector'
  expect(postgresAddress(place)).toEqual({
    urls: ['postgresql://db/memory?sslmode=require'],
    shown: 'postgresql://db/memory',
    schema: 'tenant_1',
    connections: 3,
    timeoutMs: 500,
    isCallersClock: true,
    listens: true,
    searchesFar: true,
  })
})

test('a folder of sockets may stand in the place of a host', () => {
  expect(postgresAddress('postgres:///memory?host=/run/postgresql').shown).toBe('postgres:///run/postgresql/memory')
})

test.each([
  ['postgres:///memory', /no address of a server/],
  ['memory', /no address of a server/],
  ['postgres://db/m?varve_schema=Tenant', /varve_schema must be/],
  ['postgres://db/m?varve_schema=1st', /varve_schema must be/],
  ['postgres://db/m?varve_schema=', /varve_schema must be/],
  [`postgres://db/m?varve_schema=${'a'.repeat(64)}`, /at most 63/],
  ['postgres://db/m?varve_schema=a%22;drop%20schema%20public', /varve_schema must be/],
  ['postgres://db/m?varve_connections=0', /from 1 to 1000/],
  ['postgres://db/m?varve_connections=1001', /from 1 to 1000/],
  ['postgres://db/m?varve_connections=1e2', /from 1 to 1000/],
  ['postgres://db/m?varve_timeout_ms=99', /from 100 to 3600000/],
  ['postgres://db/m?varve_timeout_ms=3600001', /from 100 to 3600000/],
  ['postgres://db/m?varve_clock=', /can only be caller/],
  ['postgres://db/m?varve_listen=off', /can only be on/],
  ['postgres://db/m?varve_vectors=off', /can only be pgvector/],
  ['postgres://db/m?varve_schemas=x', /does not know; known are varve_schema, varve_connections/],
])('%s is refused', (place, reason) => {
  expect(() => postgresAddress(place)).toThrow(AddressFault)
  expect(() => postgresAddress(place)).toThrow(reason)
})

test.each([
  ['varve_connections=1', { connections: 1 }],
  ['varve_connections=1000', { connections: 1_000 }],
  ['varve_timeout_ms=100', { timeoutMs: 100 }],
  ['varve_timeout_ms=3600000', { timeoutMs: 3_600_000 }],
  [`varve_schema=${'a'.repeat(63)}`, { schema: 'a'.repeat(63) }],
])('%s is at its bound, and taken', (parameter, read) => {
  expect(postgresAddress(`postgres://db/m?${parameter}`)).toMatchObject(read)
})

test('no user, password or parameter is ever shown, in errors neither', () => {
  const secret = fc.string({ minLength: 8, maxLength: 20 }).map((text) => `S${encodeURIComponent(text)}S`)
  fc.assert(
    fc.property(secret, fc.constantFrom('', '&varve_schema=BAD', '&varve_clock=mine', '&varve_new=1'), (password, wrong) => {
      const place = `postgres://ada:${password}@db.example/memory?options=${password}${wrong}`
      expect(shownPlace(place)).toBe('postgres://db.example/memory')
      try {
        expect(postgresAddress(place).shown).toBe('postgres://db.example/memory')
      } catch (error) {
        expect(error).toBeInstanceOf(AddressFault)
        expect(String(error)).not.toContain(password)
      }
    }),
  )
})

test('an address of several servers is one each, and is shown with all of them', () => {
  expect(postgresAddress('postgres://ada:secret@one,two:5433,[::1]:5434/memory?varve_schema=a&sslmode=require')).toMatchObject({
    urls: [
      'postgres://ada:secret@one/memory?sslmode=require',
      'postgres://ada:secret@two:5433/memory?sslmode=require',
      'postgres://ada:secret@[::1]:5434/memory?sslmode=require',
    ],
    shown: 'postgres://one,two:5433,[::1]:5434/memory',
    schema: 'a',
  })
  expect(() => postgresAddress('postgres://ada:secret@one,two:port/memory')).toThrow(/no address of a server/)
})

test('what is no address shows nothing of itself', () => {
  expect(shownPlace('postgres://ada:secret@:x')).toBe('postgres:')
})
