import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isListed, Postings } from './postings.ts'

const terms = 8
const message = fc.array(fc.tuple(fc.nat(terms - 1), fc.integer({ min: 1, max: 300 })), { maxLength: 6 })

function read(postings: Postings): Map<number, [number, number][]> {
  const entries = Array.from({ length: terms }, (_, term): [number, [number, number][]] => [
    term,
    postings
      .of([term])
      .flatMap(({ docs, counts, from, to }) =>
        Array.from({ length: to - from }, (__, step): [number, number] => [docs[from + step] ?? -1, counts[from + step] ?? -1]),
      ),
  ])
  return new Map(entries)
}

test('holds what a plain map would, whenever it is sorted and whatever is taken out', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(message, fc.boolean()), { maxLength: 30 }), fc.array(fc.nat(40)), (messages, gone) => {
      const postings = new Postings()
      const oracle = new Map(Array.from({ length: terms }, (_, term): [number, [number, number][]] => [term, []]))
      const dead = new Uint8Array(64)
      for (const [doc, [said, sort]] of messages.entries()) {
        for (const [term, count] of new Map(said)) {
          postings.add(term, doc, count)
          oracle.get(term)?.push([doc, Math.min(count, 255)])
        }
        if (sort) postings.remove(dead, terms)
      }
      expect(read(postings)).toEqual(oracle)
      for (const doc of gone) dead[doc] = 1
      postings.remove(dead, terms)
      const left = new Map([...oracle].map(([term, entries]) => [term, entries.filter(([doc]) => dead[doc] !== 1)]))
      expect(read(postings)).toEqual(left)
      for (const [term, entries] of left) {
        for (let doc = 0; doc < messages.length; doc += 1)
          expect(isListed(postings.of([term]), doc)).toBe(entries.some(([other]) => other === doc))
      }
    }),
  )
})

test('gives the messages of several terms, sorted or waiting', () => {
  const postings = new Postings()
  for (let doc = 0; doc < 6; doc += 1) postings.add(doc % 3, doc, doc + 1)
  postings.sort(3)
  for (let doc = 6; doc < 9; doc += 1) postings.add(doc % 3, doc, doc + 1)
  const entries = postings
    .of([2, 0])
    .flatMap(({ docs, counts, from, to }) => Array.from({ length: to - from }, (_, step) => [docs[from + step], counts[from + step]]))
  expect(entries).toEqual([
    [2, 3],
    [5, 6],
    [0, 1],
    [3, 4],
    [6, 7],
    [8, 9],
  ])
  expect(postings.of([])).toEqual([])
})

test('sorts by itself only when much waits', () => {
  const postings = new Postings()
  for (let doc = 0; doc < 10_000; doc += 1) postings.add(doc % terms, doc, 1)
  const before = postings.bytes
  postings.settle(terms)
  expect(postings.bytes).toBeLessThan(before)
  expect(postings.size).toBe(10_000)
  expect(read(postings).get(3)?.slice(0, 2)).toEqual([
    [3, 1],
    [11, 1],
  ])
})
