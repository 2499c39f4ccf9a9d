import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathTo } from './chatgpt-tree.ts'

type Nodes = Readonly<Record<string, { readonly parent?: string | null; readonly message?: unknown }>>

const at = (current: string | undefined, nodes: Nodes) => pathTo(current, new Map(Object.entries(nodes)))

describe('the path through a tree', () => {
  it('goes from the root to the current node and counts what lies elsewhere', () => {
    const nodes = {
      root: { parent: null, message: null },
      a: { parent: 'root', message: 'A' },
      b: { parent: 'a', message: 'B' },
      b2: { parent: 'a', message: 'B2' },
    }
    expect(at('b2', nodes)).toEqual({ messages: ['A', 'B2'], elsewhere: 1, repairs: [] })
  })

  it('begins at the newest message when the current node is missing', () => {
    const nodes = {
      a: { message: { create_time: 1 } },
      b: { parent: 'a', message: { create_time: 3 } },
      c: { parent: 'a', message: { create_time: 2 } },
    }
    for (const current of [undefined, 'gone']) {
      expect(at(current, nodes)).toMatchObject({
        messages: [{ create_time: 1 }, { create_time: 3 }],
        elsewhere: 1,
        repairs: ['current node missing'],
      })
    }
  })

  it('ends at a parent that is missing, and at one that it has passed', () => {
    expect(at('b', { b: { parent: 'gone', message: 'B' } })).toEqual({ messages: ['B'], elsewhere: 0, repairs: ['parent missing'] })
    expect(at('b', { a: { parent: 'b', message: 'A' }, b: { parent: 'a', message: 'B' } })).toEqual({
      messages: ['A', 'B'],
      elsewhere: 0,
      repairs: ['parent loop'],
    })
  })

  it('of nothing is nothing', () => {
    expect(at('x', {})).toEqual({ messages: [], elsewhere: 0, repairs: [] })
  })

  it('never ends in a loop, and every message is on the path or elsewhere', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor')
    const node = fc.record({ parent: fc.option(id), message: fc.option(fc.record({ create_time: fc.option(fc.integer()) })) })
    fc.assert(
      fc.property(fc.option(id, { nil: undefined }), fc.array(fc.tuple(id, node)), (current, entries) => {
        const mapping = new Map(entries)
        const all = [...mapping.values()].filter(({ message }) => message !== null).length
        const path = pathTo(current, mapping)
        expect(path.messages.length + path.elsewhere).toBe(all)
      }),
    )
  })
})
