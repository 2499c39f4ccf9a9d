import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadTokenizer } from '../models/tokenizer.ts'
import { type BankNode, byTime, parentOf, rungOfNode } from './bank-node.ts'
import { type Frontier, frontier, type FrontierOptions } from './frontier.ts'
import { granularities } from './granularity.ts'
import { localDay } from './periods.ts'
import { runs } from '../testing/runs.ts'

const timeZone = 'Europe/Vienna'
const now = Date.parse('2026-10-08T12:00:00Z')
const dayMs = 86_400_000
const omittedBefore = 3

const size = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 })
const age = fc.oneof(fc.integer({ min: -1, max: 12 }), fc.integer({ min: 0, max: 700 }))
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('leaf' as const), age, size }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('digest' as const), rung: fc.integer({ min: 1, max: 4 }), pick: fc.nat(), size }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('edit' as const, 'remove' as const, 'pin' as const), pick: fc.nat() }) },
)
const history = fc.record({ steps: fc.array(step, { maxLength: 60 }), closed: fc.array(fc.nat(), { maxLength: 4 }) })
type History = typeof history extends fc.Arbitrary<infer Of> ? Of : never

/** A bank that grew by itself: the nodes that were given, and the leaves that each of its nodes tells of. */
class Grown {
  nodes: BankNode[] = []
  readonly tells = new Map<string, ReadonlySet<string>>()
  readonly leaves = new Map<string, BankNode>()

  constructor({ steps, closed }: History) {
    for (const [serial, one] of steps.entries()) {
      if (one.do === 'leaf') this.#add(leaf(`leaf-${serial}`, now - one.age * dayMs - serial, one.size))
      else if (one.do === 'digest') this.#digest(one.rung, one.pick, one.size)
      else this.#change(one.do, this.nodes[one.pick % Math.max(1, this.nodes.length)])
    }
    for (const node of this.nodes) {
      this.tells.set(node.id, this.#told(node))
      if (node.granularity === 'conversation') this.leaves.set(node.id, node)
    }
    for (const pick of closed) this.#close(this.nodes[pick % Math.max(1, this.nodes.length)])
  }

  leavesIn(rung: number, period: string): string[] {
    return [...this.leaves.values()].filter((one) => periodAt(one, rung) === period).map(({ id }) => id)
  }

  #add(node: BankNode): void {
    this.nodes = [...this.nodes.filter(({ id }) => id !== node.id), node]
  }

  /**
   * Makes a digest of everything uncovered below it, so that rungs may be left out; or the same digest again when
   * nothing came.
   */
  #digest(rung: number, pick: number, size: readonly number[]): void {
    const granularity = granularities[rung] ?? 'year'
    const periods = [...new Set(this.nodes.map((node) => periodAt(node, rung)).filter((period) => period !== undefined))]
    const period = periods[pick % Math.max(1, periods.length)]
    if (period === undefined) return
    const children = this.nodes.filter(
      (node) =>
        rungOfNode(node) < rung && periodAt(node, rung) === period && rungOfNode(this.#coverer(node) ?? { granularity: 'year' }) >= rung,
    )
    const id = `${granularity} ${period}`
    const old = this.nodes.find((node) => node.id === id)
    if (children.length === 0) return
    const conversations = new Set(children.flatMap((child) => [...this.#told(child)])).size
    const [firstAt, lastAt] = [Math.min(...children.map((child) => child.firstAt)), Math.max(...children.map((child) => child.lastAt))]
    const version = (old?.version ?? 0) + 1
    this.#add({
      id,
      version,
      granularity,
      period,
      bullets: bulletsOf(size, `${id} ${version}`),
      conversations,
      firstAt,
      lastAt,
      pinned: old?.pinned ?? false,
      children: children.map(({ id, version }) => ({ id, version })),
    })
  }

  #change(what: 'edit' | 'remove' | 'pin', node: BankNode | undefined): void {
    if (node === undefined) return
    const isListed = this.nodes.some(({ children }) => children.some(({ id }) => id === node.id))
    if (what === 'pin') this.#add({ ...node, pinned: true })
    else if (what === 'edit' && node.granularity === 'conversation')
      this.#add({ ...node, version: node.version + 1, bullets: [`${node.id} again`] })
    else if (what === 'remove' && node.granularity !== 'conversation' && !isListed)
      this.nodes = this.nodes.filter((other) => other !== node)
  }

  /** Gives a digest without all that is below it, if nothing else needs that. */
  #close(digest: BankNode | undefined): void {
    if (digest === undefined || digest.children.length === 0) return
    const below = new Set(this.#below(digest))
    const isWhole = [digest, ...below].every((node) =>
      node.children.every(({ id }) => [...below].some((child) => child.id === id && this.#coverer(child) === node)),
    )
    const isNeeded = this.nodes.some(
      (node) => node !== digest && !below.has(node) && node.children.some(({ id }) => [...below].some((child) => child.id === id)),
    )
    if (isWhole && !isNeeded && [...below].every(({ pinned }) => !pinned)) this.nodes = this.nodes.filter((node) => !below.has(node))
  }

  #below(digest: BankNode): BankNode[] {
    return digest.children.flatMap(({ id }) => this.nodes.filter((node) => node.id === id).flatMap((node) => [node, ...this.#below(node)]))
  }

  #coverer(node: BankNode): BankNode | undefined {
    const listing = this.nodes.filter(({ children }) => children.some(({ id, version }) => id === node.id && version === node.version))
    return listing.sort((one, other) => rungOfNode(one) - rungOfNode(other))[0]
  }

  #told(node: BankNode): Set<string> {
    if (node.granularity === 'conversation') return new Set([node.id])
    const own = this.nodes.filter((child) => node.children.some(({ id }) => id === child.id) && this.#coverer(child) === node)
    return new Set(own.flatMap((child) => [...this.#told(child)]))
  }
}

function leaf(id: string, at: number, size: readonly number[]): BankNode {
  return {
    id,
    version: 1,
    granularity: 'conversation',
    period: localDay(at, timeZone),
    title: `About ${id}`,
    bullets: bulletsOf(size, id),
    conversations: 1,
    firstAt: at,
    lastAt: at,
    pinned: false,
    children: [],
  }
}

function bulletsOf(size: readonly number[], about: string): string[] {
  return size.map((words, place) => `${about} ${place} ${'word '.repeat(words)}`)
}

function periodAt(node: BankNode, rung: number): string | undefined {
  let { period } = node
  if (rungOfNode(node) > rung) return undefined
  for (let at = rungOfNode(node); at < rung; at += 1) period = parentOf(at, period)
  return period
}

/** Gives every leaf, and the finest rung at which an entry tells of it. */
function told(grown: Grown, { entries }: Frontier): Map<string, number> {
  const rungs = new Map<string, number>()
  for (const entry of entries) {
    const own =
      entry.pinned || entry.granularity === 'conversation'
        ? grown.tells.get(entry.id ?? '')
        : grown.leavesIn(rungOfNode(entry), entry.period)
    for (const id of own ?? []) rungs.set(id, Math.min(rungs.get(id) ?? 9, rungOfNode(entry)))
  }
  return rungs
}

/** Tells whether a bank with pins shows something, and none of the pins. */
function isWithoutPins(nodes: readonly BankNode[], { entries }: Frontier): boolean {
  return entries.length > 0 && nodes.some(({ pinned }) => pinned) && entries.every(({ pinned }) => !pinned)
}

const words = () => (text: string) => text.match(/\S+/g)?.length ?? 0
/** Counted by a new function each time, so that nothing is remembered from one bank to another of the same ids. */
const optionsOf = (maxTokens: number, count = words()): FrontierOptions => ({ maxTokens, now, timeZone, omittedBefore, count })
const budget = fc.oneof(fc.nat(60), fc.nat(1200))

describe('any bank', () => {
  // requirement: BANK-12
  test('is never over its budget, and says what it costs', () => {
    fc.assert(
      fc.property(history, budget, (steps, maxTokens) => {
        const { tokens, text, entries } = frontier(new Grown(steps).nodes, optionsOf(maxTokens))
        expect(tokens).toBe(words()(text))
        expect(tokens).toBeLessThanOrEqual(maxTokens)
        expect(text === '').toBe(entries.length === 0)
      }),
      { numRuns: runs(100) },
    )
  })

  // requirement: BANK-13
  test('loses no conversation and tells of none twice but for pins', () => {
    fc.assert(
      fc.property(history, budget, (steps, maxTokens) => {
        const grown = new Grown(steps)
        const shown = frontier(grown.nodes, optionsOf(maxTokens))
        expect(told(grown, shown).size + shown.omitted - omittedBefore).toBe(grown.leaves.size)
        const ofTree = shown.entries.filter(({ pinned }) => !pinned)
        const ids = ofTree.flatMap((entry) =>
          entry.granularity === 'conversation' ? [entry.id] : grown.leavesIn(rungOfNode(entry), entry.period),
        )
        expect(new Set(ids).size).toBe(ids.length)
        expect(ofTree.reduce((sum, { conversations }) => sum + conversations, 0)).toBe(ids.length)
        expect(shown.entries.filter(({ besideDigest, pinned }) => besideDigest && !pinned)).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  test('is never finer where it is older, but for pins', () => {
    fc.assert(
      fc.property(history, budget, (steps, maxTokens) => {
        const entries = frontier(new Grown(steps).nodes, optionsOf(maxTokens)).entries.filter(({ pinned }) => !pinned)
        for (const fine of entries) {
          for (const coarse of entries.filter((other) => rungOfNode(other) > rungOfNode(fine))) {
            let { period } = fine
            for (let at = rungOfNode(fine); at < rungOfNode(coarse); at += 1) period = parentOf(at, period)
            expect(period > coarse.period, `${fine.period} and ${coarse.period}`).toBe(true)
          }
        }
      }),
      { numRuns: runs(100) },
    )
  })

  // requirement: BANK-16
  test('is the same in whatever order its nodes come', () => {
    const shuffled = history.chain((steps) => {
      const { nodes } = new Grown(steps)
      return fc.tuple(fc.constant(nodes), fc.shuffledSubarray(nodes, { minLength: nodes.length }))
    })
    fc.assert(
      fc.property(shuffled, budget, ([nodes, others], maxTokens) => {
        expect(frontier(others, optionsOf(maxTokens))).toEqual(frontier(nodes, optionsOf(maxTokens)))
      }),
      { numRuns: runs(100) },
    )
  })

  test('shows nothing less when there is more room, and the same when there is just enough', () => {
    fc.assert(
      fc.property(history, budget, budget, (steps, some, more) => {
        const grown = new Grown(steps)
        const [small, large] = [some, some + more].map((maxTokens) => frontier(grown.nodes, optionsOf(maxTokens)))
        if (small === undefined || large === undefined) return
        expect(frontier(grown.nodes, optionsOf(small.tokens))).toEqual(small)
        // Pins that fit only with more room take the place of entries that stood without them.
        if (isWithoutPins(grown.nodes, small) && !isWithoutPins(grown.nodes, large)) return
        expect(large.omitted).toBeLessThanOrEqual(small.omitted)
        const rungs = told(grown, large)
        for (const [id, rung] of told(grown, small)) expect(rungs.get(id)).toBeLessThanOrEqual(rung)
      }),
      { numRuns: runs(100) },
    )
  })

  test('shows pins whole as long as anything else is shown', () => {
    fc.assert(
      fc.property(history, budget, (steps, maxTokens) => {
        const { nodes } = new Grown(steps)
        const { entries } = frontier(nodes, optionsOf(maxTokens))
        const pins = entries.filter(({ pinned }) => pinned)
        expect(pins.every(({ bulletsDropped }) => bulletsDropped === 0)).toBe(true)
        if (pins.length > 0 && pins.length < entries.length) expect(pins).toHaveLength(nodes.filter(({ pinned }) => pinned).length)
      }),
      { numRuns: runs(200) },
    )
  })

  test('is as if nothing were pinned where not even the newest pin fits by itself, and only there', () => {
    fc.assert(
      fc.property(history, budget, (steps, maxTokens) => {
        const { nodes } = new Grown(steps)
        const newest = nodes
          .filter(({ pinned }) => pinned)
          .toSorted(byTime)
          .at(-1)
        if (newest === undefined) return
        const shown = frontier(nodes, optionsOf(maxTokens))
        const alone = frontier([{ ...newest, children: [] }], optionsOf(maxTokens))
        if (alone.entries.some(({ pinned }) => pinned)) expect(shown.entries.some(({ pinned }) => pinned)).toBe(true)
        else
          expect(shown).toEqual(
            frontier(
              nodes.map((node) => ({ ...node, pinned: false })),
              optionsOf(maxTokens),
            ),
          )
      }),
      { numRuns: runs(200) },
    )
  })

  // requirement: BANK-12
  test('is within the budget by the exact tokenizer, and the first shape that is', async () => {
    const { count } = await loadTokenizer()
    fc.assert(
      fc.property(history, fc.nat(2000), (steps, maxTokens) => {
        const { nodes } = new Grown(steps)
        const options = (maxTokens: number) => ({ ...optionsOf(maxTokens, (text) => count(text)), omittedBefore: 0 })
        const shown = frontier(nodes, options(maxTokens))
        expect(shown.tokens).toBe(count(shown.text))
        expect(shown.tokens).toBeLessThanOrEqual(maxTokens)
        expect(frontier(nodes, options(shown.tokens))).toEqual(shown)
      }),
      { numRuns: runs(60) },
    )
  })
})
