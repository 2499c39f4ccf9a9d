import { expect, test } from 'vitest'
import { uuidv7 } from '../ids/uuid.ts'
import type { Program } from '../storage/program.ts'
import { uuidBytes } from '../storage/uuid-bytes.ts'
import type { BankNode } from './bank-node.ts'
import { KeptNodes } from './kept-nodes.ts'

/** As the store has it: a leaf of one bullet. */
function item(ord: number) {
  return {
    ord,
    uuid: uuidBytes(uuidv7(ord)) ?? new Uint8Array(16),
    rung: 0,
    period: '2026/2026-01/2026-W02/2026-01-05',
    content: `told ${ord}`,
    name: null,
    session: null,
    conversations: 1,
    first_at: 0,
    said_at: 0,
    pinned: 0,
    children: '[]',
    made_of: '[]',
  }
}

function ask(nodes: KeptNodes, epoch: number, ...ords: number[]): Program<readonly BankNode[]> {
  return nodes.at({ id: 1, epoch, isShared: false }, ords, new Set())
}

function versions(end: IteratorResult<unknown, readonly BankNode[]>): number[] | undefined {
  return end.done === true ? end.value.map(({ version }) => version) : undefined
}

test('nodes are read once, and told in the order in which they are asked for', () => {
  const nodes = new KeptNodes()
  const first = ask(nodes, 1, 2, 1)
  expect(first.next([]).done).toBe(false)
  expect(versions(first.next([item(1), item(2)]))).toEqual([2, 1])
  expect(versions(ask(nodes, 1, 1, 2).next([]))).toEqual([1, 2])
})

test('who began before an erasure, and reads after it was taken over, does not bring back what was erased', () => {
  const nodes = new KeptNodes()
  const early = ask(nodes, 1, 1, 2)
  early.next([])
  const late = ask(nodes, 2, 2)
  late.next([])
  expect(versions(late.next([{ ord: 1 }]))).toBeUndefined()
  expect(versions(late.next([item(2)]))).toEqual([2])
  // It sees what it saw in its own state of the store …
  expect(versions(early.next([item(1), item(2)]))).toEqual([1, 2])
  // … and nobody after it does.
  const next = ask(nodes, 2, 1)
  expect(next.next([]).done).toBe(false)
  expect(versions(next.next([]))).toEqual([])
})
