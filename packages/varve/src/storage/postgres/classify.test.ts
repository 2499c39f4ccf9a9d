import { describe, expect, test } from 'vitest'
import { NotFound } from '../../errors/not-found.ts'
import { StoreUnreachable } from '../../errors/store-unreachable.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { classifyPostgres, endsConnection, isConflict, postgresFailures } from './classify.ts'

const place = 'postgres://ada:secret@db.example/memory'
const words = 'Key (content)=(the kiosk is red) already exists'

/** An error as the server reports it: it has a severity, and words that may hold a user's. */
const reported = (code: string): Error => Object.assign(new Error(words), { code, severity: 'ERROR' })
const ofSocket = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code })
const thrown = (code: string): Error => (code.startsWith('E') ? ofSocket(code) : reported(code))

/** What becomes of a code: the error, and whether its connection is gone or its transaction may run again. */
const cases: readonly (readonly [code: string, expected: string, then: 'stays' | 'ends' | 'conflict'])[] = [
  ['40001', 'STORE_BUSY', 'conflict'],
  ['40P01', 'STORE_BUSY', 'conflict'],
  ['40002', 'STORE_BUSY', 'stays'],
  ['23505', 'STORE_BUSY', 'conflict'],
  ['55P03', 'STORE_BUSY', 'stays'],
  ['57014', 'STORE_FAILED', 'stays'],
  ['53100', 'DISK_FULL', 'stays'],
  ['53300', 'STORE_UNREACHABLE', 'stays'],
  ['08006', 'STORE_UNREACHABLE', 'ends'],
  ['57P01', 'STORE_UNREACHABLE', 'ends'],
  ['57P03', 'STORE_UNREACHABLE', 'ends'],
  ['25P03', 'STORE_UNREACHABLE', 'ends'],
  ['25006', 'STORE_READ_ONLY', 'ends'],
  ['28P01', 'CONFIGURATION_INVALID', 'stays'],
  ['3D000', 'CONFIGURATION_INVALID', 'stays'],
  ['3F000', 'CONFIGURATION_INVALID', 'stays'],
  ['42501', 'CONFIGURATION_INVALID', 'stays'],
  ['XX001', 'STORE_DAMAGED', 'ends'],
  ['XX002', 'STORE_DAMAGED', 'ends'],
  ['ECONNREFUSED', 'STORE_UNREACHABLE', 'ends'],
  ['ECONNRESET', 'STORE_UNREACHABLE', 'ends'],
  ['EPIPE', 'STORE_UNREACHABLE', 'ends'],
  ['ETIMEDOUT', 'STORE_UNREACHABLE', 'ends'],
  ['EHOSTUNREACH', 'STORE_UNREACHABLE', 'ends'],
  ['ENETUNREACH', 'STORE_UNREACHABLE', 'ends'],
  ['ENOTFOUND', 'STORE_UNREACHABLE', 'ends'],
  ['EAI_AGAIN', 'STORE_UNREACHABLE', 'ends'],
  ['ENOENT', 'STORE_UNREACHABLE', 'ends'],
]

const rowOf = (code: string): string | undefined => postgresFailures.find(([prefix]) => code.startsWith(prefix))?.[0]

describe('the table of failures', () => {
  test.each(cases)('%s is %s, and its connection or transaction %s', (code, expected, then) => {
    const cause = thrown(code)
    const error = classifyPostgres(cause, place, 'append')
    expect(error).toBeInstanceOf(VarveError)
    expect(error).toMatchObject({ code: expected, cause })
    expect(endsConnection(cause)).toBe(then === 'ends')
    expect(isConflict(cause)).toBe(then === 'conflict')
  })

  test('has no row that no case meets: a shorter prefix before a longer one would hide it', () => {
    const met = new Set(cases.map(([code]) => rowOf(code)))
    expect(postgresFailures.map(([prefix]) => prefix).filter((prefix) => !met.has(prefix))).toEqual([])
  })

  test('shows no user’s words and no password', () => {
    for (const [code] of cases) {
      const { message } = classifyPostgres(thrown(code), place, 'append')
      expect(message).not.toMatch(/kiosk|secret|ada/)
    }
  })
})

test('a failure of the server that is not in the table tells its code, and not its words', () => {
  const error = classifyPostgres(reported('22P02'), place, 'append')
  expect(error).toMatchObject({ code: 'STORE_FAILED', reason: 'SQLSTATE 22P02' })
  expect(error.message).not.toContain('kiosk')
  expect(endsConnection(reported('22P02'))).toBe(false)
})

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
])('“%s” is a connection that was lost', (message) => {
  const lost = new Error(message)
  expect(classifyPostgres(lost, place, 'append')).toMatchObject({ code: 'STORE_UNREACHABLE', isRetryable: true, cause: lost })
  expect(endsConnection(lost)).toBe(true)
})

test('an error of ours, and one of neither, stays as it is', () => {
  for (const own of [new NotFound({ kind: 'session', id: 'x' }), new TypeError('a bug')]) {
    expect(classifyPostgres(own, place, 'append')).toBe(own)
    expect(endsConnection(own)).toBe(false)
    expect(isConflict(own)).toBe(false)
  }
})

test('a commit whose end is unknown ends its connection', () => {
  expect(endsConnection(new StoreUnreachable({ store: 'db', reason: 'lost', mayBeStored: true }))).toBe(true)
})

test('something that is no error is a failure of the store', () => {
  expect(classifyPostgres('broken', place, 'append')).toMatchObject({ code: 'STORE_FAILED', operation: 'append' })
  expect(endsConnection('broken')).toBe(false)
})
