import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../messages/message.ts'
import { countersAfter, noted, nothingCounted, type NotesCounters, notesDue } from './due.ts'
import { notesSettings } from './settings.ts'
import { runs } from '../testing/runs.ts'

const settings = notesSettings()
const talked = { ...nothingCounted, mainTokens: 10_000 }
const updated = { ...talked, notedTokens: 10_000, hasNotes: true }

// requirement: NOTE-2
test('the first update is due at 10,000 tokens, and not one earlier', () => {
  expect(notesDue({ ...talked, mainTokens: 9_999 }, settings)).toEqual({ due: false, reason: 'too short', growth: 9_999, calls: 0 })
  expect(notesDue(talked, settings)).toEqual({ due: true, reason: 'first', growth: 10_000, calls: 0 })
})

// requirement: NOTE-3
test('then growth by 5,000 tokens is due at a pause, or with three tool calls', () => {
  const grown = { ...updated, mainTokens: 15_000 }
  expect(notesDue(grown, settings).reason).toBe('in the middle of work')
  expect(notesDue({ ...grown, isPause: true }, settings)).toMatchObject({ due: true, reason: 'pause' })
  expect(notesDue({ ...grown, mainCalls: 3 }, settings)).toMatchObject({ due: true, reason: 'calls' })
  expect(notesDue({ ...grown, mainCalls: 3, notedCalls: 1 }, settings)).toMatchObject({ due: false, calls: 2 })
})

// requirement: NOTE-3
test('calls and a pause without growth are not enough', () => {
  expect(notesDue({ ...updated, mainTokens: 14_999, mainCalls: 40, isPause: true }, settings)).toMatchObject({
    due: false,
    reason: 'too little new',
  })
})

test("a tool's message in our own shape is a call, and so no pause", () => {
  const said = countersAfter(nothingCounted, { role: 'assistant', tokens: 5 })
  expect(said.isPause).toBe(true)
  expect(countersAfter(said, { role: 'tool', tokens: 100 })).toMatchObject({ mainCalls: 1, isPause: false })
})

type Said = Pick<Message, 'role' | 'parts' | 'thread' | 'tokens'>
const call = { type: 'tool-call' }
const message = fc
  .record({
    role: fc.constantFrom('user' as const, 'assistant' as const, 'assistant' as const, 'tool' as const),
    tokens: fc.integer({ min: 1, max: 40 }),
    parts: fc.constantFrom(undefined, [{ type: 'text' }], [call], [{ type: 'text' }, call, call], [{ type: 'tool-result' }]),
    thread: fc.constantFrom(undefined, undefined, undefined, 'explorer'),
  })
  .map(({ parts, thread, ...one }): Said => ({
    ...one,
    ...(parts === undefined ? {} : { parts }),
    ...(thread === undefined ? {} : { thread }),
  }))
const happening = fc.oneof(
  { weight: 20, arbitrary: message },
  fc.constantFrom('update' as const, 'failed update' as const, 'late update' as const, 'restart' as const, 'compaction' as const),
)

/**
 * Tells whether notes are due by the whole conversation, which the host cannot shorten, and by the part that the last
 * committed update read.
 */
function oracle(conversation: readonly Said[], read: number | undefined, { firstTokens, growthTokens, toolCalls }: typeof small): boolean {
  const callsOf = ({ role, parts }: Said): number =>
    role === 'tool' ? (parts === undefined ? 1 : 0) : role === 'assistant' ? (parts ?? []).filter((part) => part === call).length : 0
  const fresh = conversation.slice(read ?? 0).filter(({ thread }) => thread === undefined)
  const growth = fresh.reduce((sum, { tokens }) => sum + tokens, 0)
  if (read === undefined) return growth >= firstTokens
  const acted = conversation.findLast((one) => one.thread === undefined && (one.role === 'assistant' || callsOf(one) > 0))
  return (
    growth >= growthTokens &&
    (fresh.reduce((sum, one) => sum + callsOf(one), 0) >= toolCalls || (acted !== undefined && callsOf(acted) === 0))
  )
}

const small = { firstTokens: 100, growthTokens: 50, toolCalls: 3 }

test('counters tell the same as the whole conversation, whatever fails, restarts or is compacted', () => {
  const seen = { due: 0, not: 0 }
  fc.assert(
    fc.property(fc.array(happening, { minLength: 20, maxLength: 120 }), (happenings) => {
      let counters: NotesCounters = nothingCounted
      let before: NotesCounters = nothingCounted
      let read: number | undefined
      let conversation: Said[] = []
      for (const one of happenings) {
        if (typeof one === 'object') {
          before = counters
          conversation = [...conversation, one]
          counters = countersAfter(counters, one)
        } else if (one === 'update') {
          counters = noted(counters, counters)
          read = conversation.length
        } else if (
          one === 'late update' &&
          conversation.length > 0 &&
          before.mainTokens >= counters.notedTokens &&
          (read ?? 0) < conversation.length
        ) {
          // It had read all but the last message when that came in.
          counters = noted(counters, before)
          read = conversation.length - 1
        } else if (one === 'restart') {
          counters = JSON.parse(JSON.stringify(counters))
        }
        const due = oracle(conversation, read, small)
        expect(notesDue(counters, small).due).toBe(due)
        seen[due ? 'due' : 'not'] += 1
      }
    }),
    { numRuns: runs(300) },
  )
  expect(Math.min(seen.due, seen.not)).toBeGreaterThan(500)
})
