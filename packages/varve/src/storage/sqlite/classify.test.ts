import { expect, test } from 'vitest'
import { NotFound } from '../../errors/not-found.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { breaksConnection, classify, failures } from './classify.ts'

const thrown = (code: string): Error => Object.assign(new Error('it broke'), { code })

test.each(failures.map(([prefix]) => prefix))('%s becomes an error of ours that keeps its cause', (prefix) => {
  const cause = thrown(`${prefix}${prefix.endsWith('_') ? 'IOERR_WRITE' : '_EXTRA'}`)
  const error = classify(cause, 'a.db', 'append')
  expect(error).toBeInstanceOf(VarveError)
  expect(error.cause).toBe(cause)
})

test.each([
  ['SQLITE_FULL', 'DISK_FULL'],
  ['SQLITE_IOERR_SHMSIZE', 'DISK_FULL'],
  ['SQLITE_BUSY_SNAPSHOT', 'STORE_BUSY'],
  ['SQLITE_CORRUPT_INDEX', 'STORE_DAMAGED'],
  ['SQLITE_NOTADB', 'STORE_FOREIGN'],
  ['SQLITE_IOERR_FSYNC', 'STORE_FAILED'],
  ['SQLITE_READONLY_DIRECTORY', 'STORE_READ_ONLY'],
  ['SQLITE_CANTOPEN', 'STORE_READ_ONLY'],
])('%s is %s', (code, expected) => {
  expect(classify(thrown(code), 'a.db', 'append')).toMatchObject({ code: expected })
})

test('what is ours, and what is not the driver’s, stays as it is', () => {
  const ours = new NotFound({ kind: 'session', id: 'x' })
  expect(classify(ours, 'a.db', 'x')).toBe(ours)
  const theirs = new TypeError('a bug')
  expect(classify(theirs, 'a.db', 'x')).toBe(theirs)
})

test('a failed write or fsync breaks the connection, a lock does not', () => {
  expect(breaksConnection(thrown('SQLITE_IOERR_FSYNC'))).toBe(true)
  expect(breaksConnection(thrown('SQLITE_BUSY'))).toBe(false)
  expect(breaksConnection(thrown('SQLITE_FULL'))).toBe(false)
})
