import { describe, expect, test } from 'vitest'
import type { MessageHit, Recalled, RecallOptions, UserMemory } from '../../packages/varve/src/index.ts'
import { hashedEmbeddingModel, ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const now = Date.UTC(2026, 8, 1, 10)
const day = 86_400_000

/** A message of a session of its own, so many days ago. */
type Said = readonly [daysAgo: number, content: string]

/** Longer than the earlier one, so that its words alone rank it behind. */
const later = 'I live in Bergen now. The house has a red door and a view of the pier and of the old fish market.'

const moved: readonly Said[] = [
  [200, 'I live in Oslo.'],
  [100, later],
  [50, 'The view of the harbour is nice.'],
]

async function talkOf(said: readonly Said[], options: Parameters<typeof openForTest>[0] = {}): Promise<UserMemory> {
  const memory = await openForTest({
    clock: new ManualClock(now),
    embeddingModel: false,
    languageModel: false,
    isolation: 'silent',
    ...options,
  })
  const ada = memory.for({ project: 'kiosk', user: 'ada' })
  await say(ada, said)
  return ada
}

async function say(to: UserMemory, said: readonly Said[]): Promise<void> {
  for (const [daysAgo, content] of said) {
    await to.append(`${daysAgo} days ago`, { role: 'user', content, at: now - daysAgo * day })
    await to.distil(`${daysAgo} days ago`)
  }
}

function texts({ hits }: Recalled): string[] {
  return hits.map(({ text }) => text)
}

async function hitOf(ada: UserMemory, question: string, text: string, options: RecallOptions = {}): Promise<MessageHit> {
  const found = (await ada.recall(question, options)).hits.find((hit) => hit.text === text)
  if (found?.kind !== 'message') throw new RangeError(`"${text}" was not found`)
  return found
}

describe.each([
  ['in memory', {}],
  ['in a file', { store: 'file' }],
  ['with vectors', { embeddingModel: hashedEmbeddingModel() }],
] as const)('%s', (_, options) => {
  const opened = (): Parameters<typeof openForTest>[0] => ('store' in options ? { store: newStore() } : options)

  // requirement: PART-24
  test('a hit of an ended state tells its end, and ranks behind the state that holds', async () => {
    const ada = await talkOf(moved, opened())
    const recalled = await ada.recall('Where do I live?')
    expect(texts(recalled).slice(0, 2)).toEqual([later, 'I live in Oslo.'])
    const [holds, held] = recalled.hits
    expect(holds).not.toHaveProperty('superseded')
    expect(held?.superseded).toEqual({ on: now - 100 * day, by: holds?.id, now: 'Bergen', from: 0, to: 15 })
    for (const { score, signals } of recalled.hits) expect(signals.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 9)
    expect(held?.signals.at(-1)).toMatchObject({ name: 'state', text: 'ended on 24 May 2026' })
    expect(texts(await ada.recall('Where do I live?'))).toEqual(texts(recalled))
  })

  test('a question about the past shows the states in the order of time', async () => {
    const ada = await talkOf(moved, opened())
    for (const question of ['Where did I live?', 'Where did I live before, Bergen or Oslo?', 'What is the history of where I live?']) {
      expect(texts(await ada.recall(question)).slice(0, 2)).toEqual(['I live in Oslo.', later])
    }
  })

  test('forgetting the message that ended a state leaves the state unmarked', async () => {
    const ada = await talkOf(moved, opened())
    const { superseded } = await hitOf(ada, 'Where do I live?', 'I live in Oslo.')
    await ada.forget({ messages: [superseded?.by ?? ''] })
    const recalled = await ada.recall('Where do I live?')
    expect(texts(recalled)).toEqual(['I live in Oslo.'])
    expect(recalled.hits[0]).not.toHaveProperty('superseded')
  })
})

test('a message that tells what holds now is shown though its words do not answer the question', async () => {
  const ada = await talkOf([
    [200, 'I live in Oslo.'],
    [100, 'I moved to Bergen.'],
  ])
  const { hits } = await ada.recall('Where do I live?', { limit: 1, neighbours: 1 })
  expect(hits.map(({ text }) => text)).toEqual(['I moved to Bergen.'])
  expect(hits[0]?.signals).toEqual([{ name: 'state', value: hits[0]?.score, text: 'took the place of what was said on 13 February 2026' }])
  expect(texts(await ada.recall('Where do I live?'))).toEqual(['I moved to Bergen.', 'I live in Oslo.'])
})

test('such a message obeys the filters of the request', async () => {
  const ada = await talkOf([
    [200, 'I live in Oslo.'],
    [100, 'I moved to Bergen.'],
  ])
  const filters: readonly RecallOptions[] = [
    { session: '200 days ago' },
    { excludeSession: '100 days ago' },
    { to: now - 150 * day },
    { metadata: { topic: 'home' } },
  ]
  for (const options of filters) expect(texts(await ada.recall('Where do I live?', options))).not.toContain('I moved to Bergen.')
  expect((await ada.recall('Where do I live?', { kinds: ['fact'] })).hits.map(({ kind }) => kind)).toEqual(['fact'])
  expect(await hitOf(ada, 'Where do I live?', 'I live in Oslo.', { session: '200 days ago' })).toMatchObject({
    superseded: { now: 'Bergen' },
  })
})

test('at most three messages are shown that were not found', async () => {
  const ada = await talkOf([
    [200, 'I live in Oslo. I work at Zolltek. My boss is Gro. I drive a Saab.'],
    [100, 'I moved to Bergen.'],
    [90, 'I switched jobs: I work for the ferry office.'],
    [80, 'Tom is my boss now.'],
    [70, 'I drive a Volvo.'],
  ])
  const { hits } = await ada.recall('Oslo, Zolltek, Gro')
  expect(hits.filter(({ signals }) => signals.every(({ name }) => name === 'state')).length).toBeLessThanOrEqual(3)
})

test('facts of another partition mark nothing', async () => {
  const ada = await talkOf(moved.slice(0, 1))
  const memory = await openForTest({ clock: new ManualClock(now), embeddingModel: false, languageModel: false, isolation: 'silent' })
  for (const user of ['ada', 'ben']) await say(memory.for({ project: 'kiosk', user }), user === 'ada' ? moved.slice(0, 1) : moved)
  const apart = memory.for({ project: 'kiosk', user: 'ada' })
  for (const one of [ada, apart]) expect((await one.recall('Where do I live?')).hits.map((hit) => hit.superseded)).toEqual([undefined])
})

test('a message that only ends a state comes first where nothing holds, and else never', async () => {
  const quit: readonly Said[] = [
    [200, 'I work at Zolltek.'],
    [100, 'Big news: I quit my job at Zolltek, I no longer work there.'],
  ]
  const ada = await talkOf(quit)
  expect(texts(await ada.recall('Where do I work?'))).toEqual([quit[1]?.[1], quit[0]?.[1]])
  expect((await hitOf(ada, 'Where do I work?', 'I work at Zolltek.')).superseded).not.toHaveProperty('now')
  await say(ada, [[20, 'I work at the ferry office.']])
  const recalled = await ada.recall('Where do I work?')
  expect(texts(recalled)).toEqual(['I work at the ferry office.', quit[0]?.[1], quit[1]?.[1]])
  expect(recalled.hits[1]?.superseded).toMatchObject({ on: now - 100 * day, now: 'ferry office' })
})

test('a corrected state says that it was wrong, and a person’s edit is no message', async () => {
  const ada = await talkOf([[200, 'My boss is Gro.']])
  const [fact] = await ada.facts.query({ predicate: 'boss' })
  await ada.facts.correct(fact?.id ?? '', { object: 'Tom' })
  expect((await hitOf(ada, 'Who is my boss?', 'My boss is Gro.')).superseded).toEqual({ on: now, now: 'Tom', wrong: true, from: 0, to: 15 })
})

test('a told end is an end, but a plan whose day has passed is none', async () => {
  const ada = await talkOf([
    [200, 'The parking code is 4711.'],
    [150, 'My flight is in the morning.'],
  ])
  const [code, flight] = [
    await hitOf(ada, 'parking code', 'The parking code is 4711.'),
    await hitOf(ada, 'flight', 'My flight is in the morning.'),
  ]
  const over = { validFrom: now - 200 * day, validUntil: now - 120 * day }
  await ada.facts.add({ subject: 'parking', predicate: 'code', object: '4711', ...over, sources: [{ message: code.id }] })
  await ada.facts.add({ predicate: 'plans to', object: 'fly', ...over, sources: [{ message: flight.id }] })
  expect((await hitOf(ada, 'parking code', code.text)).superseded).toEqual({ on: now - 120 * day, from: 0, to: 25 })
  expect(await hitOf(ada, 'flight', flight.text)).not.toHaveProperty('superseded')
})

test('of several objects beside each other only the ended one is marked', async () => {
  const ada = await talkOf([
    [200, 'I love coffee.'],
    [150, 'I love tea.'],
    [100, "I'm off coffee."],
  ])
  const recalled = await ada.recall('Do I love coffee or tea?')
  expect(recalled.hits.filter((hit) => hit.superseded !== undefined).map(({ text }) => text)).toEqual(['I love coffee.'])
  expect(recalled.hits.find((hit) => hit.superseded !== undefined)?.superseded).not.toHaveProperty('now')
  expect(texts(recalled).indexOf("I'm off coffee.")).toBeLessThan(texts(recalled).indexOf('I love coffee.'))
})

test('a state that came back is not marked', async () => {
  const ada = await talkOf([...moved, [10, 'I live in Oslo now.']])
  const recalled = await ada.recall('Where do I live?')
  expect(texts(recalled)[0]).toBe('I live in Oslo now.')
  expect(recalled.hits.filter((hit) => hit.superseded !== undefined).map(({ text }) => text)).toEqual([later])
})

test('a state of a merged name is ended under any of its names', async () => {
  const ada = await talkOf([
    [200, 'Sandy lives in Oslo.'],
    [100, 'Alexandra lives in Bergen.'],
  ])
  const question = 'Where do Sandy and Alexandra live, in Oslo or Bergen?'
  expect((await ada.recall(question)).hits.map((hit) => hit.superseded)).toEqual([undefined, undefined])
  await ada.facts.merge('Sandy', 'Alexandra')
  expect((await hitOf(ada, question, 'Sandy lives in Oslo.')).superseded).toMatchObject({ now: 'Bergen' })
})

test('a message that tells more than ended states moves only where the question is about them', async () => {
  const both = 'I live in Oslo. I love rowing on the fjord.'
  const ada = await talkOf([
    [200, both],
    [100, 'I live in Bergen, by the fjord.'],
  ])
  expect(texts(await ada.recall('rowing on the fjord'))[0]).toBe(both)
  expect(texts(await ada.recall('Where do I live?'))[0]).toBe('I live in Bergen, by the fjord.')
})

test('without facts, the newest of short statements alike comes first, if they say the same of the question', async () => {
  const ada = await talkOf(
    [
      [200, 'My test command is npm test.'],
      [150, 'My sister has a red boat.'],
      [100, 'My test command is now npm run test:ci.'],
      [90, 'My brother has a red boat.'],
    ],
    { layers: { facts: false } },
  )
  const recalled = await ada.recall('What is my test command?')
  expect(texts(recalled).slice(0, 2)).toEqual(['My test command is now npm run test:ci.', 'My test command is npm test.'])
  for (const { score, signals } of recalled.hits) expect(signals.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 9)
  expect(texts(await ada.recall('What was my test command?'))[0]).toBe('My test command is npm test.')
  expect(texts(await ada.recall('What boat does my sister have?'))[0]).toBe('My sister has a red boat.')
  expect(texts(await ada.recall('Who has a red boat?'))[0]).toBe('My brother has a red boat.')
})

describe('a later message that tells a change, with layers of facts off', () => {
  const question = 'How many eggs do we take for the big cake at the fair?'
  const earlier = 'For the big cake at the fair we take six eggs, how long should the oven heat?'
  const changed = 'Since June the big cake gets by with four eggs instead, which makes it much lighter.'

  async function foundAfter(last: string, asked = question): Promise<readonly string[]> {
    const ada = await talkOf(
      [
        [90, earlier],
        [20, last],
      ],
      { layers: { facts: false } },
    )
    return texts(await ada.recall(asked))
  }

  test('comes before the earlier one', async () => {
    expect(await foundAfter(changed)).toEqual([changed, earlier])
  })

  test.each([
    ['what may be', 'Maybe the big cake gets by with four eggs instead, I would like it lighter.'],
    ['no change', 'The big cake was lovely, all the eggs were from our hens, who were proud.'],
    ['a second thing', 'The small cake now also gets four eggs, of which the guests were very fond.'],
    ['what others say', 'My sister says four eggs are enough now for a cake, and she bakes for a living.'],
  ])('not for %s', async (_, last) => {
    expect(await foundAfter(last)).toEqual([earlier, last])
  })

  test.each([
    ['the past', 'How many eggs did we take for the big cake at the fair?'],
    ['others', 'How many eggs does a big cake take at the fair?'],
  ])('not for a question about %s', async (_, asked) => {
    expect(await foundAfter(changed, asked)).toEqual([earlier, changed])
  })

  test('not for somebody else’s words', async () => {
    const ada = await talkOf([[90, earlier]], { layers: { facts: false } })
    await ada.append('20 days ago', { role: 'assistant', content: changed, at: now - 20 * day })
    expect(texts(await ada.recall(question))).toEqual([earlier, changed])
  })
})

describe('a later message that says all of the asked words again, with layers of facts off', () => {
  const earlier = 'Our garden committee meets in the old boathouse.'
  const later =
    'Could you help with the poster? Put the tide table at the bottom. The garden committee meets in the tram shed, and the ' +
    'paint there is dry at last.'
  const question = 'Where does our garden committee meet?'

  async function foundOf(last: string, asked = question, name?: string): Promise<readonly string[]> {
    const ada = await talkOf([], { layers: { facts: false } })
    for (const [daysAgo, content] of [[90, earlier] as const, [20, last] as const]) {
      const named = name === undefined ? {} : { name }
      await ada.append(`${daysAgo} days ago`, { role: 'user', ...named, content, at: now - daysAgo * day })
    }
    return texts(await ada.recall(asked))
  }

  test('comes before the earlier one, though it says more besides', async () => {
    expect(await foundOf(later)).toEqual([later, earlier])
    expect(await foundOf(later, 'Where does the garden committee meet?')).toEqual([later, earlier])
  })

  test.each([
    ['a question', 'Could the garden committee meet in the tram shed, or is the paint there still too wet for so many coats?'],
    ['a wish', 'Our garden committee would meet in the tram shed, if only the paint there were dry at last in the corners.'],
    ['fewer of the words', 'The committee of the choir meets in the tram shed, and the paint there is dry at last in the corners.'],
  ])('not for %s', async (_, last) => {
    expect(await foundOf(last)).toEqual([earlier, last])
  })

  test('not for a question about all of it, nor for one about others in a talk of people with names', async () => {
    const since = 'Since when does our garden committee meet somewhere?'
    expect(await foundOf(later, since)).toEqual([earlier, later])
    expect(await foundOf(later, 'Where does the garden committee meet?', 'Runa')).toEqual([earlier, later])
  })
})
