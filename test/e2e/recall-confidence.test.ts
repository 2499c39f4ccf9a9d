import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { hashedEmbeddingModel } from '../../packages/varve/src/testing/index.ts'
import { leastConfidence } from '../../packages/varve/src/recall/weights.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const byWords = sharedMemory({ embeddingModel: false })
const byMeaning = sharedMemory({ embeddingModel: hashedEmbeddingModel({ synonyms: [['dinghy', 'rowboat']] }) })

const things = ['pump', 'hedge', 'gutter', 'shelf', 'stove', 'ladder', 'carpet', 'lantern', 'kettle', 'gate']
const deeds = ['painted', 'mended', 'cleaned', 'measured', 'moved', 'sold', 'covered', 'opened']

/** Eighty messages about a house, in which each thing is spoken of. */
const chores = deeds.flatMap((deed) => things.map((thing) => `On the way home Ruth said that she had ${deed} the ${thing} in the yard.`))

async function talk(ada: UserMemory): Promise<void> {
  await ada.append(
    'house',
    chores.map((content) => ({ role: 'user', content })),
  )
  await ada.append('boat', [
    { role: 'user', content: 'The dinghy leaks at the rudder since the storm in April.' },
    { role: 'assistant', content: 'Then tar the seam before the regatta.' },
  ])
}

test.each([
  ['words alone', byWords],
  ['vectors', byMeaning],
])('confidence is high for a subject that was talked about, and low for one that never was (%s)', async (_by, shared) => {
  const ada = shared.user()
  await talk(ada)
  await shared.memory.upkeep.run()
  const present = await ada.recall('Where does the dinghy leak since the storm?')
  expect(present.hits[0]?.text).toContain('dinghy')
  expect(present.confidence).toBeGreaterThan(0.8)
  const absent = await ada.recall('Which violin concerto does my niece rehearse in the yard?', { minConfidence: 0 })
  expect(absent.hits.length).toBeGreaterThan(0)
  expect(absent.confidence).toBeLessThan(0.4)
})

test('a message whose vector is still to be made is as sure by its words as without vectors', async () => {
  const [words, meaning] = [byWords.user(), byMeaning.user()]
  const confidences: (number | undefined)[] = []
  for (const [ada, { memory }] of [
    [words, byWords],
    [meaning, byMeaning],
  ] as const) {
    await ada.append(
      'house',
      chores.map((content) => ({ role: 'user', content })),
    )
    await memory.upkeep.run()
    await ada.append('boat', { role: 'user', content: 'The dinghy leaks at the rudder since the storm in April.' })
    const { hits, confidence, degraded } = await ada.recall('Where does the dinghy leak?')
    expect([hits[0]?.text.includes('dinghy'), degraded]).toEqual([true, []])
    confidences.push(confidence)
  }
  expect(confidences[0]).toBeGreaterThan(0.9)
  expect(confidences[1]).toBeCloseTo(confidences[0] ?? 0, 5)
})

test('an answer that is almost surely nothing has no messages, in recall and in a context, unless they are asked for', async () => {
  const ada = byWords.user()
  await talk(ada)
  const query = 'Which violin concerto, opera, sonata or lullaby does my niece rehearse by the yard with the bassoon quartet on Thursdays?'
  const left = await ada.recall(query)
  expect(left).toEqual({ hits: [], confidence: expect.any(Number), degraded: [] })
  expect(left.confidence).toBeLessThan(leastConfidence)
  const all = await ada.recall(query, { minConfidence: 0 })
  expect(all.hits).toHaveLength(10)
  expect(all.confidence).toBe(left.confidence)
  expect((await ada.recall(query, { session: 'house' })).hits).toHaveLength(10)
  expect(await ada.context({ query })).toMatchObject({ text: '', confidence: left.confidence })
  expect((await ada.context({ query, minConfidence: 0 })).sections.map(({ tier }) => tier)).toEqual(['details'])
})

test('a message that answers raises the confidence, and one about something else hardly lowers it', async () => {
  const ada = byWords.user()
  await talk(ada)
  const query = 'Who tuned the piano in the parlour?'
  const before = (await ada.recall(query)).confidence ?? 0
  await ada.append('parlour', { role: 'user', content: 'Mr Voss tuned the piano in the parlour.' })
  const after = (await ada.recall(query)).confidence ?? 0
  expect(after).toBeGreaterThan(Math.max(before, 0.6))
  await ada.append('parlour', { role: 'user', content: 'The curtains are at the laundry.' })
  expect((await ada.recall(query)).confidence).toBeGreaterThan(after - 0.05)
})

test('among few messages one shared word is enough to be shown', async () => {
  const ada = byWords.user()
  await ada.append(
    'talk',
    ['Good morning!', 'The ferry leaves at nine.', 'And the bus?'].map((content) => ({ role: 'user' as const, content })),
  )
  const { hits, confidence } = await ada.recall(
    'Which harbour company runs the ferry, and where does one buy a return ticket for a bicycle?',
  )
  expect(hits[0]?.text).toContain('ferry')
  expect(confidence).toBeGreaterThan(0)
})

test('talk that is not English is never left out by default', async () => {
  const ada = byWords.user()
  const days = ['月曜日', '火曜日', '水曜日', '木曜日', '金曜日', '土曜日', '日曜日', '昨日', '今朝', '夜']
  const deeds = [
    '寝坊してしまった。',
    'ずっと雨が降っていた。',
    '隣の人が芝刈りをしていた。',
    '会議が長く続いた。',
    '古い映画を見た。',
    '人が多かった。',
  ]
  const said = days.flatMap((day) => deeds.map((deed) => `${day}は${deed}`))
  await ada.append(
    'days',
    [...said, ...said, ...said, '車に新しいタイヤが必要だ。'].map((content) => ({ role: 'user' as const, content })),
  )
  const { hits, confidence } = await ada.recall('車の何を交換する必要がある？')
  expect(hits[0]?.text).toContain('タイヤ')
  expect(confidence).toBeLessThan(leastConfidence)
})

test('without messages confidence is 0, and it is absent where no messages are searched', async () => {
  const ada = byWords.user()
  expect(await ada.recall('ferry')).toEqual({ hits: [], confidence: 0, degraded: [] })
  expect(await ada.recall('ferry', { kinds: ['gist'] })).toEqual({ hits: [], degraded: [] })
  expect(await ada.context({ query: 'ferry', tiers: { details: { limit: 0 } } })).not.toHaveProperty('confidence')
  await talk(ada)
  expect((await ada.recall('dinghy', { kinds: ['message', 'gist'] })).confidence).toBeGreaterThan(0.5)
})

test('a confidence that is no share is refused by name', async () => {
  await expect(byWords.user().recall('ferry', { minConfidence: 2 })).rejects.toThrow('minConfidence')
})
