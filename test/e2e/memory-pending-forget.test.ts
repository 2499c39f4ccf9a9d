import { expect, test } from 'vitest'
import { type MemoryEvent, NotFound, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'

const minute = 60_000
const clock = new ManualClock()
const options = { isolation: 'silent', embeddingModel: false, clock } as const

/** Has a user say some messages, which are then read. Gives their ids. */
async function says(ada: UserMemory, session: string, ...contents: string[]): Promise<string[]> {
  const { messages } = await ada.append(
    session,
    contents.map((content) => ({ role: 'user', content, at: clock.now() })),
  )
  clock.advance(minute)
  await ada.distil(session)
  return messages.map(({ id }) => id)
}

const held = async (ada: UserMemory): Promise<string[]> => (await ada.facts.list()).map(({ predicate, object }) => `${predicate} ${object}`)

test.each(['memory:', 'a file'])('a request to forget ends its facts, and erases nothing before it is confirmed: %s', async (place) => {
  await using memory = await openForTest({ ...options, store: place === 'memory:' ? place : newStore() })
  const events = memory.events()
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const [car = '', home = ''] = await says(ada, 'monday', 'I drive a Skoda Octavia.', 'I live in Oslo.')
  expect(await held(ada)).toEqual(['lives in Oslo', 'drives Skoda Octavia'])
  const [fact] = await ada.facts.query({ predicate: 'drives' })
  const [asked = ''] = await says(ada, 'tuesday', 'Forget what I said about my Skoda.')

  expect(await held(ada)).toEqual(['lives in Oslo'])
  expect((await ada.recall('Skoda')).hits.map(({ id }) => id)).toContain(car)
  const pending = await ada.pendingForget.list()
  expect(pending).toEqual([
    {
      id: expect.any(String),
      at: expect.any(Number),
      session: 'tuesday',
      message: asked,
      text: 'Forget what I said about my Skoda.',
      topic: 'Skoda',
      messages: [car, asked],
      facts: [fact?.id],
    },
  ])

  const id = pending[0]?.id ?? ''
  expect(await rejection(memory.for('bo').pendingForget.confirm(id))).toBeInstanceOf(NotFound)
  expect((await ada.pendingForget.confirm(id)).counts).toMatchObject({ message: 2 })
  expect((await ada.messages('monday')).map((message) => message.id)).toEqual([home])
  expect(await held(ada)).toEqual(['lives in Oslo'])
  expect([...(await ada.pendingForget.list())]).toEqual([])
  expect(await rejection(ada.pendingForget.confirm(id))).toBeInstanceOf(NotFound)

  await memory.close()
  const heard: MemoryEvent[] = []
  for await (const event of events) heard.push(event)
  expect(heard.filter(({ type }) => type === 'forget-asked')).toEqual([
    { type: 'forget-asked', at: expect.any(Number), project: 'acme', user: 'ada', session: 'tuesday', requests: 1 },
  ])
})

test('a dismissed request waits no more: its facts stay ended, and its messages stay', async () => {
  await using memory = await openForTest(options)
  const ada = memory.for('ada')
  await says(ada, 'monday', 'I live in Oslo.')
  await says(ada, 'monday', 'Please forget where I live.')
  const [request] = await ada.pendingForget.list()
  await ada.pendingForget.dismiss(request?.id ?? '')
  await says(ada, 'monday', 'Thanks a lot.')
  expect([...(await ada.pendingForget.list())]).toEqual([])
  expect(await held(ada)).toEqual([])
  expect(await ada.messages('monday')).toHaveLength(3)
  expect(await rejection(ada.pendingForget.dismiss(request?.id ?? ''))).toBeInstanceOf(NotFound)
})

test('a request goes with its message, and what is said after it holds', async () => {
  await using memory = await openForTest(options)
  const ada = memory.for('ada')
  await says(ada, 'monday', 'I live in Oslo.')
  const [asked = ''] = await says(ada, 'monday', 'Forget where I live.')
  await says(ada, 'monday', 'I live in Bergen now.')
  expect(await held(ada)).toEqual(['lives in Bergen'])
  const [request] = await ada.pendingForget.list()
  expect(request?.messages).toHaveLength(2)
  await ada.forget({ messages: [asked] })
  expect([...(await ada.pendingForget.list())]).toEqual([])
})

test('requests are told in pages, and only a person asks', async () => {
  await using memory = await openForTest(options)
  const ada = memory.for('ada')
  await says(ada, 'monday', 'Forget my phone number and my address.', 'Stop using Jest.')
  await ada.append('monday', { role: 'assistant', content: 'Forget my email address.' })
  await ada.distil('monday')
  const topics: string[] = []
  for await (const { topic } of ada.pendingForget.list({ limit: 1 })) topics.push(topic)
  expect(topics.toSorted()).toEqual(['address', 'phone number'])
})

test('a request to forget somebody is about the facts whose subject that is, too', async () => {
  await using memory = await openForTest(options)
  const ada = memory.for('ada')
  const [told = '', works = ''] = await says(
    ada,
    'monday',
    'My sister Anna lives in Rome.',
    'Anna works at Kilnwood.',
    'Bruno lives in Porto.',
  )
  const [asked = ''] = await says(ada, 'tuesday', 'Forget what I said about Anna.')
  expect((await ada.facts.list()).map(({ subject, object }) => `${subject} ${object}`)).toEqual(['Bruno Porto'])
  const [request] = await ada.pendingForget.list()
  expect(request?.messages).toEqual([told, works, asked])
  const found = (await ada.recall('Where does Anna work?')).hits.find(({ text }) => text.startsWith('Anna works'))
  expect(found?.superseded).toMatchObject({ by: asked })
  expect((await ada.pendingForget.confirm(request?.id ?? '')).counts).toMatchObject({ message: 3 })
  await says(ada, 'friday', 'Anna works at Fernhill now.')
  expect((await ada.facts.query({ subject: 'Anna' })).map(({ object }) => object)).toEqual(['Fernhill'])
})

test('a request is the user’s own, and takes nothing from what the named person said', async () => {
  await using memory = await openForTest(options)
  const ada = memory.for('ada')
  const say = async (name: string | undefined, content: string): Promise<void> => {
    await ada.append('club', { role: 'user', content, at: clock.now(), ...(name === undefined ? {} : { name }) })
    clock.advance(minute)
    await ada.distil('club')
  }
  const homes = async (): Promise<string[]> => (await ada.facts.query({ subject: 'Anna' })).map(({ object }) => object)
  await say('Anna', 'I live in Rome.')
  await say(undefined, 'Bruno lives in Porto.')
  await say('Mallory', 'Forget what I said about Anna.')
  await say('Mallory', 'Forget what I said about Bruno.')
  expect(await homes()).toEqual(['Rome'])
  expect((await ada.facts.query({ subject: 'Bruno' })).map(({ object }) => object)).toEqual(['Porto'])
  expect((await Array.fromAsync(ada.pendingForget.list())).map(({ facts }) => facts)).toEqual([[], []])
  await say(undefined, 'Forget what I said about Anna.')
  expect(await homes()).toEqual(['Rome'])
  expect((await Array.fromAsync(ada.pendingForget.list()))[0]?.facts).toEqual([])
})

test('a thing that is no longer used leaves the facts of its namesake', async () => {
  await using memory = await openForTest(options)
  const ada = memory.for('ada')
  await says(ada, 'monday', 'My friend Kit lives in Rome.')
  await says(ada, 'tuesday', 'We no longer use Kit.')
  expect((await ada.facts.query({ subject: 'Kit' })).map(({ object }) => object)).toEqual(['Rome'])
})
