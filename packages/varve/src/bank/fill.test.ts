import { describe, expect, test } from 'vitest'
import { loadTokenizer } from '../models/tokenizer.ts'
import type { BankNode } from './bank-node.ts'
import { frontier } from './frontier.ts'
import type { Granularity } from './granularity.ts'
import { localDay, periodOf } from './periods.ts'
import { withoutSource, withSource } from './source-date.ts'

const now = Date.parse('2026-10-08T12:00:00Z')
const timeZone = 'UTC'
const { count } = await loadTokenizer()

function leaf(id: string, at: string, bullets: readonly string[], member?: string): BankNode {
  const time = Date.parse(`${at}T09:00:00Z`)
  return {
    ...{ id, version: 1, granularity: 'conversation', period: localDay(time, timeZone), conversations: 1, bullets },
    ...{ firstAt: time, lastAt: time, pinned: false, children: [] },
    ...(member === undefined ? {} : { members: bullets.map(() => [member]) }),
  }
}

function digest(granularity: Granularity, of: readonly BankNode[], bullets: readonly string[], isCorrected = false): BankNode {
  const [firstAt, lastAt] = [Math.min(...of.map((node) => node.firstAt)), Math.max(...of.map((node) => node.lastAt))]
  const period = periodOf(localDay(firstAt, timeZone), granularity)
  return {
    ...{ id: `${granularity} ${period}`, version: 1, granularity, period, bullets, firstAt, lastAt, pinned: false },
    conversations: of.reduce((sum, node) => sum + node.conversations, 0),
    children: of.map(({ id, version }) => ({ id, version })),
    ...(isCorrected ? { isCorrected: true } : {}),
  }
}

const filler = 'of the winter store at the north mole, with the ropes that the harbour master lent for the season'
const ages = { day: 0, week: 0, month: 0, year: 0 }

describe('a line from below a digest has the date that its label does not tell', () => {
  const told = (nodes: readonly BankNode[], maxTokens: number) =>
    frontier(nodes, { maxTokens, now, timeZone, count, ages }).text.split('\n').slice(2)

  test('the day under a month, none under the same day', () => {
    const may = ['2026-05-04', '2026-05-06'].map((at, place) => leaf(`${place}`, at, [`The ${at.slice(-1)}th crate ${filler}.`]))
    expect(told([...may, digest('month', may, ['Crates came.'])], 75)).toEqual([
      '[May 2026]',
      '- Crates came.',
      expect.stringMatching(/^- The 4th crate .* \(4 May\)$/),
    ])
    const today = ['a', 'b'].map((id) => leaf(id, '2026-10-08', [`Crate ${id} ${filler}.`, `Crate ${id} left.`]))
    const day = told([...today, digest('day', today, ['Crates moved.'])], 50)
    expect(day.slice(0, 2)).toEqual(['[Thu 8 Oct 2026]', '- Crates moved.'])
    expect(day.slice(2)).toContain('- Crate b left.')
    expect(day.join('\n')).not.toContain('(8 Oct)')
  })

  test.each([
    ['day', '2026-10-05', 'year', '2026', ' (5 Oct)'],
    ['conversation', '2026-10-05', 'week', '2026-W41', ''],
    ['week', '2026-W01', 'year', '2026', ' (week of 29 Dec 2025)'],
    ['conversation', '2025-12-30', 'month', '2026-01', ' (30 Dec 2025)'],
    ['conversation', '2026-01-02', 'month', '2025-12', ' (2 Jan 2026)'],
    ['month', '2026-05', 'year', '2026', ' (May)'],
    ['conversation', '2026-10-05', 'day', '2026-10-05', ''],
  ] as const)('%s %s under %s %s has%s behind it, and is found without', (granularity, period, coarser, above, date) => {
    const dated = withSource('Crates came.', { from: { granularity, period }, shownUnder: { granularity: coarser, period: above } })
    expect(dated).toBe(`Crates came.${date}`)
    expect(withoutSource(dated)).toBe('Crates came.')
  })

  test('a line that tells a date by itself gets none', () => {
    const period = { granularity: 'month', period: '2026-05' } as const
    const line = 'The crates came yesterday (5 May 2026) by boat.'
    expect(withSource(line, { from: { granularity: 'conversation', period: '2026-05-06' }, shownUnder: period })).toBe(line)
    const may = ['a', 'b'].map((id) => leaf(id, '2026-05-06', [`Crate ${id} came on 6 May ${filler}.`]))
    expect(told([...may, digest('month', may, ['Crates came.'])], 75).join('\n')).not.toContain('(6 May)')
  })
})

test('nothing from below a digest that a person corrected is told, also under a coarser one', () => {
  const leaves = ['2025-05-04', '2025-05-05', '2025-05-06'].map((at, place) =>
    leaf(`${place}`, at, [`The boat is green ${filler}.`, `Oar ${at}.`]),
  )
  const options = { maxTokens: 85, now, timeZone, count, ages }
  const written = digest('month', leaves, ['The boat is red.'])
  expect(frontier([...leaves, written], options).text).toContain('green')
  const corrected = digest('month', leaves, ['The boat is red.'], true)
  expect(frontier([...leaves, corrected], options).entries).toMatchObject([{ bullets: ['The boat is red.'] }])
  const later = [1, 2, 3].map((n) => leaf(`later ${n}`, `2025-08-0${n}`, [`Crate ${n} ${filler}.`, `Rope ${n} ${filler}.`]))
  const year = digest('year', [corrected, ...later], ['A year of boats.'])
  const { text } = frontier([...leaves, corrected, ...later, year], { ...options, maxTokens: 110 })
  expect(text).toMatch(/A year of boats[^]*The boat is red\. \(May\)/)
  expect(text).toContain('Crate 2')
  expect(text).not.toMatch(/green|Oar/)
})

describe("a project's bank is filled fairly", () => {
  const talk = (member: string, conversations: number, day: number) =>
    Array.from({ length: conversations }, (_, n) =>
      leaf(
        `${member} ${n}`,
        `2026-09-${String(day + Math.floor(n / 10)).padStart(2, '0')}`,
        [`${member}: Crate ${member} ${n} ${filler}.`],
        member,
      ),
    )
  const shareOf = (member: string, text: string) => {
    const lines = text.split('\n').filter((line) => line.startsWith('- '))
    return lines.filter((line) => line.startsWith(`- ${member}`)).join('').length / lines.join('').length
  }
  const options = { now, timeZone, count, memberShare: 0.333 }

  test.each([600, 900, 1_400, 2_000])('what nobody else needs goes to a member who floods, in %d tokens', (maxTokens) => {
    const nodes = [...talk('ada', 3, 1), ...talk('bob', 3, 2), ...talk('eve', 3, 3), ...talk('mallory', 90, 10)]
    const { text, tokens } = frontier(nodes, { ...options, maxTokens })
    for (const member of ['ada', 'bob', 'eve']) for (const n of [0, 1, 2]) expect(text).toContain(`- ${member}: Crate ${member} ${n} `)
    expect(tokens / maxTokens).toBeGreaterThan(0.9)
  })

  test.each([300, 600, 1_400, 2_000])('and nothing does while the others have more to tell, in %d tokens', (maxTokens) => {
    const nodes = [...talk('ada', 30, 1), ...talk('bob', 30, 2), ...talk('eve', 30, 3), ...talk('mallory', 120, 10)]
    const { text, tokens } = frontier(nodes, { ...options, maxTokens })
    expect(tokens / maxTokens).toBeGreaterThan(0.85)
    for (const member of ['ada', 'bob', 'eve', 'mallory']) expect(shareOf(member, text)).toBeLessThan(0.36)
  })

  test('all of it is shown one by one where all of it fits', () => {
    const nodes = [...talk('ada', 1, 1), ...talk('mallory', 30, 10)]
    const { entries } = frontier(nodes, { ...options, maxTokens: 2_000 })
    expect(entries.every(({ granularity }) => granularity === 'conversation')).toBe(true)
    expect(entries).toHaveLength(31)
  })

  test('a digest whose conversations are not loaded counts each once, though all members have lines in it', () => {
    const members = ['ada', 'bob', 'eve']
    const at = Date.parse('2026-08-03')
    const old = members.flatMap((member) => talk(member, 20, 1)).map((node) => ({ ...node, id: `old ${node.id}`, firstAt: at, lastAt: at }))
    const lines = old.flatMap(({ bullets }) => bullets)
    const month = { ...digest('month', old, lines), members: old.flatMap(({ members: of = [] }) => of) }
    const nodes = [month, ...members.flatMap((member) => talk(member, 60, 10))]
    for (const maxTokens of [300, 600, 1_400]) {
      const { entries } = frontier(nodes, { ...options, maxTokens })
      for (const { granularity, conversations } of entries.filter(({ period }) => period === month.period))
        expect([granularity, conversations]).toEqual(['month', old.length])
    }
  })

  test.each([200, 500, 800, 3_000])('no more conversations are left out than are not told, in %d tokens', (maxTokens) => {
    const nodes = Array.from({ length: 60 }, (_, n) => {
      const bullets = ['ada', 'bob'].flatMap((member) => [1, 2].map((line) => `${member}: Crate ${n}.${line} ${filler}.`))
      return {
        ...leaf(`both ${n}`, `2026-09-${String(1 + (n % 28)).padStart(2, '0')}`, bullets),
        members: [['ada'], ['ada'], ['bob'], ['bob']],
      }
    })
    const { entries, omitted } = frontier(nodes, { ...options, maxTokens })
    const leaves = entries.filter(({ granularity }) => granularity === 'conversation')
    expect(omitted).toBeLessThanOrEqual(nodes.length - leaves.length)
    if (entries.length === leaves.length) expect(omitted).toBe(nodes.length - leaves.length)
  })
})
