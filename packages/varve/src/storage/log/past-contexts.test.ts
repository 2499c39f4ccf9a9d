import { expect, test } from 'vitest'
import { mostShownBytes, type ShownContext, type ShownItem, shownText, shownWithout } from './past-contexts.ts'

const item = (at: number): ShownItem => ({
  id: `01a1fe5f-52bf-7573-9d35-${String(at).padStart(12, '0')}`,
  tokens: 20,
  group: at,
  hash: 'abcdefghijk',
  signals: [
    ['words', 0.1234],
    ['meaning', 0.4321],
  ],
})

function contextOf(items: number, left: number): ShownContext {
  return {
    question: 'q',
    maxTokens: 4_000,
    tokens: 3_900,
    text: 't',
    tiers: {},
    sections: [{ tier: 'details', tokens: 3_900, items: Array.from({ length: items }, (_, at) => item(at)) }],
    omitted: [{ tier: 'details', count: left, reason: 'it does not fit', marks: Array.from({ length: left }, () => 'abcdefghijk') }],
    cuts: [],
  }
}

test('a record is at most 64 KiB: its signals go first, then the marks of what was left out, then all of it', () => {
  const whole = contextOf(150, 150)
  expect(JSON.parse(shownText(whole) ?? '')).toEqual(whole)
  for (const [items, left, keeps] of [
    [500, 50, ['marks']],
    [500, 3_000, []],
  ] as const) {
    const text = shownText(contextOf(items, left)) ?? ''
    expect(text.length).toBeLessThanOrEqual(mostShownBytes)
    expect(text).not.toContain('"signals"')
    expect(text.includes('"marks"')).toBe(keeps.length > 0)
  }
  expect(shownText(contextOf(1_000, 0))).toBeNull()
})

test('a forgotten item leaves its tokens and its place; one that was rewritten, or that a forgotten message ended, its id', () => {
  const [a, b, c, d] = [item(1), item(2), { ...item(3), by: ['x'] }, item(4)]
  const shown = { ...contextOf(0, 0), sections: [{ tier: 'details', tokens: 9, items: [a, b, c, d] }] }
  const left: ShownContext = JSON.parse(shownWithout(JSON.stringify(shown), new Set([a.id ?? '', b.id ?? '', 'x']), new Set([b.id ?? ''])))
  const { hash: _b, ...rewritten } = b
  const { hash: _c, by: _by, ...ended } = c
  expect(left.sections[0]?.items).toEqual([{ tokens: 20, group: 1 }, rewritten, ended, d])
  expect(left).not.toHaveProperty('text')
})
