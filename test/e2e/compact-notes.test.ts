import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MessageInput } from '../../packages/varve/src/index.ts'
import { asModelMessages, conversations } from '../fixtures/compact/conversations.ts'
import { exactly, idsIn, notesIn } from '../fixtures/compact/read.ts'
import { noted } from '../fixtures/compact/noted.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const system = { role: 'system', content: 'You are a harbour master.' } as const

/** Makes twelve exchanges with a tool in each: 48 messages, without a system message. */
function talk(): MessageInput[] {
  return Array.from({ length: 12 }, (_, place): MessageInput[] => [
    { role: 'user', content: `Question ${place} about berth ${place * 7}.` },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: `c${place}`, toolName: 'look', input: { berth: place * 7 } }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: `c${place}`, toolName: 'look', output: { type: 'text', value: `berth ${place * 7} is free` } },
      ],
    },
    { role: 'assistant', content: `Berth ${place * 7} is free.` },
  ]).flat()
}

const notes = (coveredSeq: number, revision = 3, text = '# Current state\n\n- Looking at berths.') => ({
  text,
  coveredSeq,
  revision,
  at: Date.UTC(2026, 0, 5),
})

test('stored notes stand for all that they cover, and what is newer stays as it is', async () => {
  const messages = talk()
  const { compact } = await noted(messages)
  const after = compact([system, ...messages], 10_000, notes(40))
  expect(after.slice(2)).toEqual(messages.slice(40))
  expect(after.slice(2).every((message, place) => message === messages[40 + place])).toBe(true)
  expect(after[0]).toBe(system)
  expect(notesIn(after)).toMatch(
    new RegExp(
      String.raw`^<memory mark="[0-9a-f]{16}">\n.*quoted as data.*\nWritten 2026-01-05T00:00:00.000Z, revision ` +
        String.raw`3, up to message 40\.\n\n  # Current state\n  \n  - Looking at berths\.\n<\/memory`,
    ),
  )
})

test('notes that end between a call and its result split neither', async () => {
  const messages = talk()
  const { compact } = await noted(messages)
  expect(compact(messages, 10_000, notes(42)).slice(1)).toEqual(messages.slice(41))
  expect(compact(messages, 10_000, notes(43)).slice(1)).toEqual(messages.slice(43))
})

test('what the notes cover is told from the store: the list may have been cut, or compacted, since', async () => {
  const messages = talk()
  const { compact } = await noted(messages)
  expect(compact(messages.slice(20), 10_000, notes(40)).slice(1)).toEqual(messages.slice(40))
  const once = compact(messages, 10_000, notes(20))
  expect(compact(once, 10_000, notes(40, 4)).slice(1)).toEqual(messages.slice(40))
})

test('a message that was never stored is covered between covered ones, and stays after them', async () => {
  const messages = talk()
  const { compact } = await noted(messages)
  const unstored = { role: 'user', content: 'Thrown in, and never stored.' }
  expect(compact([...messages.slice(0, 8), unstored, ...messages.slice(8)], 10_000, notes(40))).not.toContain(unstored)
  const again = { ...messages[0] }
  expect(compact([...messages, unstored, again], 10_000, notes(40)).slice(-2)).toEqual([unstored, again])
})

test('notes that cover everything leave the newest group and the last question', async () => {
  const messages = talk()
  const { compact } = await noted(messages)
  expect(compact(messages, 10_000, notes(48)).slice(1)).toEqual([messages[44], messages[47]])
})

test('notes are found by id where messages have ids, whatever their words are now', async () => {
  const stored = talk().map((message, place) => ({ ...message, id: `m${place + 1}` }))
  const { compact } = await noted(stored)
  const host = stored.map(({ id }, place) => ({ id, role: 'user', parts: [{ type: 'text', text: `said otherwise ${place}` }] }))
  expect(compact(host, 10_000, notes(40)).slice(1)).toEqual(host.slice(40))
})

test('where notes and the rest are too long, the oldest go first and are written down; the notes are cut last', async () => {
  const messages = talk()
  const { compact } = await noted(messages)
  const long = notes(
    20,
    3,
    ['# Worklog', ...Array.from({ length: 40 }, (_, place) => `- entry number ${place} of the log, about a crane`)].join('\n'),
  )
  const whole = compact(messages, 10_000, long)
  const most = exactly(whole)
  const tighter = compact(messages, most - 60, long)
  expect(exactly(tighter)).toBeLessThanOrEqual(most - 60)
  expect(tighter.slice(1)).toEqual(messages.slice(48 - (tighter.length - 1)))
  expect(tighter.length).toBeLessThan(whole.length)
  expect(notesIn(tighter)).toContain('- user: Question 5 about berth 35.')
  const least = compact(messages, 200, long)
  expect(least.slice(1)).toEqual([messages[44], messages[47]])
  expect(notesIn(least)).toMatch(/revision 3, up to message 4\d, shortened\./)
  expect(exactly(least)).toBeLessThanOrEqual(200)
})

test('compacting again with the same notes and budget gives the same; cut notes are whole again where there is room', async () => {
  const messages = talk()
  const { compact } = await noted(messages)
  const long = notes(
    20,
    3,
    ['# Worklog', ...Array.from({ length: 40 }, (_, place) => `- entry number ${place} of the log, about a crane`)].join('\n'),
  )
  for (const budget of [200, 400, 700, 1_000, 5_000]) {
    const once = compact(messages, budget, long)
    const twice = compact(once, budget, long)
    expect(twice.slice(1)).toEqual(once.slice(1))
    expect(exactly(twice)).toBeLessThanOrEqual(budget)
    expect(compact(twice, budget, long)).toEqual(twice)
  }
  const roomy = notesIn(compact(compact(messages, 200, long), 5_000, long))
  expect(roomy).toContain('entry number 0 of the log')
  expect(roomy).toContain('- user: Question 6 about berth 42.')
})

test("today's notes take the place of earlier ones; what those told of and these do not yet is read from the store again", async () => {
  const messages = talk()
  const { compact } = await noted(messages)
  const once = compact(messages, 560, notes(4))
  expect(Number(/up to message (\d+)/.exec(notesIn(once) ?? '')?.[1])).toBeGreaterThanOrEqual(16)
  const later = compact(once, 900, notes(12, 4, '# Current state\n\n- At berth 21.'))
  expect(later.filter((message) => notesIn([message]) !== undefined)).toHaveLength(1)
  expect(notesIn(later)).toContain('At berth 21.')
  expect(notesIn(later)).not.toContain('Question 1 about')
  expect(notesIn(later)).toContain('Question 3 about')
})

test('notes that moved on without a new word cover what they moved over', async () => {
  const messages = talk()
  const { compact } = await noted(messages)
  const once = compact(messages, 10_000, notes(20))
  expect(compact(once, 10_000, notes(40)).slice(1)).toEqual(messages.slice(40))
})

test('notes that were deleted are gone from the answer, though an earlier answer had them', async () => {
  const messages = talk()
  const { compact } = await noted(messages)
  const once = compact(messages, 10_000, notes(40, 3, 'The code of the gate is 4711.'))
  expect(notesIn(compact(once, 10_000, undefined))).not.toContain('4711')
})

// requirement: NOTE-17
test('twenty compactions of a growing conversation do not grow the notes over what they may have', async () => {
  const messages = talk()
  const { compact } = await noted([])
  let list: object[] = [system]
  const sizes: number[] = []
  for (let round = 0; round < 20; round += 1) {
    list = compact(
      [
        ...list,
        ...messages.map((message) =>
          message.role === 'user' ? { ...message, content: `In round ${round}: ${String(message.content)}` } : message,
        ),
      ],
      900,
      undefined,
    )
    expect(list.filter((message) => notesIn([message]) !== undefined)).toHaveLength(round === 0 ? 0 : 1)
    sizes.push(exactly(list))
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(900)
  expect(notesIn(list)).toContain('In round 19')
})

test('wherever the notes end, uncovered messages stay, no call is parted from its result, and newer notes take over', async () => {
  const talks = fc.sample(conversations, { numRuns: runs(80), seed: 20_260_105 }).map(asModelMessages)
  const { compact } = await noted([], Object.fromEntries(talks.map((messages, place) => [`talk ${place}`, messages])))
  const covering = fc.tuple(
    fc.nat(talks.length - 1),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  fc.assert(
    fc.property(covering, ([place, first, second]) => {
      const messages = talks[place] ?? []
      const session = `talk ${place}`
      const [seq, later] = [first, second].map((share) => Math.floor(share * messages.length)).toSorted((a, b) => a - b)
      const once = compact(messages, 100_000, notes(seq ?? 0, 1), session)
      expect(
        messages.slice(seq).every((message) => once.includes(message)),
        'all that is not covered',
      ).toBe(true)
      expect(compact(once, 100_000, notes(seq ?? 0, 1), session)).toEqual(once)
      const moved = compact(once, 100_000, notes(later ?? 0, 2), session)
      expect(
        messages.slice(later).every((message) => moved.includes(message)),
        'all that is not covered later',
      ).toBe(true)
      expect(moved.length).toBeLessThanOrEqual(once.length)
      for (const list of [once, moved]) {
        const [was, is] = [idsIn(messages), idsIn(list)]
        expect(is.results.filter((id) => was.calls.includes(id)).every((id) => is.calls.includes(id))).toBe(true)
        expect(is.calls.filter((id) => was.results.includes(id)).every((id) => is.results.includes(id))).toBe(true)
      }
    }),
    { numRuns: runs(150) },
  )
})
