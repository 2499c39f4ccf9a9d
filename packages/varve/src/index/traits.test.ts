import { expect, test } from 'vitest'
import { readTraits, traitsOf } from './traits.ts'

test.each([
  ['Where is the key?', 1, false],
  ['It hangs by the door.', 0, false],
  ['It hangs by the door. Did you look?', 0.4, false],
  ['钥匙在哪里？', 1, false],
  ['We met last Friday.', 0, true],
  ['The 3rd of June.', 0, true],
  ['', 0, false],
  ['?!', 0, false],
])('%s', (text, question, when) => {
  const traits = readTraits(traitsOf(text))
  expect(traits.question).toBeCloseTo(question, 1)
  expect(traits.when).toBe(when)
})
