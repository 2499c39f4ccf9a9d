import { expect, test } from 'vitest'
import { AppendIncomplete } from '../errors/append-incomplete.ts'
import { validating } from '../messages/validate.ts'
import { atOnce } from '../messages/slices.ts'
import { countingSkipped } from './append.ts'

test.each([
  ['uuuu', 2, 2],
  ['uaua', 1, 2],
  ['uauauu', 2, 4],
  ['auu', 0, 1],
  ['uuua', 1, 1],
])('of the batch %s with %i stored messages a caller goes on at %i: an assistant that said nothing is counted', (batch, stored, from) => {
  const given = [...batch].map((one) => (one === 'u' ? { role: 'user', content: 'Yes.' } : { role: 'assistant', content: '' }))
  const valid = atOnce(validating(given, 0))
  const error = new AppendIncomplete({ stored, messages: valid.messages.length, reason: 'full', reasonCode: 'DISK_FULL' })
  expect(countingSkipped(error, valid)).toMatchObject({
    stored: from,
    messages: given.length,
    reasonCode: 'DISK_FULL',
    message: expect.stringContaining(`the first ${from} of ${given.length} messages`),
  })
})
