import { expect, test } from 'vitest'
import type { MessageInput, UserMemory } from '../../packages/varve/src/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false })

const statement = 'I keep my sourdough starter in the cellar, since the kitchen is too warm for it in summer.'
const answer =
  'A sourdough starter can be kept in a cellar, a kitchen or a fridge. In a warm kitchen a sourdough starter wants flour twice a day. ' +
  'In a cellar a sourdough starter wants flour every second day. Whichever you choose, a sourdough starter should be kept covered, and a ' +
  'sourdough starter that is kept in a glass jar shows how far it has risen. Where is your starter kept now?'

const talk: readonly MessageInput[] = [
  { role: 'user', content: 'Good morning! I have a question on bread today.' },
  { role: 'assistant', content: 'Good morning! Ask away, bread is a fine thing to talk about.' },
  { role: 'user', content: statement },
  { role: 'assistant', content: answer },
  { role: 'user', content: 'Thanks, that is good to know.' },
  { role: 'assistant', content: 'Happy baking!' },
]

async function first(user: UserMemory, question: string): Promise<string | undefined> {
  const { hits } = await user.recall(question)
  return hits[0]?.text
}

test('a user’s own words come before the long answer that repeats them', async () => {
  const user = shared.user()
  await user.append('bread', talk)
  expect(await first(user, 'Where do I keep my sourdough starter?')).toBe(statement)
  expect(await first(user, 'Where is the sourdough starter kept?')).toBe(statement)
  expect(await first(user, 'Can you tell me where I keep my sourdough starter?')).toBe(statement)
})

test('the assistant’s words come first when a question is about them', async () => {
  const user = shared.user()
  await user.append('bread', talk)
  expect(await first(user, 'What did you say about a sourdough starter in a cellar?')).toBe(answer)
})

test('a user’s question that tells something counts in full', async () => {
  const asked = 'Should I really feed the rye starter that I named Gustav with spelt flour?'
  const user = shared.user()
  await user.append('bread', [...talk, { role: 'user', content: asked }, { role: 'assistant', content: 'Yes: a rye starter eats spelt.' }])
  const { hits } = await user.recall('What is the name of my rye starter?')
  expect(hits[0]?.text).toBe(asked)
  expect(hits[0]?.signals.map(({ name }) => name)).not.toContain('question')
})

test('people among themselves are ranked as before where another session has an assistant', async () => {
  const people: readonly MessageInput[] = [
    { role: 'user', name: 'Ada', content: 'Did you keep the sourdough starter in the cellar?' },
    { role: 'user', name: 'Ben', content: 'Yes, the sourdough starter lives in the cellar.' },
  ]
  const mixed = shared.user()
  await mixed.append('bread', talk)
  await mixed.append('people', people)
  const { hits } = await mixed.recall('Is the sourdough starter in the cellar?', { session: 'people' })
  expect(hits.map((hit) => (hit.kind === 'message' ? hit.name : ''))).toEqual(['Ben', 'Ada'])
  expect(hits[1]?.signals.find(({ name }) => name === 'question')?.value).toBeLessThan(0)
})

test('an assistant that speaks now and then does not make a group chat a talk with it', async () => {
  const group = ['Ada', 'Ben', 'Cleo', 'Ada', 'Ben', 'Cleo'].map((name, place): MessageInput => ({
    role: 'user',
    name,
    content: `Is the herring fresh on pier ${place}?`,
  }))
  const user = shared.user()
  await user.append('group', [...group, { role: 'assistant', content: 'The herring is fresh on every pier.' }])
  const { hits } = await user.recall('herring fresh pier')
  expect(hits[0]?.text).toBe('The herring is fresh on every pier.')
})

test('the kind of talk follows what is left when messages are forgotten', async () => {
  const user = shared.user()
  const { messages } = await user.append('talk', [
    { role: 'user', content: 'Is the herring fresh?' },
    { role: 'assistant', content: 'The herring is fresh.' },
  ])
  const penalty = async (): Promise<number> => {
    const { hits } = await user.recall('herring fresh')
    const asking = hits.find(({ text }) => text === 'Is the herring fresh?')
    return asking?.signals.find(({ name }) => name === 'question')?.value ?? 0
  }
  expect(await penalty()).toBe(0)
  const answered = messages[1]?.id
  await user.forget({ messages: answered === undefined ? [] : [answered] })
  expect(await penalty()).toBeLessThan(0)
})

test('the newest of like statements comes first when the present is asked about, the oldest when the beginning is', async () => {
  const user = shared.user()
  for (const [place, street] of ['Quay Street', 'Mill Lane', 'Chapel Row'].entries())
    await user.append(`talk ${place}`, [{ role: 'user', content: `My bakery is in ${street}.`, at: Date.UTC(2024, place) }])
  await user.append('other', [{ role: 'user', content: 'Trams run late again.', at: Date.UTC(2024, 6) }])
  const streets = async (question: string): Promise<string[]> => {
    const { hits } = await user.recall(question)
    return hits.map(({ text }) => text.replace(/My bakery is in (.*)\./, '$1'))
  }
  expect(await streets('Where is my bakery now?')).toEqual(['Chapel Row', 'Mill Lane', 'Quay Street'])
  expect(await streets('Where was my bakery originally?')).toEqual(['Quay Street', 'Mill Lane', 'Chapel Row'])
})

test('a question for the order of things finds a message of each place before a second one beside it', async () => {
  const user = shared.user()
  await user.append('early', [
    { role: 'user', content: 'We painted the bakery door.' },
    { role: 'user', content: 'The bakery door is dry.' },
  ])
  await user.append('late', [{ role: 'user', content: 'We sold the old bakery with its door and its windows and its roof.' }])
  const { hits } = await user.recall('In what order did things happen to the bakery door?')
  expect(hits.map((hit) => (hit.kind === 'message' ? hit.session : ''))).toEqual(['early', 'late', 'early'])
})

test('a question for the newest, the oldest or all of one statement finds it with the score that it has otherwise', async () => {
  const user = shared.user()
  await user.append('talk', [
    { role: 'user', content: 'My bakery is still in Quay Street, as it was originally: all in order.' },
    { role: 'user', content: 'Trams run late again.' },
  ])
  const score = async (question: string): Promise<number | undefined> => (await user.recall(question)).hits[0]?.score
  const usual = await score('bakery in Quay Street?')
  expect(usual).toBeGreaterThan(0)
  for (const question of ['bakery still in Quay Street?', 'bakery originally in Quay Street?', 'bakery in Quay Street, in order?'])
    expect([question, await score(question)]).toEqual([question, expect.closeTo(usual ?? 0, 1)])
})
