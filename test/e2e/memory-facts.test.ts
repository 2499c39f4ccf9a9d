import { describe, expect, test } from 'vitest'
import { InvalidOption, type Memory, NotFound, type UserMemory } from '../../packages/varve/src/index.ts'
import { hashedEmbeddingModel, ManualClock } from '../../packages/varve/src/testing/index.ts'
import { day } from '../fixtures/distil/talk.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'

interface Given {
  readonly memory: Memory
  readonly clock: ManualClock
  readonly ada: UserMemory
}

async function given(options: Parameters<typeof openForTest>[0] = {}): Promise<Given> {
  const clock = new ManualClock(Date.UTC(2026, 5, 1))
  const memory = await openForTest({ clock, languageModel: false, isolation: 'silent', ...options })
  return { memory, clock, ada: memory.for('ada') }
}

const objects = (facts: readonly { readonly object: string }[]): string[] => facts.map(({ object }) => object)

describe('facts by hand', () => {
  test('hold from now on, are the user’s where no subject is named, and come last said first', async () => {
    const { ada, clock } = await given()
    const oslo = await ada.facts.add({ predicate: 'lives in', object: 'Oslo' })
    expect(oslo).toMatchObject({
      subject: 'ada',
      predicate: 'lives in',
      object: 'Oslo',
      validFrom: clock.now(),
      recordedAt: clock.now(),
      confidence: 1,
      sources: [],
      writer: 'person',
      dependsOn: [],
      doubtful: false,
    })
    expect(oslo.validUntil).toBeUndefined()
    clock.advance(day)
    await ada.facts.add({ subject: 'Bo', predicate: 'lives_in', object: 'Bergen' })
    await ada.facts.add({ predicate: 'likes', object: 'rain' })
    expect(objects(await ada.facts.list())).toEqual(['rain', 'Bergen', 'Oslo'])
    for (const subject of ['I', 'me', 'user', 'ADA', ' ada '])
      expect(objects(await ada.facts.query({ subject, predicate: 'resides in' }))).toEqual(['Oslo'])
    expect(objects(await ada.facts.query({ object: 'bergen' }))).toEqual(['Bergen'])
    expect(objects(await ada.facts.query({ predicate: 'lives in', limit: 1 }))).toEqual(['Bergen'])
    expect(await ada.facts.query({ subject: 'Cleo' })).toEqual([])
    expect(await ada.facts.query({ predicate: 'lives in', validAt: '2026-05-01' })).toEqual([])
  })

  // requirement: PART-7, PART-8
  test('one at a time: a later begin closes an earlier one, whichever was said first; several stand beside each other', async () => {
    const { ada, clock } = await given()
    await ada.facts.add({ predicate: 'works at', object: 'Acme', validFrom: '2024-01-01' })
    clock.advance(day)
    const before = await ada.facts.add({ predicate: 'works at', object: 'Birch', validFrom: '2020-01-01' })
    expect(before).toMatchObject({ validFrom: Date.UTC(2020, 0, 1), validUntil: Date.UTC(2024, 0, 1) })
    expect(objects(await ada.facts.query({ predicate: 'works at' }))).toEqual(['Acme'])
    expect(objects(await ada.facts.query({ predicate: 'works at', validAt: '2022-06-01' }))).toEqual(['Birch'])
    expect(await ada.facts.query({ predicate: 'works at', validAt: '2022-06-01', asOf: '2026-06-01' })).toEqual([])
    for (const object of ['tea', 'rain', 'tea']) await ada.facts.add({ predicate: 'likes', object })
    expect(objects(await ada.facts.query({ predicate: 'likes' })).toSorted()).toEqual(['rain', 'tea'])
    const [acme] = await ada.facts.query({ predicate: 'works at' })
    const history = await ada.facts.history(acme?.id ?? '')
    expect(history.map(({ object, supersededBy }) => [object, supersededBy])).toEqual([
      ['Birch', acme?.id],
      ['Acme', undefined],
    ])
  })

  test('a new name takes the place of the old one, which stays what the user was called', async () => {
    const { ada, clock } = await given()
    await ada.facts.add({ predicate: 'name', object: 'Marek' })
    clock.advance(day)
    const max = await ada.facts.add({ predicate: 'name', object: 'Max' })
    expect((await ada.facts.history(max.id)).map(({ object, supersededBy }) => [object, supersededBy])).toEqual([
      ['Marek', max.id],
      ['Max', undefined],
    ])
    await ada.facts.add({ subject: 'Bo', predicate: 'trusts', object: 'Marek' })
    expect(objects(await ada.facts.query({ subject: 'Marek', predicate: 'name' }))).toEqual(['Max'])
    expect((await ada.facts.around('Max', { hops: 1 })).map(({ subject }) => subject).toSorted()).toEqual(['Bo', 'ada'])
  })

  test('who marries has no other partner, and who finds another is married no more; a mum is a mother', async () => {
    const { ada, clock } = await given()
    const now = async (): Promise<string[]> =>
      (await ada.facts.query({ subject: 'I' })).map(({ predicate, object }) => `${predicate} ${object}`).toSorted()
    for (const [predicate, object, then] of [
      ['girlfriend', 'Ina', ['girlfriend Ina']],
      ['wife', 'Ola', ['wife Ola']],
      ['partner', 'Ola', ['partner Ola', 'wife Ola']],
      ['boyfriend', 'Per', ['boyfriend Per']],
    ] as const) {
      clock.advance(day)
      await ada.facts.add({ predicate, object })
      expect(await now()).toEqual(then)
    }
    await ada.facts.add({ predicate: 'mum', object: 'Eva' })
    expect(objects(await ada.facts.query({ predicate: 'mother' }))).toEqual(['Eva'])
  })

  test('what was liked by mistake does not end a dislike', async () => {
    const { ada, clock } = await given()
    await ada.facts.add({ predicate: 'dislikes', object: 'tea' })
    clock.advance(day)
    const liked = await ada.facts.add({ predicate: 'likes', object: 'tea' })
    expect(objects(await ada.facts.query({ predicate: 'dislikes' }))).toEqual([])
    await ada.facts.correct(liked.id, { object: 'coffee' })
    expect(objects(await ada.facts.query({ predicate: 'dislikes' }))).toEqual(['tea'])
  })

  test('are found by any way to say their predicate', async () => {
    const { ada } = await given()
    await ada.facts.add({ predicate: 'married to', object: 'Ola' })
    await ada.facts.add({ predicate: 'works at', object: 'Acme' })
    for (const [question, found] of [
      ['what is my husband called?', 'Ola'],
      ['who is my employer?', 'Acme'],
      ['which company?', 'Acme'],
    ] as const) {
      expect((await ada.facts.recall(question)).hits.map(({ fact }) => fact.object)).toEqual([found])
    }
  })

  // requirement: PART-8
  test('a project says which predicates have one object at a time', async () => {
    const { ada, memory, clock } = await given()
    await ada.facts.add({ predicate: 'drinks', object: 'tea' })
    clock.advance(day)
    await ada.facts.add({ predicate: 'drinks', object: 'coffee' })
    expect(objects(await ada.facts.query({ predicate: 'drinks' }))).toHaveLength(2)
    expect((await ada.profile()).subjects[0]?.facts).toHaveLength(2)
    await memory.project('default').settings.set({ predicates: { drinks: 'single', 'lives in': 'multi' } })
    expect(objects(await ada.facts.query({ predicate: 'drinks' }))).toEqual(['coffee'])
    expect((await ada.profile()).subjects[0]?.facts.map(({ object }) => object)).toEqual(['coffee'])
    for (const object of ['Oslo', 'Rome']) await ada.facts.add({ predicate: 'lives in', object })
    expect(objects(await ada.facts.query({ predicate: 'lives in' }))).toHaveLength(2)
    for (const predicates of ['{"drinks":"twice"}', '[]', '{"":"single"}', '5']) {
      expect(await rejection(memory.project('default').settings.set({ predicates: JSON.parse(predicates) }))).toBeInstanceOf(InvalidOption)
    }
  })

  // requirement: PART-15
  test('a correction takes the place and the start of what it corrects; a retraction leaves it in the history alone', async () => {
    const { ada, clock } = await given()
    const wrong = await ada.facts.add({ predicate: 'birthday', object: '4 May', validFrom: '2026-01-01' })
    clock.advance(day)
    const right = await ada.facts.correct(wrong.id, { object: '5 May' })
    expect(right).toMatchObject({ object: '5 May', validFrom: Date.UTC(2026, 0, 1), recordedAt: clock.now() })
    expect(objects(await ada.facts.query({ predicate: 'birthday', validAt: '2026-03-01' }))).toEqual(['5 May'])
    expect(objects(await ada.facts.query({ predicate: 'birthday', validAt: '2026-03-01', asOf: clock.now() - 1 }))).toEqual(['4 May'])
    const birthdays = await ada.facts.history({ subject: 'I', predicate: 'birthday' })
    expect(birthdays.map(({ object, supersededAt }) => [object, supersededAt]).toSorted()).toEqual([
      ['4 May', clock.now()],
      ['5 May', undefined],
    ])
    const dog = await ada.facts.add({ predicate: 'has', object: 'dog' })
    clock.advance(day)
    expect((await ada.facts.retract(dog.id)).supersededAt).toBe(clock.now())
    expect(await ada.facts.query({ predicate: 'has' })).toEqual([])
    expect(await ada.facts.history({ subject: 'I', predicate: 'has' })).toMatchObject([
      { object: 'dog', retracted: true, supersededAt: clock.now() },
    ])
    const boat = await ada.facts.add({ predicate: 'has', object: 'boat', validFrom: '2026-02-01' })
    expect(await ada.facts.retract(boat.id, { validUntil: '2026-04-01' })).toMatchObject({ validUntil: Date.UTC(2026, 3, 1) })
    expect(objects(await ada.facts.query({ predicate: 'has', validAt: '2026-03-01' }))).toEqual(['boat'])
    expect(await ada.facts.query({ predicate: 'has' })).toEqual([])
  })

  test('a plan that is said again with another day is over on that one', async () => {
    const { ada, clock } = await given()
    await ada.facts.add({ predicate: 'plans to', object: 'sail to Gozo', validUntil: '2026-07-01' })
    clock.advance(day)
    await ada.facts.add({ predicate: 'plans to', object: 'sail to Gozo', validUntil: '2026-06-10' })
    expect(objects(await ada.facts.query({ predicate: 'plans to' }))).toEqual(['sail to Gozo'])
    expect(await ada.facts.query({ predicate: 'plans to', validAt: '2026-06-15' })).toEqual([])
    expect(objects(await ada.facts.query({ predicate: 'plans to', validAt: '2026-06-15', asOf: clock.now() - 1 }))).toEqual([
      'sail to Gozo',
    ])
  })

  // requirement: P4.4
  test('rest on what a message says, in words as they stand there, of a person', async () => {
    const { ada } = await given()
    const {
      messages: [said, answered],
    } = await ada.append('talk', [
      { role: 'user', content: 'The spare key hangs in the bait shop.' },
      { role: 'assistant', content: 'The key is in the bait shop.' },
    ])
    const fact = await ada.facts.add({
      subject: 'spare key',
      predicate: 'is kept',
      object: 'bait shop',
      sources: [{ message: said?.id ?? '', text: 'hangs in the bait shop' }],
    })
    expect(fact.sources).toEqual([
      { session: 'talk', message: said?.id, seq: 1, from: 14, to: 36, text: 'hangs in the bait shop', at: expect.any(Number) },
    ])
    const refused = async (source: object): Promise<unknown> =>
      rejection(ada.facts.add({ predicate: 'has', object: 'key', sources: [JSON.parse(JSON.stringify(source))] }))
    for (const source of [
      { message: said?.id, text: 'under the pot' },
      { message: answered?.id },
      { message: said?.id, from: 30, to: 300 },
      { message: said?.id, from: 5, to: 5 },
      { message: said?.id, text: '' },
      { text: 'key' },
      {},
    ]) {
      expect(await refused(source), JSON.stringify(source)).toBeInstanceOf(InvalidOption)
    }
    expect(await refused({ message: 'nobody' })).toBeInstanceOf(NotFound)
    expect(objects(await ada.facts.list())).toEqual(['bait shop'])
  })
})

describe('what rests on other facts', () => {
  // requirement: PART-12
  test('is doubtful when its ground ends, is taken back, or doubtful itself, and stands again when that does', async () => {
    const { ada, clock } = await given()
    const job = await ada.facts.add({ predicate: 'works at', object: 'Acme' })
    const lot = await ada.facts.add({ predicate: 'parks at', object: 'lot B', dependsOn: [job.id] })
    await ada.facts.add({ predicate: 'has', object: 'gate card', dependsOn: [lot.id] })
    const doubtful = async (): Promise<string[]> =>
      (await ada.facts.list())
        .filter((fact) => fact.doubtful)
        .map(({ object }) => object)
        .toSorted()
    const told = async (): Promise<string> => (await ada.context({ query: 'car', maxTokens: 500 })).text
    expect(await doubtful()).toEqual([])
    expect(await told()).toContain('gate card')
    clock.advance(day)
    await ada.facts.add({ predicate: 'works at', object: 'Birch' })
    expect(await doubtful()).toEqual(['gate card', 'lot B'])
    expect(await told()).not.toMatch(/gate card|lot B|Acme/)
    expect((await ada.facts.recall('gate card')).hits[0]?.signals.map(({ name }) => name)).toContain('doubt')
    clock.advance(day)
    await ada.facts.add({ predicate: 'works at', object: 'Acme' })
    expect(await doubtful()).toEqual([])
    expect(await told()).toContain('gate card')
  })

  test('in a circle stands until something else in it falls', async () => {
    const { ada } = await given()
    const one = await ada.facts.add({ predicate: 'has', object: 'boat' })
    const two = await ada.facts.add({ predicate: 'rents', object: 'mooring', dependsOn: [one.id] })
    await ada.facts.add({ predicate: 'pays', object: 'harbour dues', dependsOn: [two.id, one.id] })
    expect((await ada.facts.list()).some(({ doubtful }) => doubtful)).toBe(false)
    await ada.facts.retract(one.id)
    expect((await ada.facts.list()).every(({ doubtful }) => doubtful)).toBe(true)
    expect(
      await rejection(ada.facts.add({ predicate: 'has', object: 'oar', dependsOn: ['0198c0de-0000-7000-8000-000000000000'] })),
    ).toBeInstanceOf(NotFound)
  })
})

describe('names', () => {
  // requirement: PART-16
  test('that are merged are one, in what was said before too; the user’s own name is the user', async () => {
    const { ada } = await given()
    await ada.facts.add({ subject: 'Sandy', predicate: 'likes', object: 'fish' })
    await ada.facts.add({ subject: 'Alexandra Wind', predicate: 'likes', object: 'rain' })
    await ada.facts.add({ subject: 'Bo', predicate: 'knows', object: 'Sandy' })
    await ada.facts.merge('Sandy', 'Alexandra Wind')
    expect(objects(await ada.facts.query({ subject: 'sandy' })).toSorted()).toEqual(['fish', 'rain'])
    expect((await ada.facts.query({ subject: 'Alexandra Wind' })).map(({ subject }) => subject)).toEqual([
      'Alexandra Wind',
      'Alexandra Wind',
    ])
    expect(objects(await ada.facts.around('Bo', { hops: 2 })).toSorted()).toEqual(['Sandy', 'fish', 'rain'])
    await ada.facts.add({ predicate: 'name', object: 'Ada Lindqvist' })
    await ada.facts.add({ subject: 'Ada Lindqvist', predicate: 'likes', object: 'tea' })
    expect(objects(await ada.facts.query({ subject: 'I', predicate: 'likes' }))).toEqual(['tea'])
    await ada.facts.merge('Addie', 'I')
    await ada.facts.add({ subject: 'Addie', predicate: 'likes', object: 'toast' })
    expect((await ada.facts.query({ subject: 'ada', predicate: 'likes' })).map(({ subject, object }) => `${subject} ${object}`)).toEqual([
      'ada toast',
      'ada tea',
    ])
    for (const [name, into, option] of [
      ['I', 'Bo', 'entity'],
      ['ada', 'Bo', 'entity'],
      ['Bo', 'Bo', 'entity'],
      ['', 'Bo', 'entity'],
      ['Bo', '', 'into'],
    ] as const)
      await expect(ada.facts.merge(name, into)).rejects.toMatchObject({ code: 'OPTION_INVALID', option })
    await expect(ada.facts.around('')).rejects.toMatchObject({ code: 'OPTION_INVALID', option: 'entity' })
  })

  // requirement: PART-17
  test('lead from one fact to the next, as far as is asked', async () => {
    const { ada } = await given()
    for (const [subject, predicate, object] of [
      ['I', 'brother', 'Bo'],
      ['Bo', 'works at', 'Acme'],
      ['Cleo', 'works at', 'Acme'],
      ['Cleo', 'has', 'parrot'],
    ] as const)
      await ada.facts.add({ subject, predicate, object })
    const steps = async (hops: number): Promise<string[]> =>
      (await ada.facts.around('I', { hops })).map((fact) => `${fact.hops} ${fact.object}`)
    expect(await steps(1)).toEqual(['1 Bo'])
    expect(await steps(2)).toEqual(['1 Bo', '2 Acme'])
    expect(await steps(4)).toEqual(['1 Bo', '2 Acme', '3 Acme', '4 parrot'])
    expect(await ada.facts.around('nobody')).toEqual([])
    expect(await rejection(ada.facts.around('I', { hops: 9 }))).toBeInstanceOf(InvalidOption)
  })
})

test('facts are found by words and by meaning, the surer first, at other times too; signals add up to scores', async () => {
  const { ada, memory, clock } = await given({ embeddingModel: hashedEmbeddingModel({ synonyms: [['torches', 'flashlights']] }) })
  await ada.append('talk', { role: 'user', content: 'Nothing to do with it.' })
  await ada.facts.add({ subject: 'Nordlicht', predicate: 'rents', object: 'torches', confidence: 0.4 })
  await ada.facts.add({ subject: 'Harbour shop', predicate: 'rents', object: 'torches' })
  clock.advance(day)
  await memory.upkeep.run()
  const { hits } = await ada.facts.recall('who rents flashlights?')
  expect(hits.map(({ fact }) => fact.subject)).toEqual(['Harbour shop', 'Nordlicht'])
  expect(hits[0]?.signals.map(({ name }) => name)).toContain('meaning')
  for (const { score, signals } of hits) expect(signals.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 6)
  expect((await ada.facts.recall('torches', { validAt: '2020-01-01' })).hits).toEqual([])
  expect((await ada.facts.recall('torches', { asOf: '2020-01-01' })).hits).toEqual([])
  expect((await ada.recall('torches', { kinds: ['fact'] })).hits).toMatchObject([
    { kind: 'fact', text: 'Harbour shop rents torches' },
    { kind: 'fact' },
  ])
  expect((await ada.recall('torches')).hits.every(({ kind }) => kind === 'message')).toBe(true)
})

test('words that are in every question find no fact by themselves', async () => {
  const { ada } = await given({ embeddingModel: false })
  await ada.append('talk', { role: 'user', content: 'What a day it was, all of it spent with friends and family.' })
  for (const [predicate, object] of [
    ['allergic to', 'penicillin'],
    ['plans to', 'move to Kiel'],
    ['decided to', 'use what is there'],
    ['mother', 'Ingrid'],
    ['boss', 'Tom'],
    ['likes', 'jazz'],
    ['speaks', 'Italian'],
    ['drives', 'a Skoda'],
    ['has pet', 'Rex'],
    ['diet', 'vegan'],
  ] as const) {
    await ada.facts.add({ predicate, object })
  }
  const found = async (question: string) => objects((await ada.facts.recall(question)).hits.map(({ fact }) => fact))
  expect(await found('what am I allergic to?')).toEqual(['penicillin'])
  expect(await found('who is my husband?')).toEqual([])
  expect(await found('what is there to paint?')).toEqual([])
  expect(await found('who is my boss?')).toEqual(['Tom'])
})

test('the standing profile: the user first, then of whom most was said; most said first, dated, within its share', async () => {
  const { ada, clock } = await given()
  await ada.append('talk', { role: 'user', content: 'Hello.' })
  await ada.blocks.set('rules', 'Be brief.')
  await ada.blocks.set('todo', 'Buy rope.', { session: 'talk' })
  for (const object of ['pears', 'figs', 'figs']) await ada.facts.add({ subject: 'Bo', predicate: 'likes', object })
  await ada.facts.add({ predicate: 'lives in', object: 'Oslo', validFrom: '2026-05-01' })
  clock.advance(day)
  const { user, counts, sessions, subjects, lastSeen } = await ada.profile()
  expect({ user, counts }).toMatchObject({
    user: 'ada',
    counts: { messages: 1, sessions: 1, gists: 0, entries: 0, blocks: 2, facts: 3, instructions: 0, documents: 0, notes: 0 },
  })
  expect(sessions.map(({ id }) => id)).toEqual(['talk'])
  expect(lastSeen).toBe(clock.now() - day)
  expect(subjects.map(({ subject, facts }) => [subject, ...objects(facts)])).toEqual([
    ['ada', 'Oslo'],
    ['Bo', 'figs', 'pears'],
  ])
  const context = await ada.context({ query: 'What do you know about me?', maxTokens: 400 })
  expect(context.sections.find(({ tier }) => tier === 'profile')?.text).toBe(
    'What is known, as it was said:\nAbout ada:\n- lives in Oslo (since 2026-05-01)\nAbout Bo:\n- likes figs (since ' +
      '2026-06-01)\n- likes pears (since 2026-06-01)',
  )
  expect(context.sections.find(({ tier }) => tier === 'profile')?.items.map(({ reason }) => reason)).toEqual([
    'known of ada, added by hand',
    'known of Bo, added by hand',
    'known of Bo, added by hand',
  ])
  expect(
    (await ada.context({ query: 'me', tiers: { profile: { limit: 1 } } })).sections.find(({ tier }) => tier === 'profile')?.items,
  ).toHaveLength(1)
  expect((await ada.context({ query: 'me', tiers: { profile: { limit: 0 } } })).sections.map(({ tier }) => tier)).not.toContain('profile')
  clock.advance(day)
  await ada.facts.add({ predicate: 'lives in', object: 'Rome' })
  expect((await ada.context({ query: 'me' })).text).toMatch(/Rome/)
  expect((await ada.context({ query: 'me' })).text).not.toMatch(/Oslo/)
})

test.each([200, 300, 500, 1_000])(
  'a context of %d tokens holds the fact that answers the question, first of all that is known',
  async (maxTokens) => {
    const { ada, clock } = await given({ embeddingModel: false })
    await ada.append(
      'talk',
      Array.from({ length: 40 }, (_, place) => ({
        role: 'user' as const,
        content: `My cousin asked what to be allergic to number ${place}, and what I am cooking for the ${place} guests on Sunday.`,
      })),
    )
    const known = [
      ['allergic to', 'penicillin'],
      ['keeps the spare key', 'behind the barometer'],
      ['doctor', 'Dr Okafor'],
      ...Array.from({ length: 37 }, (_, place) => ['visited', `the lighthouse of island ${place}`]),
    ] as const
    for (const [predicate, object] of known) {
      for (let times = predicate === 'visited' ? 2 : 1; times > 0; times -= 1)
        await ada.facts.add({ predicate: predicate ?? '', object: object ?? '' })
      clock.advance(1_000)
    }
    for (const [query, line] of [
      ['What am I allergic to?', '- allergic to penicillin'],
      ['Where is the spare key?', '- keeps the spare key behind the barometer'],
      ['Who is my doctor?', '- doctor Dr Okafor'],
    ] as const) {
      const { sections, tokens } = await ada.context({ query, maxTokens, session: 'talk' })
      const profile = sections.find(({ tier }) => tier === 'profile')
      expect(profile?.text.split('\n').slice(0, 3), query).toEqual([
        'What is known, as it was said:',
        'About ada:',
        expect.stringContaining(line),
      ])
      expect(profile?.items[0]?.reason).toMatch(/^matches '/)
      expect(tokens).toBeLessThanOrEqual(maxTokens)
    }
  },
)

test('a fact that is too seldom said to be always shown is shown where it is asked for; a doubtful one is not', async () => {
  const { ada } = await given({ embeddingModel: false })
  const ground = await ada.facts.add({ predicate: 'works at', object: 'Acme' })
  await ada.facts.add({ subject: 'Bo', predicate: 'parks at', object: 'the north gate' })
  await ada.facts.add({ predicate: 'has', object: 'a gate card', dependsOn: [ground.id] })
  await ada.facts.retract(ground.id)
  for (let place = 0; place < 220; place += 1)
    for (const _ of ['said', 'again']) await ada.facts.add({ predicate: 'visited', object: `island ${place}` })
  const profileOf = async (query: string) =>
    (await ada.context({ query, maxTokens: 300 })).sections.find(({ tier }) => tier === 'profile')?.text
  expect((await ada.profile()).subjects.map(({ subject }) => subject)).toEqual(['ada'])
  expect(await profileOf('Where does Bo park?')).toMatch(/\nAbout Bo:\n- parks at the north gate \(since 2026-06-01\)$/)
  expect(await profileOf('Where is the gate card?')).not.toContain('gate card')
})

test('where there is little room, what was said comes before facts that were not asked for, and before gists', async () => {
  const { ada } = await given({ embeddingModel: false })
  await ada.append(
    'harbour',
    Array.from({ length: 30 }, (_, place) => ({
      role: 'user' as const,
      content: `Folk say the harbour ferry number ${place} costs ${place + 3} euros and leaves at ${place} past the hour.`,
    })),
  )
  await ada.distil('harbour')
  for (let place = 0; place < 20; place += 1) await ada.facts.add({ predicate: 'visited', object: `the lighthouse of island ${place}` })
  const tiersOf = async (maxTokens: number) =>
    (await ada.context({ query: 'what does the harbour ferry cost?', maxTokens })).sections.map(({ tier }) => tier)
  expect(await tiersOf(400)).toEqual(['details'])
  expect(await tiersOf(2_000)).toEqual(['profile', 'gists', 'details'])
  const { omitted } = await ada.context({ query: 'what does the harbour ferry cost?', maxTokens: 400 })
  expect(omitted).toContainEqual({ tier: 'gists', count: 1, reason: 'their share is under 80 tokens' })
})

test('days are those of the project’s zone, the last one included; a plan has its own day', async () => {
  const { ada, memory, clock } = await given()
  await memory.project('default').settings.set({ timeZone: 'Asia/Tokyo' })
  await ada.append('talk', [
    { role: 'user', content: 'I live in Bergen since 5 March 2026. I live in Bergen until 30 November.' },
    { role: 'user', content: 'I booked a trip to Lisbon on 4 December.' },
  ])
  await ada.distil('talk')
  clock.advance(day)
  const { text } = await ada.context({ query: 'me', maxTokens: 400 })
  expect(text).toContain('- plans to travel to Lisbon (on 2026-12-04)')
  expect(text).toContain('- lives in Bergen (since 2026-03-05')
})

test('a correction and a retraction are of what is believed, and touch the last time that it held alone', async () => {
  const { ada, clock } = await given()
  for (const [object, validFrom] of [
    ['Oslo', '2020-01-01'],
    ['Bergen', '2021-01-01'],
    ['Oslo', '2023-01-01'],
  ] as const)
    await ada.facts.add({ predicate: 'lives in', object, validFrom })
  const [oslo] = await ada.facts.list()
  clock.advance(day)
  expect(await ada.facts.correct(oslo?.id ?? '', { confidence: 0.5 })).toMatchObject({
    object: 'Oslo',
    validFrom: Date.UTC(2023, 0, 1),
    confidence: 0.5,
  })
  expect(objects(await ada.facts.list())).toEqual(['Oslo'])
  expect(objects(await ada.facts.query({ predicate: 'lives in', validAt: '2020-06-01' }))).toEqual(['Oslo'])
  const misspelt = await ada.facts.add({ predicate: 'drinks', object: 'teh' })
  await ada.facts.correct(misspelt.id, { object: 'tee' })
  expect(String(await rejection(ada.facts.correct(misspelt.id, { object: 'tea' })))).toMatch(/took its place/)
  expect(await rejection(ada.facts.retract(misspelt.id))).toBeInstanceOf(InvalidOption)
  for (const fact of [{ validUntil: '2020-01-01' }, { validFrom: '2020-01-01', validUntil: '2020-01-01' }, { validFrom: '2020-02-30' }]) {
    expect(await rejection(ada.facts.add({ predicate: 'has', object: 'boat', ...fact }))).toBeInstanceOf(InvalidOption)
  }
})

test('what is disliked is liked no more, and the other way round', async () => {
  const { ada, clock } = await given()
  for (const [predicate, object] of [
    ['likes', 'hiking'],
    ['likes', 'figs'],
    ['dislikes', 'hiking'],
    ['dislikes', 'rain'],
  ] as const) {
    clock.advance(day)
    await ada.facts.add({ predicate, object })
  }
  const held = async (): Promise<string[]> => (await ada.facts.list()).map(({ predicate, object }) => `${predicate} ${object}`).toSorted()
  expect(await held()).toEqual(['dislikes hiking', 'dislikes rain', 'likes figs'])
  clock.advance(day)
  await ada.facts.add({ predicate: 'likes', object: 'hiking' })
  expect(await held()).toEqual(['dislikes rain', 'likes figs', 'likes hiking'])
  expect(
    (await ada.facts.history({ subject: 'I', predicate: 'dislikes' })).map(({ object, validUntil }) => [object, validUntil !== undefined]),
  ).toEqual([
    ['hiking', true],
    ['rain', false],
  ])
  const figs = await ada.facts.add({ predicate: 'dislikes', object: 'figs' })
  await ada.facts.retract(figs.id)
  expect(await held()).toEqual(['dislikes rain', 'likes figs', 'likes hiking'])
})

test('what a person made of a fact goes with the last statement of it, and stands as long as there is one', async () => {
  const { ada, clock } = await given()
  const {
    messages: [said],
  } = await ada.append('talk', { role: 'user', content: 'I like tea.' })
  await ada.facts.add({ predicate: 'likes', object: 'tea' })
  const tea = await ada.facts.add({ predicate: 'likes', object: 'tea', sources: [{ message: said?.id ?? '' }] })
  clock.advance(day)
  await ada.facts.retract(tea.id)
  await ada.forget({ session: 'talk' })
  expect(await ada.facts.query({ predicate: 'likes' })).toEqual([])
  const fever = await ada.facts.add({ predicate: 'diagnosed with', object: 'swamp fever' })
  clock.advance(day)
  await ada.facts.correct(fever.id, { object: 'nothing' })
  expect(await ada.previewForget({ before: clock.now() })).toEqual(await ada.forget({ before: clock.now() }).then(({ counts }) => counts))
  expect(await ada.facts.history({ subject: 'I' })).toEqual([])
})

test('what is no fact, no time and no option is refused with what was received, and nothing is stored', async () => {
  const { ada } = await given()
  for (const fact of [
    '{}',
    '{"predicate":"has"}',
    '{"predicate":"","object":"x"}',
    '{"predicate":"has","object":"  "}',
    '{"predicate":"has","object":5}',
    '{"predicate":"has","object":"x","confidence":2}',
    '{"predicate":"has","object":"x","validFrom":"soon"}',
    '{"predicate":"has","object":"x","validFrom":"2026-02-02","validUntil":"2026-01-01"}',
    '{"predicate":"has","object":"x","colour":"red"}',
    '{"predicate":"has","object":"x","dependsOn":[5]}',
    '{"predicate":"has","object":"x","sources":5}',
    '{"predicate":"has","object":"\\u0000"}',
    '[]',
    'null',
  ]) {
    expect(await rejection(ada.facts.add(JSON.parse(fact))), fact).toBeInstanceOf(InvalidOption)
  }
  expect(await rejection(ada.facts.add({ predicate: 'has', object: 'x'.repeat(2_001) }))).toBeInstanceOf(InvalidOption)
  for (const field of ['sources', 'dependsOn'])
    expect(
      await rejection(ada.facts.add({ predicate: 'has', object: 'boat', [field]: Object.assign([], { length: 3 }) })),
      field,
    ).toBeInstanceOf(InvalidOption)
  for (const options of ['null', '[]', '5'])
    expect(await rejection(ada.facts.recall('boat', JSON.parse(options))), options).toBeInstanceOf(InvalidOption)
  for (const query of [
    '{"validAt":"soon"}',
    '{"asOf":{}}',
    '{"limit":0}',
    '{"limit":1.5}',
    '{"subjects":"I"}',
    '{"subject":""}',
    '{"object":5}',
  ])
    expect(await rejection(ada.facts.query(JSON.parse(query))), query).toBeInstanceOf(InvalidOption)
  const { id } = await ada.facts.add({ predicate: 'has', object: 'boat' })
  for (const changes of ['{}', '{"predicate":"likes"}', '{"object":""}', '{"validUntil":"2020-01-01"}', 'null'])
    expect(await rejection(ada.facts.correct(id, JSON.parse(changes))), changes).toBeInstanceOf(InvalidOption)
  expect(await rejection(ada.facts.retract(id, { validUntil: '2020-01-01' }))).toBeInstanceOf(InvalidOption)
  expect(await rejection(ada.facts.retract(id, JSON.parse('{"until":5}')))).toBeInstanceOf(InvalidOption)
  for (const other of ['nobody', '0198c0de-0000-7000-8000-000000000000']) {
    expect(await rejection(ada.facts.correct(other, { object: 'x' }))).toBeInstanceOf(NotFound)
    expect(await rejection(ada.facts.retract(other))).toBeInstanceOf(NotFound)
    expect(await rejection(ada.facts.history(other))).toBeInstanceOf(NotFound)
  }
  expect(objects(await ada.facts.list())).toEqual(['boat'])
})

test('facts and what is merged outlive the process, and another one sees them at once', async () => {
  const store = newStore()
  const one = await openForTest({ store, languageModel: false })
  const other = await openForTest({ store, languageModel: false })
  await one.for('ada').facts.add({ subject: 'Sandy', predicate: 'has', object: 'boat' })
  await other.for('ada').facts.merge('Sandy', 'Alexandra')
  expect(objects(await one.for('ada').facts.query({ subject: 'Alexandra' }))).toEqual(['boat'])
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : other).for('ada').facts.add({ predicate: 'likes', object: `thing ${at}` })),
  )
  expect(await one.for('ada').facts.query({ predicate: 'likes' })).toHaveLength(20)
  expect(await other.for('ada').facts.query({ predicate: 'likes' })).toHaveLength(20)
})

test('a profile has what begins within the minute for which it is kept', async () => {
  const { ada, clock } = await given()
  await ada.facts.add({ predicate: 'lives in', object: 'Oslo', validFrom: '2020-01-01' })
  await ada.facts.add({ predicate: 'lives in', object: 'Bergen', validFrom: clock.now() + 5_000 })
  const homes = async (): Promise<string[]> => (await ada.profile()).subjects.flatMap(({ facts }) => objects(facts))
  expect(await homes()).toEqual(['Oslo'])
  clock.advance(6_000)
  expect(await homes()).toEqual(['Bergen'])
})

test('what was believed at a time is told also when the clock was set back in between', async () => {
  const { ada, clock } = await given()
  const start = clock.now()
  await ada.facts.add({ predicate: 'likes', object: 'tea', validFrom: '2020-01-01' })
  clock.set(start - day)
  await ada.facts.add({ predicate: 'likes', object: 'rain', validFrom: '2020-01-01' })
  expect(objects(await ada.facts.query({ validAt: start, asOf: start - 1 }))).toEqual([])
  expect(objects(await ada.facts.query({ validAt: start, asOf: start })).toSorted()).toEqual(['rain', 'tea'])
})

test('what “I meant Bergen, not Oslo” is about is in another message: forgetting that one forgets it too', async () => {
  const { ada } = await given()
  const {
    messages: [first],
  } = await ada.append('talk', [
    { role: 'user', content: 'My sister Bartolomea lives in Oslo.' },
    { role: 'assistant', content: 'Noted.' },
    { role: 'user', content: 'Sorry, I meant Bergen, not Oslo.' },
  ])
  await ada.distil('talk')
  expect(
    (await ada.facts.query({ subject: 'Bartolomea', predicate: 'lives in' })).map(({ object, sources }) => [
      object,
      ...sources.map(({ seq }) => seq),
    ]),
  ).toEqual([['Bergen', 1, 3]])
  await ada.forget({ messages: [first?.id ?? ''] })
  expect(JSON.stringify(await ada.facts.query({}))).not.toContain('Bartolomea')
  await ada.distil('talk')
  expect(
    JSON.stringify([
      await ada.facts.query({}),
      await ada.facts.history({ subject: 'Bartolomea' }),
      (await ada.facts.recall('Bergen')).hits,
    ]),
  ).not.toContain('Bartolomea')
})

// requirement: P4.12
test('several people who speak in one memory are each “I” of their own words; nobody speaks for the user', async () => {
  const { memory } = await given()
  for (const user of [memory.for({}), memory.for('ada')]) {
    await user.append('talk', [
      { role: 'user', name: 'Bo', content: 'I am allergic to nuts. Ada lives in Oslo.' },
      { role: 'user', name: 'Cleo', content: 'I live in Bergen.' },
    ])
    await user.distil('talk')
  }
  const of = async (user: UserMemory): Promise<string[]> =>
    (await user.facts.list()).map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`).toSorted()
  expect(await of(memory.for({}))).toEqual(['Ada lives in Oslo', 'Bo allergic to nuts', 'Cleo lives in Bergen'])
  expect(await of(memory.for('ada'))).toEqual(['Bo allergic to nuts', 'Cleo lives in Bergen'])
})
