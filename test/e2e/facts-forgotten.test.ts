import { describe, expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { messagesOf, readerOf } from '../fixtures/facts/told.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore } from '../fixtures/memory/open.ts'
import { began, holds, user } from '../fixtures/scenarios/telling.ts'

const layers = { gists: true, facts: true }

/** Gives every answer about facts, as text. */
async function answersOf(ada: UserMemory, words: string): Promise<string> {
  const listed = await ada.facts.query({ limit: 100 })
  return JSON.stringify([
    listed,
    await ada.facts.query({ validAt: '2025-06-01' }),
    await ada.facts.query({ asOf: new Date(Date.UTC(2026, 0, 5, 12)) }),
    await ada.facts.history({ subject: 'I' }),
    await ada.facts.history({ subject: 'Mia' }),
    (await ada.facts.recall(words, { limit: 50 })).hits.map(({ text, fact }) => ({ text, fact })),
    await ada.facts.around('I', { hops: 4 }),
    await ada.facts.around('Mia', { hops: 4 }),
    (await ada.profile()).subjects,
    (await ada.context({ query: words, maxTokens: 4_000 })).text,
  ])
}

/** Makes a message that is a canary in all parts of its facts, with the words that only it has. */
function secret() {
  const [subject, object, home, before, phrase] = [canary(), canary(), canary(), canary(), 'since last May']
  const said = [
    user(`Mia knows ${subject} and ${subject} collects ${object}.`, holds('Mia', 'knows', subject), holds(subject, 'collects', object)),
    user(`I live in ${home}, not in ${before}, ${phrase}.`, began('', 'lives in', home, phrase, { instead: before })),
  ]
  return { said, subject, object, home, before, words: [subject, object, home, before] }
}

const stays = [
  user('I like marzipan.', holds('', 'likes', 'marzipan')),
  user('Mia works at the ferry office.', holds('Mia', 'works at', 'ferry office')),
]

type Told = Awaited<ReturnType<typeof told>>

async function told() {
  const store = newStore()
  const it = await distilling({ store, layers, embeddingModel: false })
  const ada = it.memory.for('ada')
  const hidden = secret()
  it.play(readerOf([...hidden.said, ...stays]))
  const { messages } = await ada.append('secrets', messagesOf(hidden.said))
  await ada.append('talk', messagesOf(stays))
  for (const session of ['secrets', 'talk']) await ada.distil(session)
  it.clock.advance(60_000)
  return { ...it, store, ada, hidden, ids: messages.map(({ id }) => id) }
}

const ways: readonly (readonly [string, (told: Told) => Promise<unknown>])[] = [
  ['messages', ({ ada, ids }) => ada.forget({ messages: ids })],
  ['session', ({ ada }) => ada.forget({ session: 'secrets' })],
  ['before, of a session', ({ ada, clock }) => ada.forget({ session: 'secrets', before: clock.now() + 1 })],
  ['sessions.delete', ({ ada }) => ada.sessions.delete('secrets')],
  [
    'replace',
    async ({ ada, ids }) => {
      for (const id of ids) await ada.replace(id, 'Nothing of it is so.')
    },
  ],
]

describe('facts whose messages are forgotten are in no answer and in no byte, and the others stand:', () => {
  // requirement: P3.4
  test.each(ways)('%s', async (_, erase) => {
    const it = await told()
    const { ada, hidden, store } = it
    const before = await answersOf(ada, hidden.words.join(' '))
    for (const word of [hidden.subject, hidden.object, hidden.home]) expect(before).toContain(word)
    expect(tracesOf(hidden.words, store).length).toBeGreaterThan(4)
    await erase(it)
    const after = await answersOf(ada, hidden.words.join(' '))
    for (const word of hidden.words) expect(after.replaceAll(hidden.words.join(' '), '')).not.toContain(word)
    expect(after).toContain('marzipan')
    expect(after).toContain('ferry office')
    expect(tracesOf(hidden.words, store)).toEqual([])
    for (const session of ['secrets', 'talk']) if ((await ada.sessions.list()).some(({ id }) => id === session)) await ada.distil(session)
    expect(tracesOf(hidden.words, store)).toEqual([])
    await it.memory.close()
    expect(tracesOf(hidden.words, store)).toEqual([])
  })
})

test('what a person made of a forgotten fact goes with it: a correction, a retraction, and a name that was merged', async () => {
  const { ada, hidden, ids, store } = await told()
  const [mine, hers] = [canary(), canary()]
  const [home] = await ada.facts.query({ subject: 'I', predicate: 'lives in' })
  await ada.facts.correct(home?.id ?? '', { object: mine })
  const [collected] = await ada.facts.query({ subject: hidden.subject, predicate: 'collects' })
  await ada.facts.retract(collected?.id ?? '')
  await ada.facts.merge(hidden.subject, 'Mia')
  await ada.facts.add({
    subject: 'Mia',
    predicate: 'hides',
    object: hers,
    sources: [
      { message: ids[0] ?? '', text: 'Mia knows' },
      { message: ids[1] ?? '', text: 'I live in' },
    ],
  })
  expect(await answersOf(ada, 'hides')).toContain(mine)
  const first = await ada.previewForget({ messages: ids.slice(1) })
  expect((await ada.forget({ messages: ids.slice(1) })).counts).toEqual(first)
  expect(await answersOf(ada, 'hides')).not.toContain(mine)
  expect(await answersOf(ada, 'hides')).toContain(hers)
  const second = await ada.previewForget({ messages: ids.slice(0, 1) })
  expect((await ada.forget({ messages: ids.slice(0, 1) })).counts).toEqual(second)
  const after = await answersOf(ada, 'hides')
  for (const word of [...hidden.words, mine, hers]) expect(after).not.toContain(word)
  expect(tracesOf([...hidden.words, mine, hers], store)).toEqual([])
})

test('a name that was merged into one of which nothing is said any more is in no byte', async () => {
  const { ada, hidden, ids, store } = await told()
  await ada.facts.merge('Mia', hidden.subject)
  await ada.forget({ messages: ids })
  expect(await ada.facts.query({ subject: 'Mia', predicate: 'works at' })).toHaveLength(1)
  expect(tracesOf(hidden.words, store)).toEqual([])
})

// requirement: P3.13
test('what a user had added by hand goes with all of the user', async () => {
  const { ada, memory, store } = await told()
  const words = [canary(), canary(), canary()]
  const [subject = '', predicate = '', object = ''] = words
  await ada.facts.add({ subject, predicate, object })
  await ada.facts.merge(subject, 'Nobody')
  const preview = await ada.previewForget({ all: true })
  const { counts } = await ada.forget({ all: true })
  expect(counts).toEqual(preview)
  expect(counts['fact']).toBe(6)
  expect(tracesOf(words, store)).toEqual([])
  await memory.close()
  expect(tracesOf(words, store)).toEqual([])
})

// requirement: P3.3
test('what is forgotten while the model reads it does not come back', async () => {
  const store = newStore()
  const it = await distilling({ store, layers, embeddingModel: false })
  const ada = it.memory.for('ada')
  const hidden = secret()
  const { messages } = await ada.append('secrets', messagesOf([...hidden.said, ...stays]))
  const read = readerOf([...hidden.said, ...stays])
  let met = 0
  it.play(async (request) => {
    met += 1
    if (met === 1) await ada.forget({ messages: messages.slice(0, 2).map(({ id }) => id) })
    return read(request)
  })
  for (let turn = 0; turn < 3; turn += 1) {
    it.clock.advance(3_600_000)
    await it.memory.upkeep.run({ maxSeconds: 10 })
  }
  expect(met).toBeGreaterThan(1)
  const answers = await answersOf(ada, 'home')
  for (const word of hidden.words) expect(answers).not.toContain(word)
  expect(answers).toContain('marzipan')
  expect(tracesOf(hidden.words, store)).toEqual([])
})

test('names that were merged into one that is forgotten are one still', async () => {
  const { ada, hidden, ids } = await told()
  await ada.facts.add({ subject: 'Emmy', predicate: 'likes', object: 'marzipan' })
  for (const name of ['Mia', 'Emmy']) await ada.facts.merge(name, hidden.subject)
  await ada.forget({ messages: ids })
  expect((await ada.facts.query({ subject: 'Emmy' })).map(({ object }) => object).toSorted()).toEqual(['ferry office', 'marzipan'])
})
