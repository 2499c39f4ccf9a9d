import { expect, test } from 'vitest'
import { askedPerson } from './asked-person.ts'

test.each([
  ['What did I say about the oven?', 'user'],
  ['Can you tell me what my oven cost?', 'user'],
  ['Could you please remind me where I parked?', 'user'],
  ['Which oven would you recommend for my bakery?', 'user'],
  ['What did you say about ovens?', 'assistant'],
  ['Can you repeat your list of ovens?', 'assistant'],
  ['What did you suggest for my oven?', 'both'],
  ['How did you help me with the oven?', 'assistant'],
  ['Which oven did we settle on?', 'both'],
  ['What did we decide about my oven?', 'both'],
  ['Which oven did I name before we stopped?', 'user'],
  ['In what order did I name ovens in our talks?', 'user'],
  ['How did you recommend that I heat my oven?', 'both'],
  ['How hot does the oven get?', 'neither'],
  ['Show me ovens', 'neither'],
  ['Wie heiß wird der Ofen?', 'neither'],
])('%s', (question, person) => {
  expect(askedPerson(question)).toBe(person)
})
