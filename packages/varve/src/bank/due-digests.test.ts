import { expect, test } from 'vitest'
import type { BankNode } from './bank-node.ts'
import { type DueDigest, dueDigests } from './due-digests.ts'
import { frontier } from './frontier.ts'
import { mergeBullets } from './merge-bullets.ts'
import { localDay } from './periods.ts'

const timeZone = 'UTC'
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const start = Date.parse('2026-08-03T00:00:00Z')
const count = (text: string) => text.match(/\S+/g)?.length ?? 0

const leaf = (id: string, at: number, words = 45): BankNode => ({
  id,
  version: 1,
  granularity: 'conversation',
  period: localDay(at, timeZone),
  bullets: [0, 1, 2].map((place) => `${id}.${place} ${'w '.repeat(words / 3 - 1)}`),
  conversations: 1,
  firstAt: at,
  lastAt: at,
  pinned: false,
  children: [],
})

/** Stores a due digest as upkeep does. */
function made(nodes: readonly BankNode[], { granularity, period, children, replaces }: DueDigest): BankNode[] {
  const of = nodes.filter(({ id, version }) => children.some((child) => child.id === id && child.version === version))
  if (of.length !== children.length) throw new RangeError(`a child of ${period} is not stored`)
  const old = nodes.find(({ id }) => id === replaces)
  const bullets = mergeBullets(
    of.map(({ bullets, conversations }) => ({ bullets: bullets.map((text) => ({ text })), weight: conversations })),
    { maxBullets: 4, maxWords: 120 },
  )
  const conversations = of.reduce((sum, node) => sum + node.conversations, 0)
  const digest: BankNode = {
    id: `${granularity} ${period}`,
    version: (old?.version ?? 0) + 1,
    granularity,
    period,
    bullets: bullets.map(({ text }) => text),
    conversations,
    firstAt: Math.min(...of.map(({ firstAt }) => firstAt)),
    lastAt: Math.max(...of.map(({ lastAt }) => lastAt)),
    pinned: false,
    children,
  }
  return [...nodes.filter(({ id }) => id !== digest.id), digest]
}

/** Makes all due digests, round after round. */
function kept(before: readonly BankNode[], maxTokens: number, now: number): { nodes: readonly BankNode[]; digests: DueDigest[] } {
  let nodes = before
  const digests: DueDigest[] = []
  for (let round = 0; round < 50; round += 1) {
    const due = dueDigests(nodes, { maxTokens, now, timeZone, count })
    if (due.length === 0) return { nodes, digests }
    for (const one of due) nodes = made(nodes, one)
    digests.push(...due)
  }
  throw new RangeError('there is always something due')
}

/** So many conversations a day, from the start on. */
const leaves = (days: number, perDay: number) =>
  Array.from({ length: days * perDay }, (_, place) =>
    leaf(`c${place}`, start + Math.floor(place / perDay) * dayMs + (place % perDay) * 20 * 60_000),
  )

// requirement: BANK-18
test('nothing is due while all fits 1.25 times the budget', () => {
  const nodes = leaves(20, 2)
  const now = start + 400 * dayMs
  const { tokens } = frontier(nodes, { maxTokens: 100_000, now, timeZone, count })
  expect(dueDigests(nodes, { maxTokens: Math.ceil(tokens / 1.25), now, timeZone, count })).toEqual([])
  expect(dueDigests(nodes, { maxTokens: Math.floor(tokens / 1.25) - 1, now, timeZone, count })).toMatchObject([
    {
      granularity: 'day',
      period: '2026-08-03',
      children: [
        { id: 'c0', version: 1 },
        { id: 'c1', version: 1 },
      ],
    },
  ])
})

test('children come before parents, oldest first, and at the end the frontier has no virtual digest', () => {
  const now = start + 120 * dayMs
  const first = dueDigests(leaves(60, 3), { maxTokens: 400, now, timeZone, count })
  expect(new Set(first.map(({ granularity }) => granularity))).toEqual(new Set(['day']))
  expect(first.map(({ period }) => period)).toEqual(first.map(({ period }) => period).toSorted())
  const { nodes, digests } = kept(leaves(60, 3), 400, now)
  expect(digests.some(({ granularity }) => granularity === 'month')).toBe(true)
  expect(frontier(nodes, { maxTokens: 500, now, timeZone, count }).due).toEqual([])
})

test('a period with one child is trivial', () => {
  const due = dueDigests(leaves(20, 1), { maxTokens: 300, now: start + 60 * dayMs, timeZone, count })
  expect(due.length).toBeGreaterThan(0)
  expect(due.every(({ trivial }) => trivial === true)).toBe(true)
})

// requirement: BANK-19
test('a late conversation makes its day due again, then its week; stale ones come newest first', () => {
  const now = start + 90 * dayMs
  const { nodes } = kept(leaves(60, 3), 400, now)
  const late = [...nodes, leaf('late-1', start + 2 * dayMs), leaf('late-2', start + 30 * dayMs)]
  const options = { maxTokens: 400, now, timeZone, count }
  const due = dueDigests(late, options)
  expect(due).toMatchObject([
    { period: '2026-09-02', replaces: 'day 2026-09-02' },
    { period: '2026-08-05', replaces: 'day 2026-08-05' },
  ])
  const { digests } = kept(late, 400, now)
  expect(digests.map(({ granularity }) => granularity)).toEqual(expect.arrayContaining(['day', 'week', 'month']))
  expect(digests.every(({ replaces }) => replaces !== undefined)).toBe(true)
})

test('a leaf that was made again makes its digest due, and is not counted twice meanwhile', () => {
  const now = start + 90 * dayMs
  const { nodes } = kept(leaves(20, 3), 400, now)
  const edited = nodes.map((node) => (node.id === 'c4' ? { ...node, version: 2 } : node))
  expect(dueDigests(edited, { maxTokens: 400, now, timeZone, count })).toMatchObject([
    { period: '2026-08-04', children: expect.arrayContaining([{ id: 'c4', version: 2 }]) },
  ])
  const { entries, omitted } = frontier(edited, { maxTokens: 400, now, timeZone, count })
  expect(entries.reduce((sum, { conversations }) => sum + conversations, omitted)).toBe(60)
})

test('a digest that is not shown is made again all the same, unless all fits', () => {
  const now = start + 20 * dayMs + 12 * hourMs
  const { nodes } = kept(leaves(20, 3), 400, now)
  const edited = nodes.map((node) => (node.id === 'c54' ? { ...node, version: 2 } : node))
  const options = { maxTokens: 1_800, now, timeZone, count }
  expect(frontier(edited, { ...options, maxTokens: 1_800 * 1.25 }).due).toEqual([])
  expect(dueDigests(edited, options)).toMatchObject([{ period: '2026-08-21', replaces: 'day 2026-08-21' }])
  expect(dueDigests(edited, { ...options, maxTokens: 10_000 })).toEqual([])
})

test('an open day is digested when its conversations doubled, and once more an hour after it ended', () => {
  const today = (length: number) => Array.from({ length }, (_, place) => leaf(`c${place}`, start + place * 10 * 60_000))
  const sizes: number[] = []
  let nodes: readonly BankNode[] = []
  for (let length = 1; length <= 60; length += 1) {
    const step = kept([...nodes, ...today(length).slice(-1)], 60, start + 12 * hourMs)
    ;({ nodes } = step)
    sizes.push(...step.digests.filter(({ granularity }) => granularity === 'day').map(({ children }) => children.length))
  }
  expect(sizes).toEqual([8, 16, 32])
  expect(kept(nodes, 60, start + 24 * hourMs + hourMs / 2).digests).toEqual([])
  expect(kept(nodes, 60, start + 25 * hourMs).digests.map(({ children }) => children.length)).toContain(60)
})

test('sixty days of forty conversations take few digests', () => {
  let nodes: readonly BankNode[] = []
  let made = 0
  for (const [place, one] of leaves(60, 40).entries()) {
    nodes = [...nodes, one]
    if (place % 4 !== 3) continue
    const step = kept(withoutOld(nodes), 2_000, one.lastAt + 10 * 60_000)
    made += step.digests.length
    const known = new Set(step.nodes.map(({ id }) => id))
    nodes = [...nodes.filter(({ id }) => !known.has(id)), ...step.nodes]
  }
  expect(made / 2_400).toBeLessThanOrEqual(0.2)
  expect(made).toBeGreaterThan(60)
})

/** Gives nodes as a store would: the leaves of the last days only, since older ones are covered by their days. */
function withoutOld(nodes: readonly BankNode[]): BankNode[] {
  const since = Math.max(...nodes.map(({ lastAt }) => lastAt)) - 3 * dayMs
  return nodes.filter((node) => node.granularity !== 'conversation' || node.period >= localDay(since, timeZone))
}
