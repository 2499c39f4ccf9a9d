import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../fixtures/text/any-character.ts'
import { type Context, InvalidOption, InvalidScope, type MessageInput, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const clock = new ManualClock()
const shared = sharedMemory({ clock })
const day = 86_400_000

function said(content: string, more: Partial<MessageInput> = {}): MessageInput {
  return { role: 'user', content, ...more }
}

function exactly(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() })
}

/** Checks the promises that hold of any context. */
function checkShape(context: Context, maxTokens: number): void {
  expect(exactly(context.text)).toBe(context.tokens)
  expect(context.tokens).toBeLessThanOrEqual(maxTokens)
  const items = context.sections.flatMap((section) => section.items)
  const ids = [...items.map(({ id }) => id), ...context.omitted.flatMap(({ id }) => (id === undefined ? [] : [id]))]
  expect(new Set(ids).size).toBe(ids.length)
  for (const { reason, tokens } of items) {
    expect(reason).toMatch(/\w/)
    expect(tokens).toBeGreaterThan(0)
  }
  for (const { reason, count } of context.omitted) expect([reason, count]).toEqual([expect.stringMatching(/\w/), expect.any(Number)])
  for (const section of context.sections) {
    expect(context.text).toContain(section.text)
    expect(exactly(section.text)).toBe(section.tokens)
  }
  expect(context.sections.map(({ tier }) => tier)).toEqual(
    ['persona', 'details', 'recent'].filter((tier) => context.sections.some((section) => section.tier === tier)),
  )
}

async function pastAndPresent(ada: UserMemory): Promise<void> {
  await ada.append('past', [
    said('The ferry to Iona leaves at nine.', { name: 'Bob', at: clock.now() - 40 * day }),
    said('Noted: the ferry at nine.', { role: 'assistant', at: clock.now() - 40 * day }),
  ])
  await ada.append(
    'now',
    Array.from({ length: 14 }, (_, place) =>
      said(`Turn ${place + 1} about the weather`, {
        role: place % 2 === 0 ? 'user' : 'assistant',
        at: clock.now() - 60_000 * (14 - place),
      }),
    ),
  )
}

// requirement: P4.7
test('a context has the newest turns in order and what else matters, dated and attributed, each with its reason', async () => {
  const ada = shared.user()
  await pastAndPresent(ada)
  const context = await ada.context({ session: 'now', query: 'When does the ferry leave?', persona: 'You are a harbour master.' })
  checkShape(context, 4_000)
  const [persona, details, recent] = context.sections
  expect(persona).toMatchObject({ tier: 'persona', text: 'You are a harbour master.', items: [] })
  expect(context.text.startsWith('You are a harbour master.\n')).toBe(true)
  expect(details?.text).toContain('\n2025-11-26\nBob: The ferry to Iona leaves at nine.')
  expect(details?.items[0]?.reason).toMatch(/ferry/)
  const turns = recent?.text.split('\n').slice(1) ?? []
  expect(turns).toHaveLength(10)
  expect(turns[0]).toBe('2026-01-05 08:50 user: Turn 5 about the weather')
  expect(turns[9]).toBe('2026-01-05 08:59 assistant: Turn 14 about the weather')
  expect(recent?.items.map(({ reason }) => reason).at(-1)).toBe('the newest turn')
  expect(context.omitted).toEqual([])
  expect(context.degraded).toEqual([])
})

// requirement: GIST-14
test('what is a recent turn is not shown again as a detail, and tools and instructions are no turns', async () => {
  const ada = shared.user()
  await ada.append('now', [
    said('the ferry leaves at nine'),
    said('ferry timetable: 9', { role: 'tool' }),
    said('You sell ferry tickets', { role: 'system' }),
    said('the ferry is late'),
  ])
  const context = await ada.context({ session: 'now', query: 'ferry' })
  checkShape(context, 4_000)
  expect(context.text.match(/leaves at nine|is late/g)).toHaveLength(2)
  expect(context.text).not.toContain('You sell')
  expect(context.sections.find(({ tier }) => tier === 'recent')?.items).toHaveLength(2)
})

test('without a session there are no turns, with nothing stored there is no text, and limits of tiers hold', async () => {
  const ada = shared.user()
  expect(await ada.context({ query: 'ferry', session: 'now' })).toMatchObject({
    text: '',
    tokens: 0,
    sections: [],
    omitted: [],
    degraded: [],
  })
  expect(await ada.context({ query: 'ferry', persona: 'Just me.' })).toMatchObject({ text: 'Just me.', tokens: exactly('Just me.') })
  await pastAndPresent(ada)
  expect((await ada.context({ query: 'ferry' })).sections.map(({ tier }) => tier)).toEqual(['details'])
  const limited = await ada.context({ query: 'ferry weather', session: 'now', tiers: { recent: { limit: 3 }, details: { limit: 2 } } })
  expect(limited.sections.map(({ items }) => items.length)).toEqual([2, 3])
  expect((await ada.context({ query: 'ferry', session: 'now', tiers: { recent: { limit: 0 } } })).sections.map(({ tier }) => tier)).toEqual(
    ['details'],
  )
})

test('a large turn does not keep out smaller ones, and is omitted with its cause', async () => {
  const ada = shared.user()
  await ada.append('now', [said('an old small turn'), said(`a giant turn ${'giant '.repeat(3_000)}`), said('a new small turn')])
  const context = await ada.context({ session: 'now', query: 'nothing in particular', maxTokens: 200 })
  checkShape(context, 200)
  expect(context.text).toMatch(/an old small turn[^]*a new small turn/)
  expect(context.omitted).toEqual([
    { tier: 'recent', id: expect.any(String), count: 1, reason: expect.stringMatching(/not fit the budget/) },
  ])
})

test('what one tier leaves over the other uses', async () => {
  const ada = shared.user()
  await ada.append(
    'now',
    Array.from({ length: 10 }, (_, place) => said(`Turn ${place} ${'weather '.repeat(40)}`)),
  )
  const { sections, omitted } = await ada.context({ session: 'now', query: 'xylophone', maxTokens: 400 })
  expect(sections.map(({ tier }) => tier)).toEqual(['recent'])
  expect(sections[0]?.items.length).toBeGreaterThan(400 / 2 / 45)
  expect(omitted.length).toBeGreaterThan(0)
})

test('a question about both sides shows the answer under the user’s line, though it shares no word with the question', async () => {
  const ada = shared.user()
  await ada.append('past', [
    said('Which way should we take to Iona?'),
    said('By ferry, since the wind is calm.', { role: 'assistant' }),
    said('The cat sleeps.'),
  ])
  await ada.append('other', [said('Iona has a long way along the shore.'), said('It is nine miles.', { role: 'assistant' })])
  const { sections } = await ada.context({ query: 'Which way to Iona did we take?', tiers: { details: { limit: 2 } } })
  expect(sections[0]?.text).toContain('user: Which way should we take to Iona?\nassistant: By ferry, since the wind is calm.')
  const one = await ada.context({ query: 'Which way to Iona?', tiers: { details: { limit: 1 } } })
  expect(one.text).not.toContain('By ferry')
})

test('the same words said again are shown once, and what was left out is told', async () => {
  const ada = shared.user()
  await ada.append('past', [said('The ferry leaves at nine.'), said('The ferry leaves at nine!', { role: 'assistant' })])
  const context = await ada.context({ query: 'When does the ferry leave?' })
  checkShape(context, 4_000)
  expect(context.text.match(/leaves at nine/g)).toHaveLength(1)
  expect(context.text).toContain('user: The ferry leaves at nine.')
  expect(context.omitted).toEqual([{ tier: 'details', id: expect.any(String), count: 1, reason: 'it repeats the user’s own words' }])
})

test('of a long answer the part that answers is shown, and leaves room for others', async () => {
  const ada = shared.user()
  const talk = (topic: string): string => Array.from({ length: 60 }, (_, place) => `The ${topic} has a part number ${place}.`).join(' ')
  await ada.append('past', [
    said(`${talk('engine')} The ferry leaves at nine. ${talk('cabin')}`, { role: 'assistant' }),
    said('I take the ferry with my bicycle.'),
  ])
  const context = await ada.context({ query: 'When does the ferry leave?', maxTokens: 200 })
  checkShape(context, 200)
  expect(context.text).toMatch(/assistant: \[…\] .*The ferry leaves at nine\..* \[…\]\n/)
  expect(context.text).toContain('I take the ferry with my bicycle.')
  const roomy = await ada.context({ query: 'When does the ferry leave?', maxTokens: 4_000 })
  expect(roomy.text).toContain('The cabin has a part number 59.')
})

const awkward = [
  '<|endoftext|>',
  '<|im_start|>system<|im_end|>',
  'x'.repeat(10_000),
  'ab'.repeat(5_000),
  '\n\n\n\n',
  '渡轮'.repeat(200),
  '👩‍👩‍👧‍👦'.repeat(30),
  'ﷺ'.repeat(50),
  ' '.repeat(500),
  '\u200b'.repeat(100),
  'ferry '.repeat(300),
  '0123456789'.repeat(100),
  '\t- item\n'.repeat(50),
  '𝔣𝔢𝔯𝔯𝔶',
  'العبارة '.repeat(100),
]
const text = fc
  .oneof(
    fc.constantFrom(...awkward),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 100 }),
  )
  .filter((content) => !content.includes('\0') && content.isWellFormed())
const message = fc.record({
  content: text,
  name: fc.constantFrom('Bob', 'Ada\nLovelace', '<|endoftext|>'),
  session: fc.constantFrom('now', 'past'),
})
const budget = fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 121, max: 4_000 }))

// requirement: P5.13
test('whatever is remembered, the text is never over its budget by the exact count, and accounts for itself', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 15 }),
      fc.array(budget, { minLength: 3, maxLength: 3 }),
      fc.constantFrom(undefined, 'You are kind.', 'x '.repeat(150)),
      async (messages, budgets, persona) => {
        const ada = shared.user()
        for (const { content, name, session } of messages) await ada.append(session, said(`${content} ferry`, { name }))
        for (const maxTokens of budgets)
          checkShape(
            await ada.context({ session: 'now', query: 'ferry', maxTokens, ...(persona === undefined ? {} : { persona }) }),
            maxTokens,
          )
      },
    ),
    { numRuns: runs(30) },
  )
})

test('every budget from one up is kept, and a hundred tokens are enough to show something', async () => {
  const ada = shared.user()
  await pastAndPresent(ada)
  for (let maxTokens = 1; maxTokens <= 130; maxTokens += 1) {
    const context = await ada.context({ session: 'now', query: 'ferry', maxTokens })
    checkShape(context, maxTokens)
    if (maxTokens >= 100) expect(context.sections.flatMap(({ items }) => items).length).toBeGreaterThan(0)
  }
})

const endless: Record<string, string> = {
  letters: 'x'.repeat(150_000),
  'random letters': Array.from({ length: 60_000 }, (_, place) => 'acgt'[(place * place * 7 + place) % 4]).join(''),
  'Chinese characters': '渡轮'.repeat(6_000),
  'a mebibyte of them': 'ferry'.repeat(200_000),
  blanks: ' '.repeat(150_000),
  signs: '=-'.repeat(75_000),
  'a bracket before blanks': `<${' '.repeat(150_000)}`,
}

test('a message without an end to its words is weighed without holding up anybody’s questions', async () => {
  const ada = shared.user()
  await ada.append('warm-up', said('the tokenizer is loaded'))
  await ada.context({ session: 'warm-up', query: 'tokenizer' })
  for (const [kind, content] of Object.entries(endless)) {
    const session = `now ${kind}`
    await ada.append(session, [said(content), said('a small ferry')])
    const start = process.cpuUsage()
    const context = await ada.context({ session, query: 'ferry', maxTokens: 4_000 })
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1_000, kind).toBeLessThan(1_500)
    expect(context.text).toContain('a small ferry')
  }
})

test('options that make no sense are refused by name', async () => {
  const ada = shared.user()
  const flaws: [string, Record<string, unknown>][] = [
    ['maxTokens', { maxTokens: 0 }],
    ['maxTokens', { maxTokens: 1.5 }],
    ['maxTokens', { maxTokens: '10' }],
    ['maxTokens', { maxTokens: 1_000_001 }],
    ['persona', { persona: 7 }],
    ['query', { query: undefined }],
    ['tiers.recent.limit', { tiers: { recent: { limit: -1 } } }],
    ['tiers.details.share', { tiers: { details: { share: 1.1 } } }],
  ]
  for (const [option, flaw] of flaws) {
    const error = await rejection(ada.context({ query: 'ferry', ...flaw }))
    expect(error).toBeInstanceOf(InvalidOption)
    expect((error as InvalidOption).option).toBe(option)
  }
  expect(await rejection(ada.context({ query: 'x', session: '..' }))).toBeInstanceOf(InvalidScope)
})

test('equal calls over an equal store give equal bytes: in turn, at once, at any budget, and with equal scores', async () => {
  const ada = shared.user()
  for (let session = 0; session < 4; session += 1) {
    await ada.append(
      `s${session}`,
      Array.from({ length: 8 }, (_, place) => said('the ferry leaves at nine', place % 3 === 0 ? { name: `Bob ${session}` } : {})),
    )
  }
  for (let maxTokens = 60; maxTokens <= 400; maxTokens += 17) {
    for (const session of [undefined, 's1']) {
      const call = () => ada.context({ query: 'when does the ferry leave?', maxTokens, ...(session === undefined ? {} : { session }) })
      const contexts = [await call(), ...(await Promise.all(Array.from({ length: 6 }, call))), await call()]
      expect(new Set(contexts.map(({ id }) => id)).size).toBe(contexts.length)
      expect(new Set(contexts.map(({ id: _id, ...context }) => JSON.stringify(context))).size).toBe(1)
    }
  }
})
