import { expect, test } from 'vitest'
import { centralities } from './centrality.ts'
import { closenessToOthers, paraphrase } from './vectors.ts'

const terms = (...words: string[]) => new Map(words.map((word) => [word, 1 / words.length]))
const vector = (...components: number[]) => new Float32Array(components)

test('the most central shares its words with the others, the least with none', () => {
  expect(
    centralities([
      { terms: terms('boat', 'sea') },
      { terms: terms('boat', 'harbour') },
      { terms: terms('tax', 'form') },
      { terms: terms('sea', 'boat', 'harbour') },
    ]).map((value) => value.toFixed(1)),
  ).toEqual(['0.7', '0.7', '0.0', '1.0'])
  expect(centralities([])).toEqual([])
  expect(centralities([{ terms: terms('boat') }])).toEqual([0])
})

test('vectors count for half where all have one of the same length, and for nothing otherwise', () => {
  const members = [{ terms: terms('boat') }, { terms: terms('boat') }, { terms: terms('tax') }]
  const vectors = [vector(0, 1), vector(1, 0), vector(1, 0)]
  expect(centralities(members.map((member, at) => ({ ...member, vector: vectors[at] })))).toEqual([0.5, 1, 0.5])
  for (const odd of [undefined, vector(1, 0, 0)]) {
    expect(centralities(members.map((member, at) => ({ ...member, vector: at === 0 ? odd : vectors[at] })))).toEqual([1, 1, 0])
  }
})

test('vectors tell a paraphrase only when they are close, and of one length', () => {
  expect(paraphrase(vector(1, 0), vector(1, 0))).toBe(1)
  expect(paraphrase(vector(1, 0), vector(0.7, 0.7))).toBe(0)
  expect(paraphrase(vector(1, 0), vector(0.875, 0))).toBeCloseTo(0.5)
  expect(paraphrase(vector(1, 0), vector(1, 0, 0))).toBe(0)
  expect(paraphrase(vector(1, 0), undefined)).toBe(0)
  expect(closenessToOthers([vector(1, 0), vector(0, 1), vector(1, 0)])).toEqual([1, 0, 1])
})
