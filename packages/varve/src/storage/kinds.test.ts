import { expect, test } from 'vitest'
import { allKinds, itemNumbers, kindOfItem, kindsIn, writtenKinds } from './kinds.ts'

test('each kind of item is stored under the number that stores have for it, and no two under one', () => {
  expect(itemNumbers()).toMatchObject({ gist: 0, bank: 1, message: 2, block: 3, document: 4, notes: 5 })
  expect(Object.entries(itemNumbers()).map(([, item]) => kindOfItem(item))).toEqual(Object.keys(itemNumbers()))
  expect(kindOfItem(99)).toBeUndefined()
})

test('each kind but facts stands in its owner’s partition, in its project’s, or in both', () => {
  const standing = (['owner', 'both', 'project'] as const).map((stands) => [...kindsIn(stands)])
  expect(standing).toEqual([expect.arrayContaining(['gist', 'notes']), ['bank', 'block', 'document'], ['message']])
  expect(allKinds.filter((kind) => !standing.flat().includes(kind))).toEqual(['fact'])
})

test('items of a page or a block are counted with it', () => {
  expect(writtenKinds).toEqual(expect.arrayContaining(['gist', 'bank']))
  for (const kind of ['message', 'block', 'document', 'notes']) expect(writtenKinds).not.toContain(kind)
})
