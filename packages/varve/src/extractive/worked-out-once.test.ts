import { expect, test } from 'vitest'
import { workedOutOnce } from './worked-out-once.ts'

test('what is worked out of a statement is worked out once, an undefined answer too', () => {
  const asked: object[] = []
  const answers = workedOutOnce((one: { readonly text?: string }) => {
    asked.push(one)
    return one.text
  })
  const [some, none] = [{ text: 'The rent is 850 euros.' }, {}]
  expect([answers(some), answers(none), answers(some), answers(none)]).toEqual([some.text, undefined, some.text, undefined])
  expect(asked).toEqual([some, none])
})
