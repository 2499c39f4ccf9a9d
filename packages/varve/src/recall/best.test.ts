import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Best } from './best.ts'

test('is what sorting everything and cutting would be', () => {
  const scores = fc.array(fc.constantFrom(0.1, 0.2, 0.3, 0.5, 0.9), { maxLength: 60 })
  fc.assert(
    fc.property(scores, fc.nat(70), (values, most) => {
      const heap = new Best(most)
      for (const [doc, score] of values.entries()) heap.offer(doc, score)
      const sorted = values.map((score, doc) => ({ doc, score })).toSorted((a, b) => b.score - a.score || b.doc - a.doc)
      expect(heap.take()).toEqual(sorted.slice(0, most))
    }),
  )
})

test('of equal scores the later time comes first, then the higher number', () => {
  const one = fc.record({ score: fc.constantFrom(0.2, 0.5), at: fc.nat(5) })
  fc.assert(
    fc.property(fc.array(one, { maxLength: 60 }), fc.nat(70), (values, most) => {
      const heap = new Best(most, (doc) => values[doc]?.at ?? 0)
      for (const [doc, { score }] of values.entries()) heap.offer(doc, score)
      const sorted = values.map((value, doc) => ({ ...value, doc })).toSorted((a, b) => b.score - a.score || b.at - a.at || b.doc - a.doc)
      expect(heap.take()).toEqual(sorted.slice(0, most).map(({ doc, score }) => ({ doc, score })))
    }),
  )
})
