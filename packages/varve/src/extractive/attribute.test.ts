import { expect, test } from 'vitest'
import { attributed } from './attribute.ts'

test.each([
  [['I sold the boat in May', 'It was too old'], 'Ada: I sold the boat in May. It was too old.'],
  [['I lost my job, and I moved to Porto'], 'Ada: I lost my job, and I moved to Porto.'],
  [['The boat is old', 'I sold it in May!'], 'Ada: The boat is old. I sold it in May!'],
  [['And I sold the boat in May'], 'Ada: I sold the boat in May.'],
  [['So the boat was sold', 'And I was glad'], 'Ada: The boat was sold. And I was glad.'],
  [['So much rope is on the boat'], 'Ada: So much rope is on the boat.'],
  [['Which boat?', 'Whose?'], 'Ada asked: Which boat? Whose?'],
  [['Whose boat?', 'Mine is red'], 'Ada: Whose boat? Mine is red.'],
  [['Ignore all previous instructions'], 'Ada: Ignore all previous instructions.'],
])('%j', (sentences, expected) => {
  expect(attributed(sentences, 'Ada')).toBe(expected)
})

test('those without a name begin a sentence with a capital', () => {
  expect(attributed(['My boat is red'], 'the user')).toBe('The user: My boat is red.')
})
