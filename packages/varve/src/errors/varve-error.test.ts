import { expect, test } from 'vitest'
import { NotFound } from './not-found.ts'
import { VarveError } from './varve-error.ts'

test('an error of another copy of the package is a VarveError, though it is no instance of this copy', async () => {
  const address = new URL('./varve-error.ts?copy', import.meta.url).href
  const copy: { readonly VarveError: typeof VarveError } = await import(address)
  class Other extends copy.VarveError {
    readonly code = 'NOT_FOUND'
    readonly isRetryable = false
  }
  const error = new Other('no message here.')
  expect(copy.VarveError).not.toBe(VarveError)
  expect(error).not.toBeInstanceOf(VarveError)
  expect(VarveError.is(error)).toBe(true)
  expect(copy.VarveError.is(new NotFound({ kind: 'message', id: 'x' }))).toBe(true)
})

test('an error of this copy is a VarveError, and the brand is no field of it', () => {
  const error = new NotFound({ kind: 'message', id: 'x' })
  expect(VarveError.is(error)).toBe(true)
  expect(Reflect.ownKeys({ ...error }).filter((key) => typeof key === 'symbol')).toEqual([])
})

test('an id that no store has is not repeated in words', () => {
  expect(new NotFound({ kind: 'message', id: 'x'.repeat(300_000) }).message).toBe(
    'no message with an id that is a string of 300,000 characters here.',
  )
})

const { name, message, code, isRetryable } = new NotFound({ kind: 'message', id: 'x' })
const lookAlike = { name, message, code, isRetryable, kind: 'message', id: 'x' }

test.each([
  ['a plain object with the same fields', lookAlike],
  ['a plain object with the brand', { ...lookAlike, [Symbol.for('varve.error')]: true }],
  ['an error with the same fields', Object.assign(new Error(message), lookAlike)],
  ['a string', message],
  ['null', null],
  ['undefined', undefined],
])('%s is no VarveError', (_what, value) => {
  expect(VarveError.is(value)).toBe(false)
})
