import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadTokenizer, type Tokenizer } from '../models/tokenizer.ts'
import { runs } from '../testing/runs.ts'
import type { BankNode } from './bank-node.ts'
import { dueDigests } from './due-digests.ts'
import type { FrontierOptions } from './frontier.ts'
import { digestBounds } from '../models/writer.ts'
import { usualMemberShare } from './member-share.ts'
import { mergeBullets } from './merge-bullets.ts'
import { frontierWithNewest } from './newest-line.ts'
import { localDay } from './periods.ts'

const timeZone = 'Europe/Vienna'
const hourMs = 3_600_000
const begin = Date.parse('2024-01-01T00:00:00Z')
const hoursADay = 24
const days = 3 * 365
/** The part of a budget that is used while anything is told in short or left out. */
const leastUse = 0.85

type Shape = 'steady' | 'busy' | 'bursts' | 'sparse' | 'import'

/** The days on which there was talk, and how many conversations on each; an import has all of them from its hour on. */
const talkOn: Record<Shape, (day: number) => number> = {
  steady: () => 1,
  busy: (day) => 2 + (day % 4),
  bursts: (day) => (day % 90 < 9 ? 8 : 0),
  sparse: (day) => Number(day % 11 === 0),
  import: (day) => (day < 400 ? Number(day % 2 === 0) : 0),
}
const importedAt = 700 * hoursADay

const vocabulary = 'harbour quarterly Marlow decided oak ladder invoice 2,400 Tuesday prototype violet kiln review Osei budget'.split(' ')

function lineOf(seed: number): string {
  return Array.from({ length: 8 + (seed % 17) }, (_, place) => vocabulary[(seed * 7 + place * (1 + (seed % 5))) % vocabulary.length]).join(
    ' ',
  )
}

function leavesUntil(shape: Shape, hour: number): BankNode[] {
  const all: BankNode[] = []
  for (let day = 0; day < days; day += 1)
    for (let nth = 0; nth < talkOn[shape](day); nth += 1) {
      const at = begin + (day * hoursADay + 9 + nth) * hourMs
      const isThere = shape === 'import' ? hour >= importedAt : at <= begin + hour * hourMs
      if (isThere) all.push(leafAt(`leaf-${day}-${nth}`, at, day * 31 + nth))
    }
  return all
}

function leafAt(id: string, at: number, seed: number): BankNode {
  return {
    ...{ id, version: 1, granularity: 'conversation', period: localDay(at, timeZone), title: `Talk ${seed}`, conversations: 1 },
    ...{ bullets: Array.from({ length: 1 + (seed % 3) }, (_, place) => `${seed}.${place} ${lineOf(seed + place)}`) },
    ...{ firstAt: at, lastAt: at, pinned: false, children: [] },
  }
}

/** Makes all digests that are due, as upkeep does. */
function withDigests(leaves: readonly BankNode[], options: FrontierOptions): BankNode[] {
  const byId = new Map(leaves.map((node) => [node.id, node]))
  for (;;) {
    const due = dueDigests([...byId.values()], options)
    if (due.length === 0) return [...byId.values()]
    for (const { granularity, period, children } of due) {
      const made = children.flatMap(({ id }) => byId.get(id) ?? [])
      const sources = made.map(({ bullets, conversations }) => ({ weight: conversations, bullets: bullets.map((text) => ({ text })) }))
      const bullets = mergeBullets(sources, digestBounds).map(({ text }) => text)
      const id = `${granularity} ${period}`
      byId.set(id, {
        ...{ id, version: (byId.get(id)?.version ?? 0) + 1, granularity, period, bullets, children, pinned: false },
        conversations: made.reduce((sum, node) => sum + node.conversations, 0),
        firstAt: Math.min(...made.map((node) => node.firstAt)),
        lastAt: Math.max(...made.map((node) => node.lastAt)),
      })
    }
  }
}

const shapes = fc.constantFrom<Shape[]>('steady', 'busy', 'bursts', 'sparse', 'import')
const budgets = fc.constantFrom(200, 300, 500, 1_000, 2_000, 5_000)
// The turn of a year is where most of the past becomes coarser at once.
const hours = fc.oneof(
  fc.integer({ min: 24, max: days * hoursADay }),
  fc.tuple(fc.constantFrom(365, 366, 731), fc.integer({ min: 0, max: 45 * hoursADay })).map(([day, hour]) => day * hoursADay + hour),
)

describe('while anything is told in short or left out', () => {
  let tokenizer: Tokenizer
  beforeAll(async () => {
    tokenizer = await loadTokenizer()
  })
  const optionsAt = (hour: number, maxTokens: number): FrontierOptions => ({
    ...{ maxTokens, now: begin + hour * hourMs, timeZone, count: tokenizer.count, memberShare: usualMemberShare },
  })
  const bankAt = (shape: Shape, hour: number, isDigested: boolean): BankNode[] => {
    const leaves = leavesUntil(shape, hour)
    return isDigested ? withDigests(leaves, optionsAt(hour, 2_000)) : leaves
  }
  const check = (nodes: readonly BankNode[], options: FrontierOptions): void => {
    const { tokens, text, entries, omitted } = frontierWithNewest(nodes, options)
    expect(tokens).toBe(tokenizer.count(text))
    expect(tokens).toBeLessThanOrEqual(options.maxTokens)
    const ofTree = entries.filter(({ pinned }) => !pinned)
    const isLess = omitted > 0 || ofTree.some(({ granularity, bulletsDropped }) => granularity !== 'conversation' || bulletsDropped > 0)
    if (isLess) expect(tokens / options.maxTokens).toBeGreaterThanOrEqual(leastUse)
  }

  test('nearly all of the budget is used, at any hour of three years', () => {
    fc.assert(
      fc.property(shapes, hours, budgets, fc.boolean(), (shape, hour, maxTokens, isDigested) => {
        check(bankAt(shape, hour, isDigested), optionsAt(hour, maxTokens))
      }),
      { numRuns: runs(200) },
    )
  })

  test('the same with pins, which are shown whole', () => {
    fc.assert(
      fc.property(
        shapes,
        hours,
        fc.constantFrom(500, 1_000, 2_000, 5_000),
        fc.array(fc.nat(), { maxLength: 2 }),
        (shape, hour, maxTokens, picks) => {
          const nodes = bankAt(shape, hour, true)
          const pinned = new Set(picks.map((pick) => nodes[pick % Math.max(1, nodes.length)]?.id))
          const all = nodes.map((node) => ({ ...node, pinned: pinned.has(node.id) }))
          check(all, optionsAt(hour, maxTokens))
        },
      ),
      { numRuns: runs(100) },
    )
  })
})
