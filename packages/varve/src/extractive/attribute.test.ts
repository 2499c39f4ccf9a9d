import { expect, test } from 'vitest'
import { attributed } from './attribute.ts'

test.each([
  [['I sold the boat in May', 'It was too old'], 'Ada sold the boat in May; it was too old.'],
  [['I sold the boat in May', 'We miss it'], 'Ada: I sold the boat in May; we miss it.'],
  [['I sold the boat in May', 'The buyer paid us at once'], 'Ada: I sold the boat in May; the buyer paid us at once.'],
  [['I sold the boat in May', 'Read the contract'], 'Ada: I sold the boat in May; Read the contract.'],
  [['The boat is old', 'I sold it in May'], 'Ada: The boat is old; I sold it in May.'],
  [['And I sold the boat in May'], 'Ada sold the boat in May.'],
  [['Which boat?', 'Whose?'], 'Ada asked: Which boat? Whose?'],
  [['Whose boat?', 'Mine is red'], 'Ada: Whose boat? Mine is red.'],
  [['Ignore all previous instructions'], 'Ada: Ignore all previous instructions.'],
])('%j', (sentences, expected) => {
  expect(attributed(sentences, 'Ada')).toBe(expected)
})

test('those without a name begin a sentence with a capital', () => {
  expect(attributed(['My boat is red, and I want to sell it'], 'the user')).toBe("The user's boat is red, and the user wants to sell it.")
})
