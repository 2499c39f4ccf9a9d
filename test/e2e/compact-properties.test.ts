import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LimitExceeded, type UserMemory } from '../../packages/varve/src/index.ts'
import { conversations, inShape, shapeNames, type Step } from '../fixtures/compact/conversations.ts'
import { exactly, idsIn, notesIn } from '../fixtures/compact/read.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const shared = sharedMemory()
const numRuns = runs(60)
const session = 'never stored'

/** Compacts a list. When that is refused, it compacts to the least tokens that the error names. */
async function compacted(ada: UserMemory, messages: readonly object[], maxTokens: number): Promise<{ after: object[]; most: number }> {
  try {
    return { after: await ada.compact(messages, { session, maxTokens }), most: maxTokens }
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    expect(error.count).toBeGreaterThan(maxTokens)
    return { after: await ada.compact(messages, { session, maxTokens: error.count }), most: error.count }
  }
}

function isNotes(message: object): boolean {
  return notesIn([message]) !== undefined
}

function isSystem(message: object): boolean {
  return 'role' in message && (message.role === 'system' || message.role === 'developer')
}

function lastAsked(messages: readonly object[]): object | undefined {
  return messages.findLast((message) => 'role' in message && message.role === 'user' && idsIn([message]).results.length === 0)
}

function headOf(messages: readonly object[]): readonly object[] {
  const end = messages.findIndex((message) => !isSystem(message))
  return end === -1 ? messages : messages.slice(0, end)
}

/** Gives the message before a tool's message that names no call. */
function beforeOf(messages: readonly object[], message: object): object | undefined {
  return messages[messages.indexOf(message) - 1]
}

function checkKept(before: readonly object[], after: readonly object[]): void {
  const kept = after.filter((message) => !isNotes(message))
  expect(
    kept.every((message) => before.includes(message)),
    'the same objects',
  ).toBe(true)
  expect(kept, 'in their order').toEqual(before.filter((message) => kept.includes(message)))
  expect(after.length - kept.length, 'one message of notes').toBeLessThanOrEqual(1)
  expect(after.slice(0, headOf(before).length)).toEqual(headOf(before))
  expect(kept.at(-1)).toBe(before.at(-1))
  const asked = lastAsked(before)
  if (asked !== undefined) expect(kept).toContain(asked)
}

function checkTools(before: readonly object[], after: readonly object[]): void {
  const [was, is] = [idsIn(before), idsIn(after)]
  const known = new Set(was.calls)
  expect(
    is.results.filter((id) => known.has(id)).every((id) => is.calls.includes(id)),
    'no result without its call',
  ).toBe(true)
  const answered = new Set(was.results)
  expect(
    is.calls.filter((id) => answered.has(id)).every((id) => is.results.includes(id)),
    'no call without its results',
  ).toBe(true)
  for (const message of after.filter((one) => 'role' in one && one.role === 'tool' && idsIn([one]).results.length === 0)) {
    const previous = beforeOf(before, message)
    if (previous !== undefined && !headOf(before).includes(previous)) expect(beforeOf(after, message)).toBe(previous)
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(frozen)
  return Object.freeze(value)
}

const cases = fc.tuple(conversations, fc.integer({ min: 1, max: 1_200 }))

describe.each(shapeNames)('any conversation in the shape %s, to any budget', (shape) => {
  const messagesOf = (steps: readonly Step[]): object[] => frozen(inShape(shape, steps))

  // requirement: NOTE-15
  test('keeps calls with their results, the head, the newest and what was asked last, and is never over the budget', async () => {
    const ada = shared.user()
    await fc.assert(
      fc.asyncProperty(cases, async ([steps, maxTokens]) => {
        const messages = messagesOf(steps)
        const { after, most } = await compacted(ada, messages, maxTokens)
        expect(exactly(after)).toBeLessThanOrEqual(most)
        if (messages.length === 0) return
        checkKept(messages, after)
        checkTools(messages, after)
      }),
      { numRuns },
    )
  })

  test('compacted again is the same, and with more said since has still one message of notes', async () => {
    const ada = shared.user()
    await fc.assert(
      fc.asyncProperty(cases, conversations, async ([steps, maxTokens], more) => {
        const { after, most } = await compacted(ada, messagesOf(steps), maxTokens)
        const again = await ada.compact(after, { session, maxTokens: most })
        expect(again).toEqual(after)
        expect(
          again.filter((message) => !isNotes(message)).every((message, place) => message === after.filter((one) => !isNotes(one))[place]),
        ).toBe(true)
        const longer = [...again, ...messagesOf(more.filter(({ is }) => is !== 'system'))]
        const later = await compacted(ada, longer, most)
        expect(later.after.filter(isNotes).length).toBeLessThanOrEqual(1)
        expect(exactly(later.after)).toBeLessThanOrEqual(later.most)
      }),
      { numRuns },
    )
  })
})
