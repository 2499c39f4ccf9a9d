import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ModelFailed } from '../errors/model-failed.ts'
import { unitVectors } from './unit-vectors.ts'

const of = (texts: number, dimension?: number) => ({ model: 'acme:embed', texts, dimension })

const failure = (received: unknown, expected: ReturnType<typeof of>): ModelFailed => {
  try {
    unitVectors(received, expected)
  } catch (error) {
    if (error instanceof ModelFailed) return error
  }
  throw new TypeError('it was accepted')
}

test('vectors come back with length 1, in order', () => {
  const [first, second] = unitVectors([[3, 4], new Float32Array([0, -2])], of(2))
  expect([...(first ?? [])].map((value) => value.toFixed(3))).toEqual(['0.600', '0.800'])
  expect([...(second ?? [])]).toEqual([0, -1])
})

test('any finite vector that is not zero gets length 1', () => {
  const component = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(fc.array(component, { minLength: 1, maxLength: 40 }), (vector) => {
      fc.pre(vector.some((value) => value !== 0))
      const [unit] = unitVectors([vector], of(1))
      expect(Math.hypot(...(unit ?? []))).toBeCloseTo(1, 5)
    }),
  )
})

test.each([
  ['half a batch', [[1, 0]], of(2), /returned 1 vectors for 2 texts/],
  ['too many', [[1], [1]], of(1), /2 vectors for 1 texts/],
  ['NaN', [[1, Number.NaN]], of(1), /component 1 of vector 0 is NaN/],
  ['infinity', [[1, Infinity]], of(1), /component 1 of vector 0 is Infinity/],
  ['null', [[1, null]], of(1), /component 1 of vector 0 is null/],
  ['a string', [['0.5']], of(1), /component 0 of vector 0 is of type string/],
  ['a hole', [Array.from({ length: 2 })], of(1), /component 0 of vector 0 is undefined/],
  ['all zero', [[0, 0]], of(1), /vector 0 is all zero/],
  ['an empty vector', [[]], of(1), /vector 0 is empty/],
  ['base64', ['AACAPw=='], of(1), /vector 0 is of type string/],
  ['no list', { data: [] }, of(1), /of type object in place of a list/],
  ['nothing', undefined, of(1), /returned nothing/],
] as const)('%s is refused, and may be tried again', (_, received, expected, reason) => {
  const error = failure(received, expected)
  expect(error.reason).toMatch(reason)
  expect(error).toMatchObject({ model: 'acme:embed', isRetryable: true })
})

test('another dimension names both and is not tried again, also within one answer', () => {
  expect(failure([[1, 2, 3]], of(1, 2))).toMatchObject({ isRetryable: false, reason: expect.stringMatching(/3 components where it has 2/) })
  expect(
    failure(
      [
        [1, 2],
        [1, 2, 3],
      ],
      of(2),
    ),
  ).toMatchObject({ isRetryable: false })
})
