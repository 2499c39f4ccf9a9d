import { describe, expect, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const pin = 'My PIN is 4711, please remember it.'
const agent = { writer: 'helmsman', during: 'talk' }

async function opened(store = 'memory:'): Promise<{ memory: Memory; ada: UserMemory }> {
  const memory = await openForTest({ store, embeddingModel: false })
  return { memory, ada: memory.for('ada') }
}

async function say(ada: UserMemory, content: string, session = 'talk'): Promise<string> {
  const { messages } = await ada.append(session, { role: 'user', content })
  return messages[0]?.id ?? ''
}

async function texts(ada: UserMemory): Promise<Record<string, string>> {
  return Object.fromEntries((await ada.blocks.list()).map(({ name, text }) => [name, text]))
}

describe('an agent’s block', () => {
  // requirement: P3.16
  test.each([
    ['its message', (ada: UserMemory, id: string) => ada.forget({ messages: [id] })],
    ['its session', (ada: UserMemory) => ada.forget({ session: 'talk' })],
    ['a time', (ada: UserMemory) => ada.forget({ before: Date.now() + 1 })],
    ['its words, by a replacement', async (ada: UserMemory, id: string) => (await ada.replace(id, 'Never mind.')).receipt],
  ])('loses what it says of a message with %s: in contexts, revisions and recall', async (_what, forget) => {
    const { ada } = await opened()
    await say(ada, 'I live on Hven.', 'elsewhere')
    const id = await say(ada, pin)
    await ada.append('talk', { role: 'assistant', content: 'I have noted your PIN 4711.' })
    await ada.blocks.set('human', 'Ada lives on Hven.', agent)
    await ada.blocks.append('human', "Ada's PIN is 4711.", agent)
    await ada.blocks.append('human', '- Prefers short answers.', agent)
    await ada.blocks.set('style', 'Ada prefers short answers.', agent)
    await forget(ada, id)
    const context = await ada.context({ query: 'what is my PIN?' })
    expect(context.text).not.toContain("Ada's PIN")
    expect((await ada.blocks.revisions('human')).every(({ text }) => !text.includes('4711'))).toBe(true)
    expect((await ada.recall('PIN 4711', { kinds: ['block'] })).hits.every(({ text }) => !text.includes('4711'))).toBe(true)
    expect((await texts(ada))['style']).toBe('Ada prefers short answers.')
    expect((await texts(ada))['human']).toContain('Prefers short answers.')
  })

  test('that says nothing else goes; others keep their order, and what they say of other messages', async () => {
    const { ada } = await opened()
    await say(ada, 'My sister is called Mira.')
    const id = await say(ada, pin)
    for (const [name, text] of [
      ['code', "Ada's PIN: 4711"],
      ['family', 'Her sister is Mira.'],
      ['another', 'PIN 4711'],
      ['plan', 'Paint the skiff.'],
    ] as const)
      await ada.blocks.set(name, text, agent)
    expect(await ada.previewForget({ messages: [id] })).toEqual({ message: 1, block: 2 })
    expect((await ada.forget({ messages: [id] })).counts).toEqual({ message: 1, block: 2 })
    expect((await ada.blocks.list()).map(({ name, position }) => [name, position])).toEqual([
      ['family', 1],
      ['plan', 2],
    ])
  })

  test('keeps what another message says too, and loses one sentence of a paragraph', async () => {
    const { ada } = await opened()
    await say(ada, 'I live on Hven with two cats.')
    const id = await say(ada, 'As I said, I live on Hven, and my locker code is 9035.')
    await ada.blocks.set('human', 'Ada lives on Hven. Her locker code is 9035. She has two cats.', agent)
    await ada.forget({ messages: [id] })
    expect(await texts(ada)).toEqual({ human: 'Ada lives on Hven. She has two cats.' })
  })

  test('written before the message, or of another user or project, stays as it is', async () => {
    const { memory, ada } = await opened()
    const grace = memory.for('grace')
    await ada.blocks.set('before', 'The PIN is 4711.', agent)
    await grace.blocks.set('hers', 'The PIN is 4711.', agent)
    await new Promise((resolve) => setImmediate(resolve))
    while (Date.now() <= ((await ada.blocks.get('before'))?.updatedAt ?? 0)) await new Promise((resolve) => setImmediate(resolve))
    const id = await say(ada, pin)
    await memory.project('default').blocks.set('rules', 'The PIN is 4711.', { writer: 'helmsman' })
    await ada.forget({ messages: [id] })
    expect(await texts(ada)).toEqual({ before: 'The PIN is 4711.', rules: 'The PIN is 4711.' })
    expect(await texts(grace)).toMatchObject({ hers: 'The PIN is 4711.' })
  })

  // requirement: P3.16
  test('leaves no byte of the sentence in the file, whatever texts it had', async () => {
    const store = newStore()
    const { ada } = await opened(store)
    const secrets = Array.from({ length: 4 }, () => canary())
    const id = await say(ada, `Keep these: ${secrets.join(' ')}`)
    for (const [place, secret] of secrets.entries()) {
      await ada.blocks.append('human', `Secret ${place} of hers is ${secret}.`, agent)
      await ada.blocks.set(`other ${place}`, `stays ${place}`, agent)
    }
    await ada.blocks.set('human', `Only ${secrets[0]} is left.\nThe skiff is red.`, agent)
    await ada.context({ session: 'talk', query: 'secrets' })
    expect((await ada.forget({ messages: [id] })).physical).toBe('done')
    expect(tracesOf(secrets, store)).toEqual([])
    expect(await ada.blocks.get('human')).toMatchObject({ text: 'The skiff is red.' })
    expect(await ada.blocks.list()).toHaveLength(5)
  })

  test('loses it in a forget of many transactions, too', async () => {
    const { ada } = await opened()
    const batch = Array.from({ length: 700 }, (_, place) => ({ role: 'user' as const, content: `entry ${place} of the log` }))
    await ada.append('talk', [...batch, { role: 'user', content: pin }])
    await ada.blocks.set('human', "Ada's PIN is 4711.\nThe skiff is red.", agent)
    expect((await ada.forget({ session: 'talk' })).counts).toMatchObject({ message: 701, block: 1 })
    expect(await texts(ada)).toEqual({ human: 'The skiff is red.' })
  })

  test.each([
    ['German', 'Meine Geheimzahl lautet 4711.', 'Adas Geheimzahl ist 4711.', 'Ada mag Tee.'],
    ['Japanese', '暗証番号は四七一一です。', '暗証番号は四七一一。', '船は赤い。'],
    ['Russian', 'Мой пароль: рыба-меч.', 'Пароль Ады: рыба-меч.', 'Лодка красная.'],
  ])('in %s loses the sentence and keeps another', async (_language, said, written, other) => {
    const { ada } = await opened()
    const id = await say(ada, said)
    await ada.blocks.set('human', `${written}\n${other}`, agent)
    await ada.forget({ messages: [id] })
    expect(await texts(ada)).toEqual({ human: other })
  })
})

describe('a person’s block', () => {
  test('loses a sentence that says mostly what the message said, and keeps one that shares a word with it', async () => {
    const { ada } = await opened()
    const id = await say(ada, pin)
    await ada.blocks.set('human', "Ada's PIN is 4711.\nAsk the bank about a new card, the terminal and the PIN.")
    await ada.forget({ messages: [id] })
    expect(await texts(ada)).toEqual({ human: 'Ask the bank about a new card, the terminal and the PIN.' })
  })

  test('by the same words an agent’s sentence goes', async () => {
    const { ada } = await opened()
    const id = await say(ada, 'My locksmith is called Grimbold.')
    await ada.blocks.set('hers', 'Ask Grimbold about the shed door, the boathouse and the gate.')
    await ada.blocks.set('agents', 'Ask Grimbold about the shed door, the boathouse and the gate.', agent)
    await ada.forget({ messages: [id] })
    expect(Object.keys(await texts(ada))).toEqual(['hers'])
  })
})

test('an agent’s blocks stay when another talk is forgotten that shares common words with them', async () => {
  const memory = await openForTest({ embeddingModel: false })
  const ada = memory.for('ada')
  await ada.append('own', [
    { role: 'user', content: 'I live in Lisbon with my two kids and I am a nurse.' },
    { role: 'user', content: 'Please keep the answers short.' },
  ])
  const texts = ['User lives in Lisbon with family.', 'Works as a nurse.', 'User prefers short answers.', 'Current task: none.']
  for (const [place, text] of texts.entries()) await ada.blocks.set(`block ${place}`, text, { writer: 'agent' })
  await ada.append('other', [
    { role: 'user', content: 'How long does my family bread have to rest for the current task?' },
    {
      role: 'assistant',
      content: 'A user who lives in a warm place works with short rests. A professional prefers none of the common answers.',
    },
  ])
  await ada.forget({ session: 'other' })
  expect((await ada.blocks.list()).map(({ text }) => text)).toEqual(texts)
})

test.each([
  ['my pin is 771493', 'PIN 77-14-93'],
  ['call me at +32 470 12 34 56', 'Phone +32470123456'],
  ['I earn 5,200 euros', 'Salary 5200'],
])('a number goes in any grouping: %s', async (said, noted) => {
  const memory = await openForTest({ embeddingModel: false })
  const ada = memory.for('ada')
  const { messages } = await ada.append('talk', { role: 'user', content: said })
  await ada.blocks.set('human', `Ada lives on Hven.\n${noted}`, { writer: 'agent' })
  await ada.forget({ messages: [messages[0]?.id ?? ''] })
  expect((await ada.blocks.get('human'))?.text).toBe('Ada lives on Hven.')
})
