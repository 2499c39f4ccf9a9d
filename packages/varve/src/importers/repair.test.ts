import { describe, expect, it } from 'vitest'
import { RecordingHandle } from '../../../../test/fixtures/importers/recording-handle.ts'
import type { RawMessage } from './importer.ts'
import { Tally } from './reasons.ts'
import { repaired } from './repair.ts'
import { TrackedSessions } from './sessions.ts'
import { readTime } from './times.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const day = 86_400_000
const target = { key: '', handle: new RecordingHandle() }

function repairing(max?: number) {
  const tally = new Tally()
  const sessions = new TrackedSessions(tally, max)
  const take = (message: Partial<RawMessage>, session = 's') =>
    repaired(sessions.get(session, target), { role: 'user', content: 'x', ...message }, { tally, sessions, now })
  return { tally, sessions, take }
}

describe('times', () => {
  it.each([
    [1_700_000_000_000.4, 1_700_000_000_000, false],
    ['2024-05-01T10:00:00Z', Date.UTC(2024, 4, 1, 10), false],
    ['2024-05-01T10:00:00.123456+02:00', Date.UTC(2024, 4, 1, 8, 0, 0, 123), false],
    ['2024-05-01 10:00+0130', Date.UTC(2024, 4, 1, 8, 30), false],
    ['2024-05-01T10:00:00-07', Date.UTC(2024, 4, 1, 17), false],
    ['2024-05-01T10:00:00', Date.UTC(2024, 4, 1, 10), true],
    ['2024-05-01', Date.UTC(2024, 4, 1), false],
  ])('%s is read', (at, ms, zoneAssumed) => expect(readTime(at)).toEqual({ kind: 'time', ms, zoneAssumed }))

  it.each(['yesterday', '2024-13-01T00:00:00Z', '2024-05-01T25:00:00Z', Number.NaN, Infinity, 9e15, {}, true])('%s is not', (at) => {
    expect(readTime(at)).toEqual({ kind: 'unreadable' })
  })

  it('that are missing or unreadable are those of the message before, or of the session, or now', () => {
    const { take, tally, sessions } = repairing()
    expect(take({})[0]?.at).toBe(now)
    sessions.describe('t', target, { at: '2020-01-01' })
    expect(take({ at: 'soon' }, 't')[0]?.at).toBe(Date.UTC(2020, 0, 1))
    take({ at: 5 }, 't')
    expect(take({ at: null }, 't')[0]?.at).toBe(5)
    expect(tally.repaired).toEqual({ 'time missing': 2, 'time unreadable': 1 })
  })

  it('more than a day ahead are now', () => {
    const { take, tally } = repairing()
    expect(take({ at: now + day })[0]?.at).toBe(now + day)
    expect(take({ at: now + day + 1 })[0]?.at).toBe(now)
    expect(tally.repaired).toEqual({ 'time in the future': 1 })
  })
})

describe('content', () => {
  it('over 1 MiB becomes several messages, numbered behind the id', () => {
    const { take, tally } = repairing()
    const content = 'é'.repeat(1024 * 1024 + 1)
    const pieces = take({ content, id: 'long', name: 'Ada', at: 9 })
    expect(pieces.map(({ id }) => id)).toEqual(['long', 'long#2', 'long#3'])
    expect(pieces.map((piece) => piece.content).join('')).toBe(content)
    expect(pieces.every(({ name, at }) => name === 'Ada' && at === 9)).toBe(true)
    expect(tally.repaired).toEqual({ 'content split': 1 })
  })

  it('that is blank is skipped, also when only NUL was in it', () => {
    const { take, tally } = repairing()
    expect([...take({ content: ' \n' }), ...take({ content: '\0' })]).toEqual([])
    expect(tally.skipped).toEqual({ 'empty content': 2 })
  })
})

describe('metadata', () => {
  it('that the store refuses is left out, the message is not', () => {
    const { take, tally } = repairing()
    expect(take({ metadata: { a: 1, b: null } })[0]?.metadata).toEqual({ a: 1, b: null })
    expect(take({ metadata: { long: 'x'.repeat(20_000) } })[0]).toMatchObject({ content: 'x' })
    expect(take({ metadata: { half: '\uD800' } })[0]?.metadata).toBeUndefined()
    expect(tally.repaired['metadata left out']).toBe(2)
  })
})

describe('sessions over the bound', () => {
  it('are forgotten, and one met again takes no place twice', () => {
    const { take } = repairing(2)
    const order = ['a', 'a', 'b', 'c', 'a', 'a', 'b']
    const ids = order.flatMap((session) => take({ content: 'same' }, session).map(({ id }) => `${session} ${id}`))
    expect(new Set(ids).size).toBe(order.length)
    const again = repairing(2)
    expect(order.flatMap((session) => again.take({ content: 'same' }, session).map(({ id }) => `${session} ${id}`))).toEqual(ids)
  })
})

describe('parts', () => {
  const call = { type: 'tool-call', toolCallId: 't1', toolName: 'Write' }

  it('go with the first piece of a message, as they are', () => {
    const { take, tally } = repairing()
    const parts = [{ ...call, input: { lines: ['a', 1, null, true] } }]
    expect(take({ role: 'assistant', parts })).toMatchObject([{ content: 'x', parts }])
    expect(take({ role: 'assistant', content: 'y'.repeat(1024 * 1024 + 1), parts })).toMatchObject([
      { parts },
      { content: 'y', parts: [{ type: 'text', text: 'y' }] },
    ])
    expect(tally.repaired).toEqual({ 'time missing': 2, 'content split': 1 })
  })

  it('are cleaned in every text and key', () => {
    const { take, tally } = repairing()
    expect(take({ parts: [{ ...call, input: { 'k\0': ['\uD800'] } }] })).toMatchObject([{ parts: [{ ...call, input: { k: ['\uFFFD'] } }] }])
    expect(tally.repaired['parts cleaned']).toBe(1)
  })

  it('that are larger than the store takes keep what was called', () => {
    const { take, tally } = repairing()
    expect(take({ parts: [{ ...call, input: 'x'.repeat(4 * 1024 * 1024) }, 7] })[0]?.parts).toEqual([call, { type: 'part' }])
    expect(tally.repaired['parts shortened']).toBe(1)
  })
})
