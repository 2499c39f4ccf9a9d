import { expect, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const settled = 11 * 60_000

interface Scene {
  readonly memory: Memory
  readonly ada: UserMemory
  say(session: string, ...said: readonly (readonly [name: string, content: string])[]): Promise<void>
}

async function scene(): Promise<Scene> {
  const clock = new ManualClock(Date.UTC(2026, 0, 5, 10))
  const memory = await openForTest({ clock, embeddingModel: false, languageModel: false, isolation: 'silent' })
  const ada = memory.for('ada')
  return {
    memory,
    ada,
    say: async (session, ...said) => {
      const messages = said.map(([name, content]) =>
        name === 'assistant'
          ? { role: 'assistant' as const, content }
          : { role: 'user' as const, content, ...(name === '' ? {} : { name }) },
      )
      await ada.append(session, messages)
      clock.advance(settled)
      await memory.upkeep.run()
    },
  }
}

async function sayingsOf(user: UserMemory): Promise<Readonly<Record<string, string>>> {
  const { portraits } = await user.profile()
  return Object.fromEntries(portraits.map(({ subject, sayings }) => [subject, sayings.map(({ text }) => text).join('\n')]))
}

const boats = ['Ines', 'I restored a wooden sailing boat with my grandfather in the harbour of Piran.'] as const
const bakes = ['Tobi', 'I bake rye bread every Saturday for the sheltered workshop in Graz.'] as const

test('a portrait pools what each person said; the assistant’s words are nobody’s', async () => {
  const { ada, say } = await scene()
  await say('one', boats, bakes, ['assistant', 'The lighthouse of Savudrija was built in 1818 with gas from coal.'])
  await say('two', ['', 'I repair barometers for the museum of seafaring in my cellar.'])
  const said = await sayingsOf(ada)
  expect(Object.keys(said).toSorted()).toEqual(['Ines', 'Tobi', 'ada'])
  expect(said['Ines']).toContain('wooden sailing boat')
  expect(said['Tobi']).toContain('rye bread')
  expect(said['ada']).toContain('barometers')
  expect(Object.values(said).join('\n')).not.toContain('Savudrija')
  const [saying] = (await ada.profile()).portraits.find(({ subject }) => subject === 'Tobi')?.sayings ?? []
  expect(saying).toMatchObject({ session: 'one', from: [2] })
})

test('a portrait rests on the user’s own partition, and what is forgotten leaves it', async () => {
  const { memory, ada, say } = await scene()
  await say('one', boats)
  await say('two', bakes)
  expect(await sayingsOf(memory.for('bob'))).toEqual({})
  expect(Object.keys(await sayingsOf(ada))).toEqual(expect.arrayContaining(['Ines', 'Tobi']))
  await ada.forget({ session: 'one' })
  expect(JSON.stringify(await sayingsOf(ada))).not.toContain('sailing')
  expect((await sayingsOf(ada))['Tobi']).toContain('rye bread')
})

test('what is forgotten while portraits are made stands in none that is asked for afterwards', async () => {
  const { ada, say } = await scene()
  for (let place = 0; place < 25; place += 1) await say(`talk ${place}`, boats, bakes)
  const meanwhile = [ada.profile(), ada.profile()]
  for (let place = 0; place < 25; place += 1) {
    meanwhile.push(ada.profile())
    await ada.forget({ session: `talk ${place}` })
    const { portraits } = await ada.profile()
    expect(portraits.flatMap(({ sayings }) => sayings.flatMap(({ session }) => session ?? []))).not.toContain(`talk ${place}`)
  }
  await Promise.all(meanwhile)
  expect(await sayingsOf(ada)).toEqual({})
})

test('a portrait that was made before takes in what is new', async () => {
  const { ada, say } = await scene()
  await say('one', boats)
  expect(await sayingsOf(ada)).toEqual({ Ines: expect.stringContaining('sailing boat') })
  await say('two', bakes, ['Ines', 'My sister and I opened a workshop for old barometers in Trieste last year.'])
  const said = await sayingsOf(ada)
  expect(said['Ines']).toContain('sailing boat')
  expect(said['Ines']).toContain('barometers')
  expect(said['Tobi']).toContain('rye bread')
})

test('questions, praise of others and sentences that point back are in no portrait', async () => {
  const { ada, say } = await scene()
  await say(
    'one',
    ['Ines', 'Where did Tobi find that wooden sailing boat with the red mast in Piran?'],
    ['Tobi', 'You did a wonderful job with the varnish of the old wooden hull in Piran.'],
    ['Ines', 'They restored the lighthouse of Savudrija with lime mortar in four long winters.'],
    boats,
  )
  expect(Object.keys(await sayingsOf(ada))).toEqual(['Ines'])
  expect((await sayingsOf(ada))['Ines']).toMatch(/^\S+ restored a wooden sailing boat [^\n]+$/)
})

test('a portrait tells facts in the person’s own words, once, and what is noted as noted', async () => {
  const { ada, say } = await scene()
  await say('one', ['', 'I am allergic to peanuts and cats.'], ['Tobi', 'I work as a nurse.'])
  await ada.facts.add({ subject: 'I', predicate: 'likes', object: 'figs' })
  const { portraits } = await ada.profile()
  const linesOf = (name: string) => portraits.find(({ subject }) => subject.toLowerCase() === name)?.sayings
  expect(linesOf('ada')).toMatchObject([
    { text: 'I am allergic to peanuts and cats.', session: 'one', from: [1], facts: [expect.any(String), expect.any(String)] },
    { text: 'likes figs', from: [], facts: [expect.any(String)] },
  ])
  expect(linesOf('tobi')).toMatchObject([{ text: 'I work as a nurse.', session: 'one', from: [2] }])
})

test('a preference is told first, and a taste after what was said most', async () => {
  const { ada, say } = await scene()
  const told = [
    'My grandfather left me two mercury barometers, a lathe and nine drawers of dials that sailors once traded for lamp oil.',
    'Our workshop restored the weather station on the pier in autumn, including its copper roof, wind vane and four aneroid barometers.',
    'I plan an exhibition at the museum in 2027, where visitors set barometers themselves and hear storms recorded by lighthouse keepers.',
  ]
  for (const [place, words] of told.entries()) await say(`talk ${place}`, ['', words])
  await say('tastes', ['', 'I love figs.'], ['', 'I prefer trains.'])
  const said = (await sayingsOf(ada))['ada'] ?? ''
  expect(said.split('\n')[0]).toBe('I prefer trains.')
  expect(said.split('\n').at(-1)).toBe('I love figs.')
})

test('what was said in many sessions stands once', async () => {
  const { ada, say } = await scene()
  for (let place = 0; place < 5; place += 1) await say(`talk ${place}`, boats, bakes)
  expect((await sayingsOf(ada))['Ines']?.split('\n')).toHaveLength(1)
})

test('one person’s words on another are no words of the other', async () => {
  const { ada, say } = await scene()
  await say('one', ['', 'My sister Runa works as a nurse.'])
  const { portraits } = await ada.profile()
  expect(portraits.find(({ subject }) => subject === 'Runa')?.sayings).toMatchObject([{ text: 'works as nurse', session: 'one' }])
})

test('a saying leaves the portrait when a state that its message tells has ended', async () => {
  const { ada, say } = await scene()
  await say('winter', ['', 'I live in Oslo near the old wharf with the tram museum.'])
  expect((await sayingsOf(ada))['ada']).toContain('Oslo')
  await say('spring', ['', 'I moved to Bergen last week and live in Bergen now.'])
  expect((await sayingsOf(ada))['ada']).not.toContain('Oslo')
})

test('a fact is told in short where another state of its sentence has ended', async () => {
  const { ada, say } = await scene()
  await say('winter', ['', 'I live in Bergen and work at Fjordbank.'])
  expect((await sayingsOf(ada))['ada']).toContain('Fjordbank')
  await say('spring', ['', 'I no longer work at Fjordbank.'])
  expect((await sayingsOf(ada))['ada']).toBe('lives in Bergen')
})

test('a portrait has at most 150 words of sayings, of at most eight persons', async () => {
  const { ada, say } = await scene()
  for (let place = 0; place < 30; place += 1)
    await say(
      `talk ${place}`,
      [`Person${place % 12}`, `I sailed to island ${place} with a crew of ${place + 3} to count the herons, gulls and terns at dawn.`],
      boats,
    )
  const { portraits } = await ada.profile()
  const words = portraits.map(({ sayings }) => sayings.reduce((sum, { text }) => sum + text.split(/\s+/u).length, 0))
  expect(Math.max(...words)).toBeLessThanOrEqual(150)
  expect(portraits.filter(({ sayings }) => sayings.length > 0)).toHaveLength(8)
})

test('a context shows at most five tastes that were read, and all of them to a question about the person', async () => {
  const { ada, say } = await scene()
  await say(
    'one',
    ['', 'I live in Piran.'],
    ...['figs', 'olives', 'quinces', 'medlars', 'pears', 'almonds', 'capers'].map((one) => ['', `I love ${one}.`] as const),
  )
  const tastes = async (query: string): Promise<number> => {
    const { sections } = await ada.context({ query, maxTokens: 4_000 })
    return (sections.find(({ tier }) => tier === 'profile')?.text ?? '').split('\n').filter((line) => line.startsWith('- likes')).length
  }
  expect(await tastes('When does the ferry leave?')).toBe(5)
  expect(await tastes('What do you know about me?')).toBe(7)
})
