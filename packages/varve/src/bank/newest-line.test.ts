import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadTokenizer } from '../models/tokenizer.ts'
import { runs } from '../testing/runs.ts'
import type { BankNode } from './bank-node.ts'
import type { Frontier } from './frontier.ts'
import { frontierWithNewest, newestLineAlone, newestTalk } from './newest-line.ts'
import { localDay } from './periods.ts'

const timeZone = 'Europe/Vienna'
const start = Date.parse('2026-01-05T08:00:00Z')
const dayMs = 86_400_000
const { count } = await loadTokenizer()

function leaf(serial: number, at: number, sizes: readonly number[]): BankNode {
  return {
    id: `talk-${serial}`,
    version: 1,
    granularity: 'conversation',
    period: localDay(at, timeZone),
    title: `About ${serial}`,
    bullets: sizes.map((words, place) => `Talk ${serial} said ${place}: ${'the boat is green and '.repeat(words)}old.`),
    conversations: 1,
    firstAt: at,
    lastAt: at,
    pinned: false,
    children: [],
  }
}

/** Makes a digest of some leaves that all lie in its day. */
function dayOf(leaves: readonly BankNode[], bullets: readonly string[]): BankNode {
  const [first] = leaves
  return {
    id: `day ${first?.period}`,
    version: 1,
    granularity: 'day',
    period: first?.period ?? '',
    bullets,
    conversations: leaves.length,
    firstAt: first?.firstAt ?? 0,
    lastAt: leaves.at(-1)?.lastAt ?? 0,
    pinned: false,
    children: leaves.map(({ id, version }) => ({ id, version })),
  }
}

const optionsAt = (now: number, maxTokens: number) => ({ maxTokens, now, timeZone, count, omittedBefore: 2 })

function linesIn({ text }: Frontier): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith('- '))
}

/** Checks what holds in any room, and tells whether a line of the newest talk is shown. */
function checked(nodes: readonly BankNode[], shown: Frontier, maxTokens: number): boolean {
  expect(shown.tokens).toBe(count(shown.text))
  expect(shown.tokens).toBeLessThanOrEqual(maxTokens)
  expect(new Set(linesIn(shown)).size).toBe(linesIn(shown).length)
  const leaves = nodes.filter(({ granularity }) => granularity === 'conversation')
  const told = shown.entries.filter(({ besideDigest, pinned }) => !(besideDigest && pinned))
  if (shown.entries.length > 0)
    expect(told.reduce((sum, { conversations }) => sum + conversations, 0) + shown.omitted).toBe(leaves.length + 2)
  return shown.text.includes(`Talk ${leaves.at(-1)?.id.slice(5)} said`)
}

test.each([400, 200])('at the end of each of 219 days a bank of %i tokens shows a line of the newest talk', (maxTokens) => {
  const nodes: BankNode[] = []
  for (let day = 0; day < 219; day += 1) {
    for (let talk = 0; talk < 1 + (day % 4); talk += 1) nodes.push(leaf(nodes.length, start + day * dayMs + talk * 3_600_000, [4, 3, 5]))
    const shown = frontierWithNewest(nodes.slice(-60), optionsAt(start + day * dayMs + dayMs / 2, maxTokens))
    expect(checked(nodes.slice(-60), shown, maxTokens), `day ${day}`).toBe(true)
  }
})

test('whatever the talk and the room: never over it, nothing twice, all told or counted, and a line of the newest where one fits', () => {
  const size = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 4 })
  const talk = fc.record({ gap: fc.integer({ min: 1, max: 90 }), size, isDigested: fc.boolean() })
  fc.assert(
    fc.property(fc.array(talk, { minLength: 1, maxLength: 25 }), fc.integer({ min: 60, max: 600 }), (talks, maxTokens) => {
      let at = start
      const nodes: BankNode[] = []
      for (const [serial, one] of talks.entries()) {
        at += one.gap * (dayMs / 3)
        nodes.push(leaf(serial, at, one.size))
      }
      const days = Map.groupBy(nodes, ({ period }) => period)
      const digests = [...days.values()]
        .filter((_, place) => talks[place]?.isDigested)
        .map((of) => dayOf(of, [`A day of ${of[0]?.id}`, 'Rain']))
      const all = [...nodes, ...digests.map((one) => ({ ...one, bullets: one.bullets.map((text) => `${text} on ${one.period}`) }))]
      const shown = frontierWithNewest(all, optionsAt(at + dayMs, maxTokens))
      const isShown = checked(nodes, shown, maxTokens)
      const newest = newestTalk(all)
      expect(isShown || newest?.granularity === 'day').toBe(true)
    }),
    { numRuns: runs(100) },
  )
})

test('pins come before the line, and where they leave room for it both are shown', () => {
  const nodes = Array.from({ length: 30 }, (_, serial) => leaf(serial, start + serial * dayMs, [4, 4, 4]))
  const pinned = nodes.map((node, place) => (place === 3 ? { ...node, pinned: true, bullets: ['The boat is green.'.repeat(8)] } : node))
  const small = frontierWithNewest(pinned, optionsAt(start + 30 * dayMs, 90))
  expect(small.entries.map(({ id }) => id)).toEqual(['talk-3'])
  const large = frontierWithNewest(pinned, optionsAt(start + 30 * dayMs, 200))
  expect(large.entries.map(({ id }) => id)).toContain('talk-3')
  expect(large.text).toContain('Talk 29 said')
})

test('a day that was made from the newest talk alone stands for it: a person may have corrected it', () => {
  const nodes = Array.from({ length: 30 }, (_, serial) => leaf(serial, start + serial * dayMs, [4, 4, 4]))
  const corrected = dayOf(nodes.slice(-1), ['The boat was sold.'])
  const { text } = frontierWithNewest([...nodes, corrected], optionsAt(start + 30 * dayMs, 120))
  expect(text).toContain('The boat was sold.')
  expect(text).not.toContain('Talk 29')
})

test('the line alone fits any room that holds a label and four words; the rest is counted', () => {
  const nodes = Array.from({ length: 9 }, (_, serial) => leaf(serial, start + serial * dayMs, [9, 1]))
  for (const maxTokens of [30, 40, 64]) {
    const alone = newestLineAlone(nodes, optionsAt(start + 9 * dayMs, maxTokens))
    expect(alone?.tokens).toBeLessThanOrEqual(maxTokens)
    expect(alone).toMatchObject({ entries: [{ id: 'talk-8' }], omitted: 10 })
    expect(alone?.text).toContain('Talk 8 said 0:')
  }
  expect(newestLineAlone(nodes, optionsAt(start + 9 * dayMs, 5))).toBeUndefined()
})
