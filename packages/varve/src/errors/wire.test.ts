import { readFileSync } from 'node:fs'
import { assert, expect, test } from 'vitest'
import { InvalidMessage } from './invalid-message.ts'
import { ModelFailed } from './model-failed.ts'
import { errorCodes, VarveError } from './varve-error.ts'
import { classByCode, fromWire, toWire } from './wire.ts'

const reference = readFileSync(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8')

test.each(errorCodes)('%s has its class and its row in the reference', (code) => {
  const error = new classByCode[code]({} as never)
  expect(error.code).toBe(code)
  const retry = Object.hasOwn(error, 'isRetryable') ? 'by case' : error.isRetryable ? 'yes' : 'no'
  expect(reference).toContain(`| \`${code}\` | \`${error.name}\` | ${retry} |`)
})

test('an error keeps its class, its facts and its message across threads', () => {
  const error = new InvalidMessage({ index: 3, field: 'content', reason: 'is empty' })
  const revived = fromWire(structuredClone(toWire(error)))
  expect(revived).toBeInstanceOf(InvalidMessage)
  expect(revived).toMatchObject({ index: 3, field: 'content', message: error.message, code: 'MESSAGE_INVALID' })
})

test.each([true, false])('whether a model is worth another try crosses threads: %s', (isRetryable) => {
  const error = new ModelFailed({ model: 'acme:embed', reason: 'it answered 429', isRetryable, retryAfterMs: 2000 })
  const revived = fromWire(structuredClone(toWire(error)))
  expect(revived).toBeInstanceOf(ModelFailed)
  expect(revived).toMatchObject({ model: 'acme:embed', reason: 'it answered 429', isRetryable, retryAfterMs: 2000, message: error.message })
})

test('a foreign error keeps its message', () => {
  expect(fromWire(structuredClone(toWire(new TypeError('a bug'))))).toMatchObject({ message: 'a bug' })
  expect(fromWire(structuredClone(toWire('just text')))).toMatchObject({ message: 'just text' })
})

test('an error of another version of Varve, with a code that this one does not know, keeps its message', () => {
  const error = Object.assign(new Error('the moon is full.'), { [Symbol.for('varve.error')]: true, code: 'MOON_FULL', isRetryable: false })
  assert(VarveError.is(error))
  const wire = structuredClone(toWire(error))
  expect(wire.code).toBeUndefined()
  expect(fromWire(wire)).toMatchObject({ message: 'the moon is full.' })
})
