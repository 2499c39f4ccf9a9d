import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvalidMessage } from '../errors/invalid-message.ts'
import { atOnce } from './slices.ts'
import { maxAheadMs } from './time.ts'
import { maxContentBytes, validating, validMessages } from './validate.ts'

const now = Date.UTC(2026, 5, 1)

function refusal(message: unknown): InvalidMessage {
  try {
    validMessages([{ role: 'user', content: 'fine' }, message], now)
  } catch (error) {
    if (error instanceof InvalidMessage) return error
    throw error
  }
  return expect.unreachable('it was accepted')
}

describe('a message that cannot be stored is refused with its place and its field', () => {
  test.each([
    ['content', { role: 'user', content: '' }],
    ['content', { role: 'user' }],
    ['content', { role: 'user', content: 7 }],
    ['content', { role: 'user', content: 'a\0b' }],
    ['content', { role: 'user', content: '\ud800' }],
    ['content', { role: 'user', content: 'é'.repeat(maxContentBytes / 2 + 1) }],
    ['role', { role: 'robot', content: 'x' }],
    ['role', { content: 'x' }],
    ['origin', { role: 'user', content: 'x', origin: 'me' }],
    ['at', { role: 'user', content: 'x', at: 'yesterday' }],
    ['at', { role: 'user', content: 'x', at: '2026-05-01T10:00' }],
    ['at', { role: 'user', content: 'x', at: Number.NaN }],
    ['at', { role: 'user', content: 'x', at: now + maxAheadMs + 1 }],
    ['at', { role: 'user', content: 'x', at: -8.64e15 }],
    ['id', { role: 'user', content: 'x', id: '' }],
    ['name', { role: 'user', content: 'x', name: 5 }],
    ['metadata', { role: 'user', content: 'x', metadata: { n: Number.NaN } }],
    ['metadata', { role: 'user', content: 'x', metadata: [1] }],
    ['it', 'hello'],
    ['it', null],
    ['it', [1]],
  ])('%s: %j', (field, message) => {
    expect(refusal(message)).toMatchObject({ index: 1, field })
  })

  test('content of exactly the bound is taken', () => {
    expect(validMessages({ role: 'user', content: 'a'.repeat(maxContentBytes) }, now)).toHaveLength(1)
  })
})

describe('an assistant that said nothing is skipped', () => {
  test.each([
    { content: '' },
    { parts: [] },
    { content: [] },
    { content: '', parts: [] },
    { content: [{ type: 'text', text: '' }] },
    { parts: [{ type: 'step-start' }, { type: 'reasoning', text: 'hmm' }, { type: 'text', text: '', state: 'streaming' }] },
    { content: [{ type: 'thinking', thinking: 'hmm' }] },
  ])('%j', (said) => {
    const user = { role: 'user', content: 'And then?' }
    const { messages, skipped } = atOnce(validating([user, { role: 'assistant', ...said }, user], now))
    expect([messages.length, skipped]).toEqual([2, [{ index: 1, reason: 'the assistant said nothing' }]])
    for (const role of ['user', 'tool', 'system']) {
      if (said.content === '' || said.parts?.length === 0 || said.content?.length === 0)
        expect(refusal({ role, ...said }), role).toMatchObject({ index: 1, field: 'content' })
    }
  })

  test.each([
    { content: ' ' },
    { content: [{ type: 'tool-call', toolCallId: '1', toolName: 'hours', input: {} }] },
    {
      parts: [
        { type: 'reasoning', text: 'hmm' },
        { type: 'tool-hours', state: 'input-streaming', input: undefined },
      ],
    },
    { parts: [{ type: 'file', mediaType: 'image/png', url: 'data:' }] },
    { parts: [{ type: 'source-url', url: 'https://example.org' }] },
    { content: '', parts: [{ type: 'text', text: 'At nine.' }] },
  ])('but a word, a tool call or a file is something: %j', (said) => {
    expect(atOnce(validating({ role: 'assistant', ...said }, now))).toMatchObject({ messages: [{ role: 'assistant' }], skipped: [] })
  })
})

test('what is accepted is byte for byte what was given', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (content) => {
      fc.pre(!content.includes('\0') && content.isWellFormed())
      expect(validMessages({ role: 'user', content }, now)[0]?.content).toBe(content)
    }),
  )
})

test.each([
  [new Date(5), 5],
  [7, 7],
  ['2026-05-01', Date.UTC(2026, 4, 1)],
  ['2026-05-01T10:00:00+02:00', Date.UTC(2026, 4, 1, 8)],
  ['2026-05-01T10:00Z', Date.UTC(2026, 4, 1, 10)],
])('reads the time %j', (at, expected) => {
  expect(validMessages({ role: 'user', content: 'x', at }, now)[0]?.saidAt).toBe(expected)
})

test('takes AI SDK messages as they are, and keeps their parts', () => {
  const ui = {
    id: 'u1',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool-weather', state: 'output-available', input: { city: 'Emden' }, output: { wind: 7 } },
    ],
  }
  const model = {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: '1', toolName: 'weather', output: { type: 'json', value: { wind: 7 } } }],
  }
  const [first, second] = validMessages([ui, model], now)
  expect(first).toMatchObject({
    externalId: 'u1',
    content: 'Looking.\n\nweather({"city":"Emden"}): {"wind":7}',
    parts: JSON.stringify(ui.parts),
  })
  expect(second).toMatchObject({ origin: 'tool', content: 'weather: {"wind":7}', parts: JSON.stringify(model.content) })
})

test('an empty id of a UIMessage is none, since the AI SDK gives it to answers', () => {
  const [ui] = validMessages({ id: '', role: 'assistant', parts: [{ type: 'text', text: 'At nine.' }] }, now)
  expect(ui).toMatchObject({ externalId: null, content: 'At nine.' })
})

describe('what is far too large is refused before it is looked through', () => {
  const large = (): { readonly value: object; read(): number } => {
    let read = 0
    const value = {}
    for (let place = 0; place < 50_000; place += 1) {
      Object.defineProperty(value, `key-${place}`, {
        enumerable: true,
        get() {
          read += 1
          return 'x'.repeat(200)
        },
      })
    }
    return { value, read: () => read }
  }

  test('metadata of 50,000 keys', () => {
    const { value, read } = large()
    expect(refusal({ role: 'user', content: 'x', metadata: value })).toMatchObject({
      index: 1,
      field: 'metadata',
      message: expect.stringContaining('is larger than 16384 bytes as JSON'),
    })
    expect(read()).toBeLessThan(100)
  })

  test.each(['content', 'parts'])('a list of parts in %s', (field) => {
    const { value, read } = large()
    const message = { role: 'tool', ...(field === 'parts' ? { content: 'x' } : {}), [field]: [{ type: 'tool-result', output: value }] }
    expect(refusal(message)).toMatchObject({
      index: 1,
      field: 'parts',
      message: expect.stringContaining('is larger than 4194304 bytes as JSON'),
    })
    expect(read()).toBeLessThan(30_000)
  })
})

test('a large batch and parts of a legal size are read in slices', () => {
  const batch = Array.from({ length: 1_000 }, () => ({ role: 'user', content: 'x' }))
  expect([...validating(batch, now)].length).toBeGreaterThan(900)
  const rows = Array.from({ length: 20_000 }, (_, place) => ({ place, name: `row ${place}`, text: 'some words of it' }))
  const parts = [
    { type: 'tool-result', toolName: 'rows', output: rows.slice(0, 10_000) },
    { type: 'text', text: 'x' },
  ]
  expect([...validating({ role: 'tool', content: parts }, now)].length).toBeGreaterThan(10)
  expect(validMessages({ role: 'tool', content: parts }, now)[0]).toMatchObject({
    parts: JSON.stringify(parts),
    content: `rows: ${JSON.stringify(rows.slice(0, 10_000))}\n\nx`,
  })
})
