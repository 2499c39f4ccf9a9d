import { expect, test } from 'vitest'
import { askedOrder } from './asked-order.ts'

test.each([
  ['What is my current rent?', 'newest'],
  ['Where does she live now?', 'newest'],
  ['What is the latest deadline?', 'newest'],
  ['What was my original plan?', 'oldest'],
  ['Where did he used to work?', 'oldest'],
  ['In what order did I visit the islands?', 'all'],
  ['List the islands in order.', 'all'],
  ['How did the rent change over time?', 'all'],
  ['What did I buy in order to bake?', undefined],
  ['What was in the order for the bakery?', undefined],
  ['Who was the first customer?', undefined],
  ['How did the current rent differ from the original one?', undefined],
])('%s', (question, order) => {
  expect(askedOrder(question)).toBe(order)
})
