import { expect, test } from 'vitest'
import { Needles } from '../needles.ts'
import { eraseKept } from './deed-erasure.ts'

test('the bytes of kept texts are searched for in the files, those of a person’s words too', () => {
  const needles = new Needles()
  const texts = [
    { deed_id: 1, place: 0, hand: 'Mira sells the heron.', content: 'Mira keeps the heron.' },
    { deed_id: 1, place: 1, hand: null, content: 'The ferry leaves at nine.' },
  ]
  const steps = Array.from(eraseKept('{1}', texts, needles))
  expect(steps).toHaveLength(1)
  expect(needles.all?.map((needle) => Buffer.from(needle).toString())).toEqual([
    'Mira keeps the heron.',
    'Mira sells the heron.',
    'The ferry leaves at nine.',
  ])
})
