import { expect, test } from 'vitest'
import { Grounding } from './grounding.ts'
import { checkLinear } from '../testing/text-steps.ts'

test('a source without an end to its digits is read in linear time', () => {
  checkLinear((length) => {
    const grounding = new Grounding([{ number: 1, text: '1'.repeat(length), head: 'Ada', isPersons: true }])
    expect(grounding.cite('Ada has 4711 boats.', [1])).toBeUndefined()
  })
})
