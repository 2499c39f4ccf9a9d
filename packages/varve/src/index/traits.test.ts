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

test.each([
  ['I hang it by the door.', true],
  ["It's mine.", true],
  ['We met.', true],
  ['Ich war da.', true],
  ["J'ai vu.", true],
  ['Mi casa.', true],
  ['It hangs by the door.', false],
  ['Iris met Mia.', false],
  ['', false],
])('first person: %s', (text, first) => {
  expect(readTraits(traitsOf(text)).first).toBe(first)
})

test('traits that were read before first persons were do not tell of them', () => {
  expect(readTraits(31).first).toBeUndefined()
})
