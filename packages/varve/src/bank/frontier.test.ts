import { expect, test } from 'vitest'
import type { BankNode } from './bank-node.ts'
import { frontier } from './frontier.ts'
import type { Granularity } from './granularity.ts'
import { localDay, periodOf } from './periods.ts'

const timeZone = 'UTC'
const dayMs = 86_400_000
const now = Date.parse('2026-10-08T12:00:00Z')
const count = (text: string) => text.match(/\S+/g)?.length ?? 0
const options = { maxTokens: 10_000, now, timeZone, count }

const leaf = (id: string, daysAgo: number, more: Partial<BankNode> = {}): BankNode => {
  const at = now - daysAgo * dayMs
  return {
    id,
    version: 1,
    granularity: 'conversation',
    period: localDay(at, timeZone),
    bullets: [`${id} first`, `${id} second`, `${id} third`],
    conversations: 1,
    firstAt: at,
    lastAt: at,
    pinned: false,
    children: [],
    ...more,
  }
}

const digest = (id: string, granularity: Granularity, of: readonly BankNode[], more: Partial<BankNode> = {}): BankNode => {
  const [firstAt, lastAt] = [Math.min(...of.map((node) => node.firstAt)), Math.max(...of.map((node) => node.lastAt))]
  const period = periodOf(localDay(firstAt, timeZone), granularity)
  const children = of.map(({ id, version }) => ({ id, version }))
  return {
    id,
    version: 1,
    granularity,
    period,
    bullets: [`${id} sums up`, `${id} adds`],
    conversations: of.reduce((sum, node) => sum + node.conversations, 0),
    firstAt,
    lastAt,
    pinned: false,
    children,
    ...more,
  }
}

const shownOf = (nodes: readonly BankNode[], maxTokens: number) =>
  frontier(nodes, { ...options, maxTokens }).entries.map(({ granularity, period }) => `${granularity} ${period}`)

// requirement: BANK-17
test('an empty bank is the empty text', () => {
  expect(frontier([], { ...options, omittedBefore: 7 })).toEqual({ entries: [], omitted: 7, text: '', tokens: 0, due: [] })
})

// requirement: BANK-14
test('coarsens the oldest first, what is old enough first of all', () => {
  const nodes = [leaf('a', 40), leaf('b', 40.1), leaf('c', 5), leaf('d', 5.1), leaf('e', 0), leaf('f', 0.1)]
  const budgets = Array.from({ length: 120 }, (_, place) => 119 - place)
  const shapes = budgets.map((maxTokens) => shownOf(nodes, maxTokens).join(', '))
  expect([...new Set(shapes)].slice(0, 7)).toEqual([
    'conversation 2026-10-08, conversation 2026-10-08, conversation 2026-10-03, conversation 2026-10-03, conversation ' +
      '2026-08-29, conversation 2026-08-29',
    'conversation 2026-10-08, conversation 2026-10-08, conversation 2026-10-03, conversation 2026-10-03, day 2026-08-29',
    'conversation 2026-10-08, conversation 2026-10-08, day 2026-10-03, day 2026-08-29',
    'day 2026-10-08, week 2026-W40, month 2026-08',
    'week 2026-W41, week 2026-W40, month 2026-08',
    'month 2026-10, month 2026-08',
    'year 2026',
  ])
})

// requirement: BANK-15
test('drops last bullets before it omits, and omits from the oldest on', () => {
  const nodes = [leaf('a', 800), leaf('b', 400), leaf('c', 1)]
  const sizes = (maxTokens: number) =>
    frontier(nodes, { ...options, maxTokens }).entries.map(({ period, bullets, bulletsDropped }) => [
      period,
      bullets.length,
      bulletsDropped,
    ])
  expect(sizes(44)).toEqual([
    ['2026-10-07', 3, 0],
    ['2025', 3, 0],
    ['2024', 1, 2],
  ])
  expect(sizes(38)).toEqual([
    ['2026-10-07', 3, 0],
    ['2025', 1, 2],
    ['2024', 1, 2],
  ])
  expect(sizes(26)).toEqual([
    ['2026', 1, 2],
    ['2025', 1, 2],
    ['2024', 1, 2],
  ])
  expect(frontier(nodes, { ...options, maxTokens: 25 })).toMatchObject({
    entries: [{ period: '2026', bullets: ['c first'] }],
    omitted: 2,
    text: expect.stringMatching(/\n2 older conversations are left out\.$/),
  })
})

test('opens a digest only where all of it is there, and shows nothing older finer than it', () => {
  const [a, b, c] = [leaf('a', 3), leaf('b', 3.1), leaf('c', 4)]
  const day = digest('day', 'day', [a, b])
  expect(shownOf([a, b, c, day], 10_000)).toEqual(['conversation 2026-10-05', 'conversation 2026-10-05', 'conversation 2026-10-04'])
  expect(shownOf([c, day], 10_000)).toEqual(['day 2026-10-05', 'day 2026-10-04'])
  const late = leaf('late', 3.2)
  const { entries, due } = frontier([late, day], options)
  expect(entries).toMatchObject([{ granularity: 'day', conversations: 3 }])
  expect(due).toEqual([
    { granularity: 'day', period: '2026-10-05', replaces: 'day', children: [a, b, late].map(({ id }) => ({ id, version: 1 })) },
  ])
})

test('a virtual digest is written of the stored one, by its weight, and of what it does not cover', () => {
  const [a, b, late] = [leaf('a', 3), leaf('b', 3.1), leaf('late', 3.2)]
  const day = digest('day', 'day', [a, b])
  const asked: unknown[] = []
  const { entries } = frontier([day, late], {
    ...options,
    maxTokens: 22,
    digest: (sources, bounds) => (asked.push(sources, bounds), [{ text: 'written\nby  somebody' }]),
  })
  expect(asked).toEqual([
    [
      { weight: 2, bullets: [{ text: 'day sums up' }, { text: 'day adds' }] },
      { weight: 1, bullets: ['first', 'second', 'third'].map((word) => ({ text: `late ${word}` })) },
    ],
    { maxBullets: 4, maxWords: 120 },
  ])
  expect(entries).toEqual([
    {
      granularity: 'day',
      period: '2026-10-05',
      pinned: false,
      bullets: ['written by somebody'],
      bulletsDropped: 0,
      conversations: 3,
      besideDigest: false,
    },
  ])
})

// requirement: BANK-22
test('a pin stands beside the digest that covers it, whole and marked; one that is shown anyway stands once', () => {
  const [a, b] = [leaf('a', 40, { pinned: true }), leaf('b', 40.1, { bullets: ['long '.repeat(20)] })]
  const { entries, text, omitted } = frontier([a, b, digest('day', 'day', [a, b])], { ...options, maxTokens: 45 })
  expect(entries).toMatchObject([
    { id: 'a', pinned: true, besideDigest: true, bullets: { length: 3 } },
    { id: 'day', besideDigest: false, conversations: 2 },
  ])
  expect(text).toContain('[Sat 29 Aug 2026, pinned]\n- a first\n')
  expect(omitted).toBe(0)
  expect(frontier([a, b], options).entries).toMatchObject([{ id: 'a', besideDigest: false }, { id: 'b' }])
})

test('a conversation that a pin tells of is not left out, also below another pin', () => {
  const [a, b, c, d] = [leaf('a', 40, { pinned: true }), leaf('b', 40.1), leaf('c', 40.2), leaf('d', 41)]
  const days = [digest('day', 'day', [a, b], { pinned: true }), digest('before', 'day', [d])]
  const nodes = [a, b, c, d, ...days, digest('week', 'week', days)]
  const pinsOnly = frontier(nodes, { ...options, maxTokens: 48 })
  expect(pinsOnly.entries.map(({ id, besideDigest }) => [id, besideDigest])).toEqual([
    ['a', false],
    ['day', false],
  ])
  expect(pinsOnly.omitted).toBe(2)
  expect(frontier(nodes, { ...options, maxTokens: 34 })).toMatchObject({ entries: [{ id: 'a' }], omitted: 3 })
})

test('a pinned digest tells of what it covers when that is left out', () => {
  const [a, b, late] = [leaf('a', 40), leaf('b', 40.1), leaf('late', 0)]
  const year = digest('year', 'year', [a, b], { pinned: true, bullets: ['long '.repeat(20)] })
  // The preamble, a heading, the pin and the line on left-out conversations.
  expect(frontier([a, b, late, year], { ...options, maxTokens: 12 + 2 + 23 + 6 })).toMatchObject({
    entries: [{ id: 'year', pinned: true, besideDigest: false }],
    omitted: 1,
  })
})

test('a pin that is longer than all of the room does not empty the bank: all is shown as if nothing were pinned', () => {
  const [a, b, c] = [leaf('a', 3, { pinned: true, bullets: ['long '.repeat(200)] }), leaf('b', 2, { pinned: true }), leaf('c', 1)]
  expect(frontier([a, c], { ...options, maxTokens: 100 })).toEqual(frontier([{ ...a, pinned: false }, c], { ...options, maxTokens: 100 }))
  expect(frontier([a, c], { ...options, maxTokens: 100 })).toMatchObject({
    entries: [{ pinned: false }],
    text: expect.stringContaining('c third'),
  })
  // A pin that does fit stays a pin.
  expect(frontier([a, b, c], { ...options, maxTokens: 100 })).toMatchObject({ entries: [{ id: 'b', pinned: true }] })
})

test('is within the budget also where a text costs more than its lines', () => {
  const nodes = Array.from({ length: 30 }, (_, place) => leaf(`l${place}`, place * 2))
  const steep = (text: string) => Math.ceil(count(text) ** 1.3)
  for (let maxTokens = 0; maxTokens < 600; maxTokens += 7) {
    const { text, tokens } = frontier(nodes, { ...options, count: steep, maxTokens })
    expect(tokens).toBe(steep(text))
    expect(tokens).toBeLessThanOrEqual(maxTokens)
  }
})
