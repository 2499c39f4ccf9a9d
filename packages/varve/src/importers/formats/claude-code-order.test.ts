import { expect, it } from 'vitest'
import { ChainOrder, type HeldLine, maxHeldBytes, maxHeldLines } from './claude-code-order.ts'

const held = (id: string, parent: string | undefined, at: number, bytes = 1): HeldLine<string> => ({ value: id, id, parent, at, bytes })

function ordered(lines: readonly HeldLine<string>[]): { readonly out: string; readonly loops: number } {
  const order = new ChainOrder<string>()
  const out = [...lines.flatMap((line) => order.take(line)), ...order.rest()]
  return { out: out.join(' '), loops: order.loops }
}

it('gives a line out after its parent, whatever their times say', () => {
  expect(ordered([held('c', 'b', 1), held('b', 'a', 2), held('a', undefined, 3)]).out).toBe('a b c')
})

it('puts lines of no relation in order of time, and those of one time as they came', () => {
  expect(ordered([held('d', undefined, 2), held('b', undefined, 1), held('a', undefined, 0), held('c', undefined, 1)]).out).toBe('a b c d')
})

it('cuts a ring where it closes, and loses none of it', () => {
  const { out, loops } = ordered([held('a', 'c', 1), held('b', 'a', 2), held('c', 'b', 3)])
  expect([out.split(' ').toSorted().join(' '), loops]).toEqual(['a b c', 1])
})

it('keeps a line whose id came twice', () => {
  expect(ordered([held('a', undefined, 1), held('a', undefined, 2), held('b', 'a', 3)]).out).toBe('a a b')
})

it('holds no more lines, and no more bytes, than it may', () => {
  const order = new ChainOrder<string>()
  let waiting = 0
  for (let place = 0; place < 500; place += 1) {
    waiting += 1 - order.take(held(String(place), String(place - 1), place)).length
    expect(waiting).toBeLessThanOrEqual(maxHeldLines)
  }
  const large = new ChainOrder<string>()
  expect(large.take(held('small', undefined, 0))).toEqual([])
  expect(large.take(held('large', 'small', 1, maxHeldBytes))).toEqual(['small'])
  expect(large.take(held('larger', 'large', 2, maxHeldBytes + 1))).toEqual(['large', 'larger'])
})
