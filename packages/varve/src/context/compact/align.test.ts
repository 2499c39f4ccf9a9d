import fc from 'fast-check'
import { expect, test } from 'vitest'
import { align, type AlignRow } from './align.ts'
import type { Turn } from './turn.ts'
import { runs } from '../../testing/runs.ts'

const turn = (text: string, id?: string): Turn => ({ role: 'user', ...(id === undefined ? {} : { id }), pieces: [{ kind: 'text', text }] })
const row = (seq: number, content: string, externalId?: string): AlignRow => ({ seq, role: 'user', content, externalId })
const texts = (...all: string[]): AlignRow[] => all.map((text, place) => row(place + 1, text))

test('the newest part of a session is found at its places', () => {
  expect(align([turn('c'), turn('d')], texts('a', 'b', 'c', 'd'))).toEqual([3, 4])
})

test('a message that was not stored, or is in another role, is at no place', () => {
  expect(align([turn('b'), turn('new'), turn('d')], texts('a', 'b', 'c', 'd'))).toEqual([2, undefined, 4])
  expect(align([{ ...turn('a'), role: 'assistant' }], texts('a'))).toEqual([undefined])
})

test('a new "go on" that is not stored yet is not taken for an old one', () => {
  const stored = texts('start', 'go on', 'x', 'y', 'z')
  expect(align([turn('x'), turn('y'), turn('z'), turn('go on')], stored)).toEqual([3, 4, 5, undefined])
})

test('of equal words the newest place is taken, each for one message only', () => {
  expect(align([turn('ok'), turn('ok')], texts('ok', 'ok', 'ok'))).toEqual([2, 3])
  expect(align([turn('ok'), turn('ok'), turn('ok')], texts('ok'))).toEqual([1, undefined, undefined])
})

test('an id tells before words do, and words of another id are another message', () => {
  expect(align([turn('edited since', 'm1')], [row(1, 'as it was', 'm1'), row(2, 'edited since', 'm2')])).toEqual([1])
  expect(align([turn('same', 'm9')], [row(1, 'same', 'm1')])).toEqual([undefined])
  expect(align([turn('same', 'm9')], [row(1, 'same')])).toEqual([1])
})

test('a message that was stored by its words alone is found with its tools', () => {
  const used: Turn = {
    role: 'assistant',
    pieces: [
      { kind: 'text', text: 'Looking.' },
      { kind: 'call', id: 'c', name: 'read', input: '{}', isOpen: true },
    ],
  }
  expect(align([used], [{ seq: 4, role: 'assistant', content: 'Looking.', externalId: undefined }])).toEqual([4])
  expect(align([used], [{ seq: 4, role: 'assistant', content: 'Looking.\n\nread({})', externalId: undefined }])).toEqual([4])
})

test('places rise with the messages, hold the same words, and leave no message out that a list of its own words would have', () => {
  const words = fc.constantFrom('a', 'b', 'c', 'ok', 'go on')
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), fc.array(words, { maxLength: 12 }), (said, stored) => {
      const found = align(
        said.map((text) => turn(text)),
        texts(...stored),
      )
      const placed = found.flatMap((seq, place) => (seq === undefined ? [] : [{ seq, text: said[place] }]))
      expect(placed.map(({ seq }) => stored[seq - 1])).toEqual(placed.map(({ text }) => text))
      expect(placed.every(({ seq }, place) => place === 0 || seq > (placed[place - 1]?.seq ?? 0))).toBe(true)
      expect(placed.length).toBe(longestCommon(said, stored))
    }),
    { numRuns: runs(300) },
  )
})

/** Gives the length of the longest common subsequence, by the table. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = [...a, ''].map(() => [...b, ''].map(() => 0))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const cell = a[i] === b[j] ? 1 + (table[i + 1]?.[j + 1] ?? 0) : Math.max(table[i + 1]?.[j] ?? 0, table[i]?.[j + 1] ?? 0)
      table[i]?.splice(j, 1, cell)
    }
  }
  return table[0]?.[0] ?? 0
}
