import { expect, test } from 'vitest'
import type { Context, Memory, MemoryOptions, UserMemory } from '../../packages/varve/src/index.ts'
import { openingKind } from '../../packages/varve/src/context/opening-question.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { lookAlikes, openings } from '../fixtures/openings/phrases.ts'

const day = 86_400_000

const talks = {
  boat: ['I bought a wooden boat last week and named it Petrel.', 'Congratulations on the boat.', 'I live in Oban.'],
  bread: ['My sourdough never rises because the kitchen is too cold.', 'Try a warmer place.', 'I work as a harbour pilot.'],
  parser: ['We rewrite the parser in Rust because the old one leaks memory.', 'A rewrite makes sense.', 'I decided to use nom.'],
  trip: ['We fly to Lisbon in May and stay near the river.', 'Lovely.', 'My sister Grace comes along.'],
} as const

async function tell(ada: UserMemory, session: string, lines: readonly string[], at: number): Promise<void> {
  const messages = lines.map((content, place) => ({ role: place % 2 === 0 ? ('user' as const) : ('assistant' as const), content, at }))
  await ada.append(session, messages)
}

/** A person with four conversations on four days, each with its gist. */
async function known(options: MemoryOptions = {}): Promise<{ memory: Memory; ada: UserMemory; clock: ManualClock }> {
  const clock = new ManualClock()
  const memory = await openForTest({ clock, ...options })
  const ada = memory.for({ project: 'harbour', user: 'ada' })
  for (const [session, lines] of Object.entries(talks)) {
    await tell(ada, session, lines, clock.now())
    clock.advance(day)
  }
  await memory.upkeep.run({ maxSeconds: 60 })
  return { memory, ada, clock }
}

function opened(context: Context): readonly string[] {
  const gists = context.sections.find(({ tier }) => tier === 'gists')
  return (gists?.items ?? []).filter(({ reason }) => reason.includes('newest other conversation')).map(({ id }) => id)
}

function gistsText(context: Context): string {
  return context.sections.find(({ tier }) => tier === 'gists')?.text ?? ''
}

test('first words that name no matter are told from look-alikes that name one', () => {
  expect(openings.length).toBeGreaterThanOrEqual(60)
  expect(lookAlikes.length).toBeGreaterThanOrEqual(60)
  expect(openings.filter((phrase) => openingKind(phrase) === undefined)).toEqual([])
  expect(lookAlikes.filter((phrase) => openingKind(phrase) !== undefined)).toEqual([])
  expect(openingKind(`hello ${'again '.repeat(100)}`)).toBeUndefined()
})

test('first words open a context with the three newest gists of other sessions, dated, and with what is known of the person', async () => {
  const { ada } = await known()
  for (const query of openings) {
    const context = await ada.context({ session: 'new', query })
    expect(opened(context), query).toHaveLength(3)
    expect(context.sections.map(({ tier }) => tier).slice(0, 2), query).toEqual(['profile', 'gists'])
    expect(context.degraded).toEqual([])
  }
  const context = await ada.context({ session: 'new', query: 'who am I to you?' })
  expect(context.text).toContain('lives in Oban')
  const lines = gistsText(context).split('\n')
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    'Other conversations, in short',
    '2026-01-06 bread',
    '2026-01-07 parser',
    '2026-01-08 trip',
  ])
  expect(context.sections.find(({ tier }) => tier === 'gists')?.items.map(({ reason }) => reason)).toEqual([
    '2 before the newest other conversation',
    '1 before the newest other conversation',
    'the newest other conversation',
  ])
})

test('a question that names a matter and finds something has the same context as before: no gist but those that match', async () => {
  const { ada } = await known()
  for (const query of lookAlikes) {
    const context = await ada.context({ session: 'new', query })
    const found = context.sections.flatMap(({ tier, items }) => (tier === 'details' || tier === 'gists' ? items : []))
    expect(opened(context).length, query).toBe(found.length === opened(context).length ? 3 : 0)
  }
})

test('a conversation that begins with a question about something new is opened, and a running one is not', async () => {
  const { ada, clock } = await known()
  expect(opened(await ada.context({ session: 'new', query: 'continue the list of primes' }))).toHaveLength(3)
  await tell(ada, 'new', ['What are primes?', 'Numbers with two divisors.'], clock.now())
  for (const query of ['continue the list of primes', 'yes, please', 'ok thanks', 'go on', 'I know', '']) {
    expect(opened(await ada.context({ session: 'new', query })), query).toEqual([])
    expect(opened(await ada.context({ excludeSession: 'new', query })), query).toEqual([])
  }
  for (const query of ['where were we last time?', 'who am I to you?'])
    expect(opened(await ada.context({ session: 'new', query })), query).toHaveLength(3)
})

test('the new message may be stored before its context is asked for', async () => {
  const { ada } = await known()
  await ada.append('new', [{ role: 'user', content: 'hello again' }])
  const context = await ada.context({ session: 'new', query: 'hello again' })
  expect(opened(context)).toHaveLength(3)
  expect(gistsText(context)).not.toContain('new')
})

test('a conversation without a gist is told by its newest turns, and the running one not at all', async () => {
  const { ada, clock } = await known()
  await tell(ada, 'fence', ['Old words.', 'Older.', `The fence is broken. ${'More words. '.repeat(60)}`, 'Mend it with oak.'], clock.now())
  for (const where of [{ session: 'trip' }, { excludeSession: 'trip' }]) {
    const context = await ada.context({ ...where, query: 'where were we?' })
    const gists = gistsText(context)
    expect(gists).toMatch(
      /2026-01-09 fence, its newest turns:\n {2}user: The fence is broken\. .* \[…\]\n {2}assistant: Mend it with oak\./,
    )
    expect(gists).not.toMatch(/Old words|Older|Lisbon/)
    expect(gists.match(/^2026/gm)).toHaveLength(3)
    expect(context.sections.flatMap(({ items }) => items.map(({ reason }) => reason))).toContain(
      'the newest other conversation, which has no gist yet',
    )
    const ids = context.sections.flatMap(({ items }) => items.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  }
  // A question that nothing answers gets gists, and no single message.
  expect(gistsText(await ada.context({ session: 'new', query: 'continue the list of primes' }))).not.toContain('fence')
})

test('what Varve itself had put into a turn, and instructions to a model, are no newest turns', async () => {
  const { ada } = await known()
  const shown = await ada.context({ session: 'fence', query: 'Lisbon' })
  await ada.append('fence', [
    { role: 'system', content: 'You sell fences.' },
    { role: 'user', content: 'The fence is broken.' },
    { role: 'assistant', content: shown.text },
  ])
  const gists = gistsText(await ada.context({ session: 'new', query: 'where were we?' }))
  expect(gists).toContain('The fence is broken.')
  expect(gists).not.toMatch(/You sell|Remembered talk/)
})

test('nobody’s context is opened with another’s conversation, and a forgotten one is gone', async () => {
  const { memory, ada, clock } = await known()
  const bob = memory.for({ project: 'harbour', user: 'bob' })
  const elsewhere = memory.for({ project: 'elsewhere', user: 'ada' })
  for (const query of openings)
    for (const other of [bob, elsewhere, memory.for({ project: 'harbour' })]) expect((await other.context({ query })).text, query).toBe('')
  await tell(bob, 'bobs', ['My violin is in the shop.'], clock.now())
  const context = await bob.context({ query: 'hello again' })
  expect(gistsText(context)).toContain('violin')
  expect(context.text).not.toMatch(/Petrel|Oban|nom|Lisbon/)
  await ada.forget({ session: 'trip' })
  const gists = gistsText(await ada.context({ query: 'hello again' }))
  expect(gists).not.toMatch(/trip|Lisbon/)
  expect(gists).toContain('boat')
})

test('recall of first words finds no more than before, and a tier without items stays out', async () => {
  const { ada } = await known()
  for (const query of ['', '?', 'Can you help me?', 'Wer bin ich für dich?', '你好'])
    expect((await ada.recall(query)).hits, query).toEqual([])
  expect(gistsText(await ada.context({ query: 'hello', tiers: { gists: { limit: 0 } } }))).toBe('')
  expect(gistsText(await ada.context({ query: 'hello', tiers: { gists: { limit: 1 } } })).match(/^2026/gm)).toHaveLength(1)
})

test('an opened context keeps any budget', async () => {
  const { ada } = await known({ layers: { bank: true } })
  for (const maxTokens of [1, 20, 60, 100, 200, 400, 1_000])
    for (const query of ['hello again', 'who am I?', '']) {
      const context = await ada.context({ query, maxTokens })
      expect(context.tokens).toBeLessThanOrEqual(maxTokens)
      if (maxTokens >= 400) expect(opened(context).length, String(maxTokens)).toBeGreaterThan(0)
    }
})
