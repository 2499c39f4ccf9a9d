import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type KnownDocument, leastAhead, leastSimilar, matchDocument, type Nearness } from './match.ts'
import { runs } from '../testing/runs.ts'

const numRuns = runs(200)

const known: KnownDocument<number>[] = [
  { id: 1, name: 'Linea Mini', aliases: ['espresso machine'], description: 'The coffee machine at home, descaled monthly.' },
  { id: 2, name: 'Bakery', aliases: [], description: "Ada's bakery in Kiel: prices and staff." },
  { id: 3, name: 'Q1 report', aliases: ['espresso machine', 'bakery'], description: 'The report of the first quarter.' },
]

const by = (subject: string, nearness: Record<number, Nearness> = {}) =>
  matchDocument(subject, known, new Map(Object.entries(nearness).map(([id, one]) => [Number(id), one])))

describe('a subject means', () => {
  test('the document of its name, however it is written', () => {
    expect(by('our BAKERY')).toEqual({ id: 2, by: 'name' })
  })

  test('the first of an alias where none has the name', () => {
    expect(by('the Espresso-Machine')).toEqual({ id: 1, by: 'alias' })
  })

  test('its namesake, though another is nearer', () => {
    expect(by('bakery', { 1: { description: 0.99 } })).toEqual({ id: 2, by: 'name' })
  })

  test('the one with the nearest description, before one with nearer passages', () => {
    expect(by('coffee maker', { 1: { description: 0.5, passage: 0.2 }, 2: { description: 0.2, passage: 0.9 } })).toEqual({
      id: 1,
      by: 'description',
    })
  })

  test('the one that holds the nearest passage', () => {
    expect(by('rye bread', { 1: { description: 0.1 }, 2: { description: 0.2, passage: 0.7 } })).toEqual({ id: 2, by: 'passage' })
  })

  test('none where nothing is near, or nothing has a vector', () => {
    expect(by('running', { 1: { description: leastSimilar.description - 0.01, passage: leastSimilar.passage - 0.01 } })).toBeUndefined()
    expect(by('running', { 1: { description: Number.NaN } })).toBeUndefined()
    expect(by('running')).toBeUndefined()
    expect(by(' ', { 1: { description: 1 } })).toBeUndefined()
  })

  test('none of two that are as near', () => {
    expect(by('machine', { 1: { description: 0.6 }, 2: { description: 0.61 - leastAhead / 2 } })).toBeUndefined()
  })

  test('no document that lacks the name or the number it says', () => {
    const near = { 1: { description: 0.9 }, 2: { description: 0.2 }, 3: { description: 0.1 } }
    expect(by('Bo’s coffee machine', near)).toBeUndefined()
    expect(by('Kiel shop', { 2: { description: 0.6 } })).toEqual({ id: 2, by: 'description' })
    expect(by('Q2 report', { 3: { description: 0.95 } })).toBeUndefined()
    expect(by('report', { 3: { description: 0.95 } })).toBeUndefined()
  })
})

test('two spellings of one name never mean two documents, whatever is near', () => {
  const score = fc.double({ min: -1, max: 1, noNaN: false })
  fc.assert(
    fc.property(
      fc.constantFrom(...known.flatMap(({ name, aliases }) => [name, ...aliases])),
      fc.array(score, { minLength: 3, maxLength: 3 }),
      (name, scores) => {
        const near = new Map(scores.map((one, at) => [at + 1, { description: one, passage: one }]))
        expect(matchDocument(`the ${name.toUpperCase()}!`, known, near)).toEqual(matchDocument(name, known))
      },
    ),
    { numRuns },
  )
})
