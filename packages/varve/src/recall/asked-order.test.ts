import { expect, test } from 'vitest'
import { askedOrder, askedTime } from './asked-order.ts'

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

test.each([
  ['Where do I live?', 'present'],
  ['What is my test command now?', 'present'],
  ['Which command do I run before a commit?', 'present'],
  ['What did I say my rent is?', 'present'],
  ['What was the door code again?', 'present'],
  ['Who teaches my history class?', 'present'],
  ['Do I still work at the harbour?', 'present'],
  ['Where did I live?', 'past'],
  ['Where did I live before my current flat?', 'past'],
  ['What was my test command?', 'past'],
  ['Where did I use to work, and where do I work now?', 'present'],
  ['Where did she used to work?', 'past'],
  ['What is the history of my test command?', 'past'],
  ['How has the rent changed?', 'past'],
  ['What was the rent originally?', 'past'],
  ['In what order did I visit the islands?', 'past'],
  ['Which flat did we have previously?', 'past'],
])('the time that is asked about: %s', (question, time) => {
  expect(askedTime(question)).toBe(time)
})
