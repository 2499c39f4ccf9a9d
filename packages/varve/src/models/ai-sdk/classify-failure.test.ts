import { expect, test } from 'vitest'
import { ManualClock } from '../../testing/manual-clock.ts'
import { ModelFailed } from '../../errors/model-failed.ts'
import { classifyFailure } from './classify-failure.ts'

const clock = new ManualClock(0)

test('an error of this copy of Varve stays as it is', () => {
  const error = new ModelFailed({ model: 'acme:talk', reason: 'it is late', isRetryable: true })
  expect(classifyFailure(error, 'acme:talk', clock)).toBe(error)
})

test('an error that a model of the host threw from another copy of Varve is a ModelFailed of this one', () => {
  const brand = { [Symbol.for('varve.error')]: true, code: 'STORE_BUSY', isRetryable: true }
  const error = Object.assign(new Error('the store is busy.'), brand)
  const failure = classifyFailure(error, 'acme:talk', clock)
  expect(failure).toBeInstanceOf(ModelFailed)
  expect(failure).toMatchObject({ model: 'acme:talk', reason: 'its call failed (STORE_BUSY)', isRetryable: true })
})
