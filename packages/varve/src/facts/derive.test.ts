import { expect, test } from 'vitest'
import { derive, type Stated } from './derive.ts'

const count = 40_000

function stated(place: number, changes: Partial<Stated>): Stated {
  return {
    ord: place,
    says: 0,
    object_key: 'o',
    instead_key: null,
    valid_from: null,
    valid_until: null,
    when_from: null,
    when_to: null,
    said_at: place,
    recorded_at: place,
    withdrawn_at: null,
    single: 0,
    ...changes,
  }
}

test('forty thousand corrections, each of the one before, are told in a moment: the last holds since the first began', () => {
  const rows = Array.from({ length: count }, (_, place) =>
    stated(place, { object_key: `o${place}`, instead_key: place === 0 ? null : `o${place - 1}` }),
  )
  const start = process.cpuUsage()
  const held = derive(rows, true, Number.POSITIVE_INFINITY).filter(({ isBelieved }) => isBelieved)
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000)
  expect(held.map(({ object, from, until }) => [object, from, until])).toEqual([[`o${count - 1}`, 0, Number.POSITIVE_INFINITY]])
})
