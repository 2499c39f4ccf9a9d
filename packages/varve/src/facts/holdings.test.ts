import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aimedEnds } from './aimed-ends.ts'
import { anyPredicate } from '../storage/known/assertions.ts'
import { derive } from './derive.ts'
import { holdingsOf, type Claimable } from './holdings.ts'

const day = 86_400_000

function said(ord: number, object: string, on: number, changes: Partial<Claimable> = {}): Claimable {
  return {
    ord,
    says: 0,
    object_key: object,
    instead_key: null,
    valid_from: null,
    valid_until: null,
    when_from: null,
    when_to: null,
    said_at: on * day,
    recorded_at: on * day,
    withdrawn_at: null,
    single: 1,
    of_other: 0,
    passing: 0,
    session_id: 1,
    ...changes,
  }
}

function held(rows: readonly Claimable[], isSingle = true): string[] {
  return holdingsOf(rows, isSingle, Number.POSITIVE_INFINITY)
    .filter(({ isBelieved }) => isBelieved)
    .toSorted((a, b) => a.from - b.from || a.object.localeCompare(b.object))
    .map(({ object, from, until, isUnverified }) => `${object} ${from / day}-${until / day}${isUnverified === true ? ' unverified' : ''}`)
}

const passing = (ord: number, object: string, on: number, until: number): Claimable =>
  said(ord, object, on, { passing: 1, valid_until: until * day })

describe('a passing state', () => {
  test('interrupts the state before it, which holds again afterwards', () => {
    expect(held([said(1, 'main', 1), passing(2, 'hotfix', 5, 8)])).toEqual(['main 1-5', 'hotfix 5-8', 'main 8-Infinity'])
  })
  test('is over when something lasting is said within it', () => {
    expect(held([said(1, 'main', 1), passing(2, 'hotfix', 5, 8), said(3, 'release', 6)])).toEqual([
      'main 1-5',
      'hotfix 5-6',
      'release 6-Infinity',
    ])
  })
  test('that was taken back never interrupted anything', () => {
    expect(held([said(1, 'main', 1), passing(2, 'hotfix', 5, 8), said(3, 'hotfix', 6, { says: 2 })])).toEqual(['main 1-Infinity'])
  })
  test('is interrupted by a later passing state', () => {
    expect(held([said(1, 'main', 1), passing(2, 'hotfix', 5, 10), passing(3, 'rescue', 6, 7)])).toEqual([
      'main 1-5',
      'hotfix 5-6',
      'rescue 6-7',
      'hotfix 7-10',
      'main 10-Infinity',
    ])
  })
  test('ends nothing where several objects hold', () => {
    const rows = [said(1, 'tea', 1, { single: 0 }), { ...passing(2, 'milk', 5, 8), single: 0 }]
    expect(held(rows, false)).toEqual(['tea 1-Infinity', 'milk 5-8'])
  })
})

describe('an event', () => {
  const event = (ord: number, object: string, on: number, until = on + 1): Claimable =>
    said(ord, object, on, { passing: 2, valid_from: on * day, valid_until: until * day })
  test('has its time beside all states, and ends none', () => {
    expect(held([said(1, 'oslo', 1), event(2, 'rome', 5)])).toEqual(['oslo 1-Infinity', 'rome 5-6'])
    expect(held([event(1, 'rome', 5), said(2, 'oslo', 5)])).toEqual(['oslo 5-Infinity', 'rome 5-6'])
    expect(held([said(1, 'oslo', 1), event(2, 'oslo', 5)])).toEqual(['oslo 1-Infinity'])
  })
  test('is ended by no words, and can be taken back', () => {
    expect(held([event(1, 'rome', 5), said(2, '', 5.5, { says: 1 })])).toEqual(['rome 5-6'])
    expect(held([event(1, 'rome', 5), said(2, 'rome', 9, { says: 2 })])).toEqual([])
  })
})

describe("another's words", () => {
  test('about a person who spoke too end nothing and are unverified', () => {
    expect(held([said(1, 'oslo', 1), said(2, 'rome', 5, { of_other: 1 })])).toEqual(['oslo 1-Infinity', 'rome 5-Infinity unverified'])
    expect(held([said(1, 'oslo', 1), said(2, 'oslo', 5, { of_other: 1, says: 1 })])).toEqual(['oslo 1-Infinity'])
    expect(held([said(1, 'oslo', 1), said(2, '', 5, { of_other: 1, says: 1 })])).toEqual(['oslo 1-Infinity'])
  })
  test('count in full where the person said nothing', () => {
    expect(held([said(1, 'oslo', 1, { of_other: 1 }), said(2, 'rome', 5, { of_other: 1 })])).toEqual(['oslo 1-5', 'rome 5-Infinity'])
  })
  test('stay unverified whatever is added by hand, and can be taken back by hand', () => {
    const claimed = [said(1, 'oslo', 1), said(2, 'rome', 5, { of_other: 1 })]
    expect(held([...claimed, said(3, 'rome', 6, { says: 2, session_id: 0 })])).toEqual(['oslo 1-Infinity'])
    expect(held([said(1, 'oslo', 1, { session_id: 0 }), said(2, 'rome', 5, { of_other: 1 })])).toEqual(['oslo 1-5', 'rome 5-Infinity'])
  })
})

describe("an agent's note", () => {
  const noted = (ord: number, object: string, on: number, changes: Partial<Claimable> = {}): Claimable =>
    said(ord, object, on, { of_other: 3, session_id: 0, ...changes })
  test("ends nothing of a person's words, and is unverified while they hold", () => {
    expect(held([said(1, 'oslo', 1), noted(2, 'rome', 5)])).toEqual(['oslo 1-Infinity', 'rome 5-Infinity unverified'])
    expect(held([said(1, 'oslo', 1, { of_other: 2 }), noted(2, 'rome', 5)])).toEqual(['oslo 1-Infinity', 'rome 5-Infinity unverified'])
    expect(held([said(1, 'oslo', 1, { session_id: 0 }), noted(2, 'rome', 5)])).toEqual(['oslo 1-Infinity', 'rome 5-Infinity unverified'])
    expect(held([said(1, 'oslo', 1), noted(2, 'oslo', 5, { says: 1 }), noted(3, 'oslo', 6, { says: 2 })])).toEqual(['oslo 1-Infinity'])
    expect(held([said(1, 'oslo', 1), noted(2, 'rome', 5, { instead_key: 'oslo' })])).toEqual([
      'oslo 1-Infinity',
      'rome 1-Infinity unverified',
    ])
    expect(held([noted(1, 'rome', 5, { valid_from: 0 }), said(2, 'oslo', 7)])).toEqual(['rome 0-7', 'oslo 7-Infinity'])
  })
  test('counts in full where no person said anything, and where their words are over', () => {
    expect(held([noted(1, 'rome', 1), noted(2, 'bonn', 5)])).toEqual(['rome 1-5', 'bonn 5-Infinity'])
    const ended = [said(1, 'oslo', 1), said(3, 'oslo', 8, { says: 1 })]
    expect(held([...ended, noted(4, 'rome', 9)])).toEqual(['oslo 1-8', 'rome 9-Infinity'])
    expect(held([...ended, noted(2, 'rome', 5), noted(4, 'rome', 9)])).toEqual(['oslo 1-8', 'rome 5-8 unverified', 'rome 8-Infinity'])
    expect(held([said(1, 'tea', 1, { single: 0 }), noted(2, 'milk', 5, { single: 0 })], false)).toEqual([
      'tea 1-Infinity',
      'milk 5-Infinity',
    ])
  })
  test("stays unverified when a person's words end that held as it was noted", () => {
    expect(held([said(1, 'oslo', 1), noted(2, 'rome', 5), said(3, 'oslo', 8, { says: 1 })])).toEqual([
      'oslo 1-8',
      'rome 5-8 unverified',
      'rome 8-Infinity unverified',
    ])
    expect(held([said(1, 'oslo', 1, { valid_until: 8 * day }), noted(2, 'rome', 5, { valid_from: 9 * day })])).toEqual([
      'oslo 1-8',
      'rome 9-Infinity',
    ])
  })
  test('is ended and taken back by persons, and does not bring back what they ended', () => {
    expect(held([noted(1, 'rome', 1), said(2, 'oslo', 5)])).toEqual(['rome 1-5', 'oslo 5-Infinity'])
    expect(held([said(1, 'oslo', 1), noted(2, 'rome', 5), said(3, 'oslo', 8)])).toEqual(['oslo 1-Infinity', 'rome 5-8 unverified'])
    expect(held([noted(1, 'rome', 1), said(2, 'rome', 5, { says: 2, session_id: 0 })])).toEqual([])
    const ended = [said(1, 'oslo', 1), said(2, 'oslo', 4, { says: 1 })]
    expect(held([...ended, noted(3, 'oslo', 6)])).toEqual(['oslo 1-4', 'oslo 6-Infinity unverified'])
    expect(held([said(1, 'oslo', 1, { says: 2 }), noted(2, 'oslo', 6)])).toEqual(['oslo 6-Infinity unverified'])
  })
  test("leaves what persons' words give as it is without it, as of every time", () => {
    const row = fc.record({
      object: fc.constantFrom('oslo', 'rome', 'bonn'),
      on: fc.integer({ min: 1, max: 12 }),
      kind: fc.constantFrom(0, 0, 0, 1, 2),
      by: fc.constantFrom(0, 0, 1, 2, 3, 3),
      instead: fc.option(fc.constantFrom('oslo', 'rome'), { nil: null }),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 10 }), fc.boolean(), fc.integer({ min: 1, max: 14 }), (list, isSingle, asOf) => {
        const rows = list.map(({ object, on, kind, by, instead }, at) =>
          said(at + 1, object, on, { says: kind, of_other: by, session_id: by === 3 ? 0 : 1, instead_key: kind === 0 ? instead : null }),
        )
        const words = rows.filter(({ of_other: by }) => by !== 3)
        const all = holdingsOf(rows, isSingle, asOf * day)
        const isNoted = ({ rows: some }: { rows: readonly Claimable[] }): boolean => some.every(({ of_other: by }) => by === 3)
        expect(all.filter((one) => !isNoted(one))).toEqual(holdingsOf(words, isSingle, asOf * day))
        const told = all.filter(({ isBelieved, isUnverified }) => isBelieved && isUnverified !== true)
        if (isSingle && words.every(({ of_other: by }) => by === 0))
          for (const one of told)
            for (const other of told)
              if (one.object !== other.object) expect(one.from < other.until && other.from < one.until && one.from < one.until).toBe(false)
      }),
    )
  })
})

test('an end without a predicate ends the objects that its words are about', () => {
  const end = { ...said(9, 'car', 9, { says: 1 }), predicate_key: anyPredicate }
  const row = (object: string): typeof end => ({ ...end, says: 0, object_key: object, predicate_key: 'drives' })
  const ends = (topic: string, objects: string[], predicate: string): string[] =>
    aimedEnds([{ ...end, object_key: topic }], objects.map(row), predicate).map(({ object_key: object }) => object)
  expect(ends('test command', ['npm test'], 'test command')).toEqual(['npm test'])
  expect(ends('tests command', ['npm run lint'], 'test command')).toEqual(['npm run lint'])
  expect(ends('test command', ['npm run lint'], 'lint command')).toEqual([])
  expect(ends('jest', ['jest', 'vitest'], 'uses')).toEqual(['jest'])
  expect(ends('golf', ['vw golf', 'tesla'], 'drives')).toEqual(['vw golf'])
  expect(ends('', ['jest'], 'uses')).toEqual([])
})

test('no two objects hold at a time where one does, whoever speaks and whatever passes', () => {
  const row = fc.record({
    object: fc.constantFrom('oslo', 'rome', 'bern'),
    on: fc.integer({ min: 0, max: 20 }),
    lasts: fc.integer({ min: 1, max: 6 }),
    isPassing: fc.boolean(),
    isOfOther: fc.boolean(),
    says: fc.constantFrom(0, 0, 0, 1, 2),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 10 }), (rows) => {
      const told = rows.map(({ object, on, lasts, isPassing, isOfOther, says }, place) =>
        said(place + 1, object, on, {
          says,
          of_other: Number(isOfOther),
          ...(isPassing && says === 0 ? { passing: 1, valid_until: (on + lasts) * day } : {}),
        }),
      )
      const holdings = holdingsOf(told, true, Number.POSITIVE_INFINITY).filter(({ isBelieved }) => isBelieved)
      for (const { from, until } of holdings) expect(from).toBeLessThanOrEqual(until)
      const lasting = holdings.filter(({ isUnverified, rows: of }) => isUnverified !== true && of.every((one) => one.passing === 0))
      for (let at = 0.5; at < 30; at += 1) {
        const objects = new Set(lasting.filter(({ from, until }) => from <= at * day && at * day < until).map(({ object }) => object))
        expect(objects.size).toBeLessThanOrEqual(1)
      }
      const plain = told.filter((one) => one.of_other === 0 && one.passing === 0)
      if (plain.length === told.length) expect(holdingsOf(told, true, 1e15)).toEqual(derive(told, true, 1e15))
    }),
  )
})
