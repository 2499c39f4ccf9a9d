import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvalidOption, InvalidScope, type MessageInput, type Recalled } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const clock = new ManualClock()
const shared = sharedMemory({ clock })
const day = 86_400_000

function said(content: string, more: Partial<MessageInput> = {}): MessageInput {
  return { role: 'user', content, ...more }
}

function seqs({ hits }: Recalled): (number | undefined)[] {
  return hits.map(({ seq }) => seq)
}

// requirement: P4.1
test('what was said is found, best first, with where, when and by whom it was said', async () => {
  const ada = shared.user()
  await ada.append('talk', [
    said('Good morning!'),
    said('The ferry to the island leaves at nine.', { name: 'Bob', id: 'x', at: clock.now() - day }),
    said('And the bus?'),
  ])
  const { hits, degraded } = await ada.recall('when does the ferry leave')
  expect(degraded).toEqual([])
  expect(hits[0]).toMatchObject({
    kind: 'message',
    externalId: 'x',
    session: 'talk',
    seq: 2,
    role: 'user',
    name: 'Bob',
    at: clock.now() - day,
    text: 'The ferry to the island leaves at nine.',
    neighbours: [],
    lineage: [{ session: 'talk', from: 2, to: 2 }],
  })
})

// requirement: GIST-10
test('an answer is empty when nothing matches: no filler, no latest few', async () => {
  const ada = shared.user()
  await ada.append('talk', [said('The ferry leaves at nine.'), said('So it does.')])
  for (const query of ['quantum chromodynamics', 'xylophone', '', ' ', '???', '渡轮', '🦖', '"', 'ferrari'])
    expect(await ada.recall(query)).toEqual({ hits: [], confidence: 0, degraded: [] })
  expect(await shared.user().recall('ferry')).toEqual({ hits: [], confidence: 0, degraded: [] })
})

test('among more messages than are ranked, the one is found that only its speaker or its day tells', async () => {
  const ada = shared.user()
  const crowd = Array.from({ length: 2_500 }, (_, place) =>
    said(`Stand-up ${place}: all is well.`, { name: place % 2 === 0 ? 'Nando' : 'Marlene', at: '2024-03-01T09:00:00Z' }),
  )
  await ada.append('early', [
    said('Of the stand-up I said that, after all is well and all of us were heard, the soup stays at seven euros.', {
      name: 'Caroline',
      at: '2023-05-08T09:00:00Z',
    }),
  ])
  for (let from = 0; from < crowd.length; from += 500) await ada.append(`talk ${from}`, crowd.slice(from, from + 500))
  for (const question of ['What did Caroline say in the stand-up, all is well?', 'What of the stand-up in May 2023, all is well?']) {
    expect((await ada.recall(question, { limit: 1 })).hits[0]?.name).toBe('Caroline')
  }
})

test('neighbours stand around a hit in the order of their session, and are no hits', async () => {
  const ada = shared.user()
  await ada.append(
    'talk',
    Array.from({ length: 9 }, (_, place) => said(place === 4 ? 'the ferry leaves at nine' : `filler ${place}`)),
  )
  await ada.append('other', [said('not of this talk')])
  const [hit, ...rest] = (await ada.recall('ferry', { neighbours: 2, limit: 1 })).hits
  expect(rest).toEqual([])
  expect(hit?.neighbours.map(({ seq }) => seq)).toEqual([3, 4, 6, 7])
  const all = await ada.recall('ferry', { neighbours: 20, limit: 1 })
  expect(all.hits[0]?.neighbours.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 6, 7, 8, 9])
})

test('session, time and metadata filters let through exactly what they name', async () => {
  const ada = shared.user()
  const at = (days: number) => clock.now() - days * day
  await ada.append('one', [
    said('ferry one', { at: at(3), metadata: { topic: 'boats', n: 1 } }),
    said('ferry two', { at: at(2), metadata: { topic: 'boats', n: 2, ok: true } }),
  ])
  await ada.append('two', [
    said('ferry three', { at: at(1), metadata: { topic: 'BOATS', n: '1', gone: null } }),
    said('ferry four', { at: at(0) }),
  ])
  const found = async (options: Parameters<typeof ada.recall>[1]) =>
    (await ada.recall('ferry', { ...options, limit: 100 })).hits.map(({ text }) => text.slice(6)).toSorted()
  expect(await found({})).toEqual(['four', 'one', 'three', 'two'])
  expect(await found({ session: 'one' })).toEqual(['one', 'two'])
  expect(await found({ excludeSession: 'one' })).toEqual(['four', 'three'])
  expect(await found({ session: 'no such' })).toEqual([])
  expect(await found({ excludeSession: 'no such' })).toHaveLength(4)
  expect(await found({ session: 'one', excludeSession: 'one' })).toEqual([])
  expect(await found({ from: at(2) })).toEqual(['four', 'three', 'two'])
  expect(await found({ to: at(2) })).toEqual(['one', 'two'])
  expect(await found({ from: at(2), to: new Date(at(2)) })).toEqual(['two'])
  expect(await found({ from: at(2) + 1, to: at(1) - 1 })).toEqual([])
  expect(await found({ from: '2026-01-03', to: '2026-01-03' })).toEqual(['two'])
  expect(await found({ from: '2026-01-04T10:00:00+01:00', to: '2026-01-04T09:00:00Z' })).toEqual(['three'])
  expect(await found({ metadata: { topic: 'boats' } })).toEqual(['one', 'two'])
  expect(await found({ metadata: { topic: 'boats', n: 1 } })).toEqual(['one'])
  expect(await found({ metadata: { n: '1' } })).toEqual(['three'])
  expect(await found({ metadata: { ok: true } })).toEqual(['two'])
  expect(await found({ metadata: { gone: null } })).toEqual(['three'])
  expect(await found({ metadata: {} })).toHaveLength(4)
  expect(await found({ metadata: { constructor: 'x' } })).toEqual([])
})

test('a filter looks behind the best hits: the limit counts what passes', async () => {
  const ada = shared.user()
  await ada.append('talk', [
    ...Array.from({ length: 300 }, () => said('ferry ferry ferry')),
    said('a ferry, and much else besides', { metadata: { rare: true } }),
  ])
  const { hits } = await ada.recall('ferry', { limit: 1, metadata: { rare: true } })
  expect(hits.map(({ seq }) => seq)).toEqual([301])
})

test('options out of their range are refused by name', async () => {
  const ada = shared.user()
  const flaws: [string, Record<string, unknown>][] = [
    ['limit', { limit: 0 }],
    ['limit', { limit: 1_001 }],
    ['limit', { limit: 1.5 }],
    ['limit', { limit: '10' }],
    ['limit', { limit: Number.NaN }],
    ['minScore', { minScore: -0.1 }],
    ['minScore', { minScore: 1.1 }],
    ['neighbours', { neighbours: 21 }],
    ['halfLifeDays', { halfLifeDays: 0 }],
    ['from', { from: 'monday' }],
    ['to', { to: Number.NaN }],
    ['metadata.a', { metadata: { a: { $ne: 1 } } }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: null }],
    ['kinds[0]', { kinds: ['rumour'] }],
    ['metadata.a', { metadata: { a: () => 1 } }],
    ['metadata.a', { metadata: { a: undefined } }],
  ]
  for (const [option, flaw] of flaws) {
    const error = await rejection(ada.recall('ferry', flaw))
    expect(error, JSON.stringify(flaw)).toBeInstanceOf(InvalidOption)
    expect((error as InvalidOption).option).toBe(option)
  }
  for (const query of [undefined, null, 7, ['ferry'], { text: 'ferry' }])
    expect(await rejection(ada.recall(query as never))).toMatchObject({ option: 'query' })
  expect(await rejection(ada.recall('ferry', { session: '' }))).toBeInstanceOf(InvalidScope)
})

// requirement: GIST-11
test('minScore cuts the tail, and age halves a score every half-life', async () => {
  const ada = shared.user()
  await ada.append('talk', [
    said('the ferry leaves', { at: clock.now() - 10 * day }),
    said('far away'),
    said('between'),
    said('nothing'),
    said('the ferry leaves'),
  ])
  const all = await ada.recall('ferry leaves')
  const best = all.hits[0]?.score ?? 0
  const cut = await ada.recall('ferry leaves', { minScore: best })
  expect(cut.hits).toEqual(all.hits.filter(({ score }) => score >= best))
  expect(cut.hits.length).toBeLessThan(all.hits.length)
  const aged = await ada.recall('ferry leaves', { halfLifeDays: 10 })
  const score = (recalled: Recalled, seq: number) => recalled.hits.find((hit) => hit.seq === seq)?.score ?? Number.NaN
  expect(score(aged, 1)).toBeCloseTo(score(all, 1) / 2, 9)
  expect(score(aged, 5)).toBeCloseTo(score(all, 5), 9)
  expect(aged.hits[0]?.seq).toBe(5)
})

// requirement: P4.2
test('scores are between 0 and 1, fall from hit to hit, and are the sum of their signals, each told in words', async () => {
  const ada = shared.user()
  const words = ['ferry', 'kiosk', 'pier', 'the', 'Bob', 'nine', 'leaves', 'Fähre']
  const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 10 }).map((chosen) => chosen.join(' '))
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ content: text, name: fc.constantFrom('Bob', 'Ada Ferry'), ago: fc.nat(400) }), { minLength: 1, maxLength: 25 }),
      text,
      fc.option(fc.double({ min: 0.01, max: 500, noNaN: true }), { nil: undefined }),
      async (messages, query, halfLifeDays) => {
        const session = `run ${(run += 1)}`
        await ada.append(
          session,
          messages.map(({ content, name, ago }) => said(content, { name, at: clock.now() - ago * day })),
        )
        const { hits } = await ada.recall(query, { limit: 1_000, session, ...(halfLifeDays === undefined ? {} : { halfLifeDays }) })
        for (const [place, { score, signals }] of hits.entries()) {
          expect(score).toBeGreaterThan(0)
          expect(score).toBeLessThanOrEqual(1)
          expect(score).toBeLessThanOrEqual(hits[place - 1]?.score ?? 1)
          expect(Math.abs(signals.reduce((sum, { value }) => sum + value, 0) - score)).toBeLessThan(1e-9)
          for (const signal of signals) expect(signal.text).toMatch(/\w/)
          expect(new Set(signals.map(({ name }) => name)).size).toBe(signals.length)
        }
        expect(new Set(seqs({ hits, degraded: [] })).size).toBe(hits.length)
      },
    ),
    { numRuns: runs(60) },
  )
})

test('the same store gives the same answer to the last digit after it was opened anew, whatever was done before', async () => {
  const store = newStore()
  const first = await openForTest({ store, clock })
  const ada = first.for('ada')
  const questions = ['ferry', 'what did Bob say about piers', 'nine', 'Fähren am Pier', 'leaving']
  const { messages } = await ada.append(
    'talk',
    Array.from({ length: 60 }, (_, place) =>
      said(`ferry ${place % 7} leaves pier ${place % 5} at nine`, { name: place % 9 === 0 ? 'Bob' : 'Ada' }),
    ),
  )
  const answers = async (handle = ada) => {
    const found: Recalled[] = []
    for (const question of questions) found.push(await handle.recall(question, { limit: 100, neighbours: 1, halfLifeDays: 30 }))
    return found
  }
  await answers()
  await ada.forget({ messages: messages.slice(0, 20).map(({ id }) => id) })
  await answers()
  await ada.forget({ messages: messages.slice(20, 21).map(({ id }) => id) })
  await answers()
  for (const { id } of messages.slice(21, 26)) await ada.replace(id, 'die Fähre fährt vom Pier')
  await ada.append('other', [said('Bob said that the pier is closed')])
  const before = await answers()
  expect(before[0]?.hits.length).toBeGreaterThan(10)
  await first.close()
  const second = await openForTest({ store, clock })
  expect(await answers(second.for('ada'))).toEqual(before)
})

test('irregular forms and words of the same family are found, and which word matched is told', async () => {
  const ada = shared.user()
  await ada.append('market', said('I bought three crates of pears at the market this morning.'))
  await ada.append('hall', said('The photographs of the old harbour hang in the hall now.'))
  await ada.append('garden', said('My children would rather play outside than sleep.'))
  for (const [query, session] of [
    ['buy', 'market'],
    ['photo', 'hall'],
    ['child', 'garden'],
  ] as const) {
    const { hits } = await ada.recall(query)
    expect(hits.map((hit) => hit.session)).toEqual([session])
    expect(hits[0]?.signals).toContainEqual(expect.objectContaining({ name: 'words', text: `matches '${query}'` }))
  }
})
