import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadTokenizer, type Tokenizer } from '../models/tokenizer.ts'
import { digestBounds } from '../models/writer.ts'
import { fewRuns, runs } from '../testing/runs.ts'
import { type BankNode, compare, rungOfNode } from './bank-node.ts'
import { coverage } from './coverage.ts'
import { dueDigests } from './due-digests.ts'
import type { Frontier, FrontierOptions } from './frontier.ts'
import { granularities } from './granularity.ts'
import { fairDigest, membersOfLines, usualMemberShare } from './member-share.ts'
import { mergeBullets } from './merge-bullets.ts'
import { frontierWithNewest } from './newest-line.ts'
import { localDay, periodEnd } from './periods.ts'
import { TokenCounts } from './token-counts.ts'

const timeZone = 'Europe/Vienna'
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const begin = Date.parse('2024-01-01T09:00:00Z')
const days = 3 * 365
/** The part of a budget that is used while anything is told in short or left out. */
const leastUse = 0.85
/** The budget by which upkeep makes digests. */
const digestTokens = 2_000

/** The number of conversations of a day. An import brings old talk, all of it at once. */
const talkOn = {
  steady: (day: number) => Number(day % 2 === 0),
  busy: (day: number) => Number(day > days - 200) * (2 + (day % 4)),
  bursts: (day: number) => (day % 90 < 9 ? 5 : 0),
  sparse: (day: number) => Number(day % 11 === 0),
  import: (day: number) => (day < 400 ? Number(day % 2 === 0) : 0),
}
type Shape = keyof typeof talkOn
const importedOn = 700

/** Who says the nth conversation: nobody in particular in a user's own bank. */
const saidBy = {
  own: () => undefined,
  'three members': (nth: number) => ['ada', 'bob', 'eve'][nth % 3],
  'one who floods': (nth: number) => (nth % 8 === 0 ? ['ada', 'bob'][(nth / 8) % 2] : 'mallory'),
  'six members': (nth: number) => `member ${nth % 6}`,
  'one who left': (nth: number) => (nth < 20 ? 'ada' : 'mallory'),
}
type Whose = keyof typeof saidBy

const vocabulary = 'harbour quarterly Marlow decided oak ladder invoice 2,400 Tuesday prototype violet kiln review Osei budget'.split(' ')

function lineOf(seed: number): string {
  return Array.from({ length: 8 + (seed % 17) }, (_, place) => vocabulary[(seed * 7 + place * (1 + (seed % 5))) % vocabulary.length]).join(
    ' ',
  )
}

function leafAt(at: number, nth: number, member: string | undefined): BankNode {
  const texts = Array.from({ length: 1 + (nth % 3) }, (_, place) => `${nth}.${place} ${lineOf(nth * 3 + place)}`)
  return {
    ...{ id: `leaf ${nth}`, version: nth, granularity: 'conversation', period: localDay(at, timeZone), conversations: 1 },
    ...{ firstAt: at, lastAt: at, pinned: false, children: [] },
    ...(member === undefined
      ? { title: `Talk ${nth}`, bullets: texts }
      : { bullets: texts.map((text) => `${member}: ${text}`), members: texts.map(() => [member]) }),
  }
}

/** A bank through the years, as upkeep makes its digests and as the store loads it. */
class Life {
  readonly #byId = new Map<string, BankNode>()
  readonly #toImport: BankNode[] = []
  readonly #options: FrontierOptions

  constructor(count: Tokenizer['count']) {
    this.#options = { maxTokens: digestTokens, now: 0, timeZone, count, memberShare: usualMemberShare }
  }

  add(node: BankNode, isForImport = false): void {
    if (isForImport) this.#toImport.push(node)
    else this.#byId.set(node.id, node)
  }

  bringIn(): void {
    for (const node of this.#toImport.splice(0)) this.add(node)
  }

  digest(now: number): void {
    for (;;) {
      const due = dueDigests(this.loaded(digestTokens).nodes, { ...this.#options, now })
      if (due.length === 0) return
      for (const { granularity, period, children } of due) this.#make(granularity, period, children)
    }
  }

  /** Gives the newest nodes of each rung and the newest that no digest covers. */
  loaded(maxTokens: number): { readonly nodes: readonly BankNode[]; readonly omittedBefore: number } {
    const limit = Math.ceil(Math.max(maxTokens, digestTokens) / 12) + 10
    const all = [...this.#byId.values()]
    const { coverer } = coverage(all)
    const chosen = new Set<BankNode>()
    const newest = (nodes: readonly BankNode[]): void => {
      for (const node of nodes.toSorted((one, other) => compare(other.period, one.period) || other.firstAt - one.firstAt).slice(0, limit))
        chosen.add(node)
    }
    for (const rung of granularities.keys()) {
      const here = all.filter((node) => rungOfNode(node) === rung)
      newest(here)
      newest(here.filter((node) => coverer(node) === undefined))
    }
    const uncovered = all.filter((node) => node.granularity === 'conversation' && coverer(node) === undefined)
    return { nodes: all.filter((node) => chosen.has(node)), omittedBefore: uncovered.filter((node) => !chosen.has(node)).length }
  }

  #make(granularity: BankNode['granularity'], period: string, children: BankNode['children']): void {
    const made = children.flatMap(({ id }) => this.#byId.get(id) ?? [])
    const sources = made.map(({ bullets, conversations }) => ({ weight: conversations, bullets: bullets.map((text) => ({ text })) }))
    const membersOf = membersOfLines(made, TokenCounts.of(this.#options.count))
    const bullets = fairDigest(mergeBullets, membersOf, usualMemberShare)(sources, digestBounds).map(({ text }) => text)
    const id = `${granularity} ${period}`
    this.add({
      ...{ id, version: (this.#byId.get(id)?.version ?? 0) + 1, granularity, period, bullets, children, pinned: false },
      ...(made.some(({ members }) => members !== undefined) ? { members: bullets.map((text) => membersOf.get(text) ?? []) } : {}),
      conversations: made.reduce((sum, node) => sum + node.conversations, 0),
      firstAt: Math.min(...made.map((node) => node.firstAt)),
      lastAt: Math.max(...made.map((node) => node.lastAt)),
    })
  }
}

/**
 * Lives through the years and looks whenever a bank may change: at each conversation, and at each midnight, when upkeep has
 * made the digests that are due.
 */
function live(life: Life, { shape, whose, isDigested }: Lived, look: (now: number) => void, until = days): void {
  let nth = 0
  for (let day = 0; day < until; day += 1) {
    for (let hour = 0; hour < talkOn[shape](day); hour += 1) {
      const at = begin + day * dayMs + hour * hourMs
      nth += 1
      life.add(leafAt(at, nth, saidBy[whose](nth)), shape === 'import' && day < importedOn)
      look(at)
    }
    if (day === importedOn) life.bringIn()
    const midnight = midnightBefore(begin + (day + 1) * dayMs)
    if (isDigested) life.digest(midnight)
    look(midnight)
  }
}

/** A bank as it stands after some days. All digests are made at the end, as after an import. */
function lifeUntil({ count }: Tokenizer, lived: Lived, until: number): Life {
  const life = new Life(count)
  live(life, { ...lived, isDigested: false }, () => undefined, until)
  if (lived.isDigested) life.digest(midnightBefore(begin + until * dayMs))
  return life
}

function midnightBefore(at: number): number {
  return periodEnd('day', localDay(at - dayMs, timeZone), timeZone)
}

interface Lived {
  readonly shape: Shape
  readonly whose: Whose
  readonly maxTokens: number
  readonly isDigested: boolean
}

const shapes = fc.constantFrom<Shape[]>('steady', 'busy', 'bursts', 'sparse', 'import')
const budgets = fc.constantFrom(200, 300, 500, 1_000, 2_000, 5_000)
const ownLife = fc.record({ shape: shapes, whose: fc.constant<Whose>('own'), maxTokens: budgets, isDigested: fc.boolean() })
const sharedLife = fc.record({
  shape: fc.constantFrom<Shape[]>('bursts', 'sparse', 'import'),
  whose: fc.constantFrom<Whose[]>('three members', 'one who floods', 'one who left', 'six members'),
  maxTokens: fc.constantFrom(200, 300, 500, 1_000),
  isDigested: fc.boolean(),
})
const minutes = 60_000

describe('while anything is told in short or left out', () => {
  let tokenizer: Tokenizer
  beforeAll(async () => {
    tokenizer = await loadTokenizer()
  })
  const render = (life: Life, maxTokens: number, now: number, pinned: ReadonlySet<string> = new Set()): Frontier => {
    const { nodes, omittedBefore } = life.loaded(maxTokens)
    const all = nodes.map((node) => (pinned.has(node.id) ? { ...node, pinned: true } : node))
    return frontierWithNewest(all, {
      ...{ maxTokens, now, timeZone, count: tokenizer.count, memberShare: usualMemberShare, omittedBefore },
    })
  }
  const check = ({ tokens, text, entries, omitted }: Frontier, maxTokens: number): void => {
    expect(tokens).toBe(tokenizer.count(text))
    expect(tokens).toBeLessThanOrEqual(maxTokens)
    const ofTree = entries.filter(({ pinned }) => !pinned)
    const isLess = omitted > 0 || ofTree.some(({ granularity, bulletsDropped }) => granularity !== 'conversation' || bulletsDropped > 0)
    if (isLess) expect(tokens / maxTokens).toBeGreaterThanOrEqual(leastUse)
  }
  const checkAll = (lived: Lived): void => {
    const life = new Life(tokenizer.count)
    live(life, lived, (now) => check(render(life, lived.maxTokens, now), lived.maxTokens))
  }

  test(
    "nearly all of the budget of a user's own bank is used, at every hour of three years",
    () => fc.assert(fc.property(ownLife, checkAll), { numRuns: fewRuns(6) }),
    10 * minutes,
  )

  test("and of a project's bank", () => fc.assert(fc.property(sharedLife, checkAll), { numRuns: fewRuns(3) }), 10 * minutes)

  test('a bank stays the same from one conversation to the next, or until midnight', () => {
    const moment = fc.integer({ min: 0, max: days - 1 })
    fc.assert(
      fc.property(fc.oneof(ownLife, sharedLife), moment, fc.nat(25), fc.nat(25), (lived, day, some, other) => {
        const life = lifeUntil(tokenizer, lived, day)
        const from = midnightBefore(begin + day * dayMs)
        const last = midnightBefore(begin + (day + 1) * dayMs) - 1
        const at = (hour: number): Frontier => render(life, lived.maxTokens, Math.min(from + hour * hourMs, last))
        expect(at(other)).toEqual(at(some))
      }),
      { numRuns: runs(60) },
    )
  })

  test('the same with pins, which are shown whole', () => {
    const picks = fc.array(fc.nat(), { maxLength: 2 })
    fc.assert(
      fc.property(
        ownLife,
        fc.integer({ min: 1, max: days - 1 }),
        fc.constantFrom(500, 1_000, 2_000, 5_000),
        picks,
        (lived, day, maxTokens, of) => {
          const life = lifeUntil(tokenizer, lived, day)
          const { nodes } = life.loaded(maxTokens)
          const pinned = new Set(of.flatMap((pick) => nodes[pick % Math.max(1, nodes.length)]?.id ?? []))
          check(render(life, maxTokens, midnightBefore(begin + day * dayMs), pinned), maxTokens)
        },
      ),
      { numRuns: runs(60) },
    )
  })
})
