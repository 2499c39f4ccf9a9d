import { describe, expect, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock, type ScriptedRequest } from '../../packages/varve/src/testing/index.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { isEditor, isNotes, keeper } from '../fixtures/pages/keeper.ts'

const layers = { documents: true, notes: true, gists: false, facts: false, bank: false }
const user = (content: string) => ({ role: 'user' as const, content })

/** Gives every answer about pages, as text. `words` are searched for and not counted. */
async function answersOf(memory: Memory, ada: UserMemory, words: readonly string[]): Promise<string> {
  const query = words.join(' ')
  const answers: unknown[] = [
    await ada.documents.list(),
    await ada.notes.list(),
    await ada.profile(),
    await ada.sessions.list(),
    await memory.upkeep.status(),
    await memory.receipts.list(),
  ]
  for (const { name, revision } of await ada.documents.list()) {
    answers.push(await ada.documents.revisions(name, { limit: 200 }))
    for (let at = 1; at <= revision; at += 1) answers.push(await ada.documents.read(name, { revision: at }).catch(String))
  }
  for (const { session, revision } of await ada.notes.list()) {
    answers.push(await ada.notes.revisions(session, { limit: 200 }))
    for (let at = 1; at <= revision; at += 1) answers.push(await ada.notes.get(session, { revision: at }).catch(String))
  }
  for (const asked of [query, `bakery ${query}`, 'what the bakery sells and when it opens']) {
    answers.push(
      await ada.documents.recollect(asked, { limit: 50, minScore: 0 }),
      (await ada.recall(asked, { limit: 50 })).hits,
      (await ada.context({ query: asked, session: 'talk', maxTokens: 8_000 })).text,
    )
  }
  return JSON.stringify(answers).replaceAll(query, '')
}

interface Told {
  readonly memory: Memory
  readonly ada: UserMemory
  readonly clock: ManualClock
  readonly store: string
  /** The ids of the messages to forget. */
  readonly ids: readonly string[]
  /** Words that only they, or readers of them, ever wrote. */
  readonly words: readonly string[]
}

/**
 * Makes a bakery's document of three messages, the second of which is a secret. Also makes a document that only
 * secrets name, and notes of both sessions.
 */
async function told(writer: 'model' | 'extractive'): Promise<Told> {
  const store = newStore()
  const { memory, clock } = await opened(store, writer)
  // Without a model the user's own document takes what is the user's.
  const ada = memory.for({ project: 'acme', user: 'bakery' })
  const [name, sold, dark] = [`M${canary()}`, canary(), canary()]
  await ada.append('talk', user('Our bakery opens at 7.'))
  await ada.documents.memorize('talk')
  const { messages } = await ada.append('secrets', [
    user(`Our bakery sells ${sold} bread for $10.`),
    user(`We bought the ${name}.`),
    user(`Our ${name} sells ${dark} for $12.`),
    user(`The ${name} weighs 14 kg.`),
    user(`The ${name} costs $4,900.`),
  ])
  await ada.documents.memorize('secrets')
  clock.advance(60_000)
  await ada.append('talk', user('Our bakery closes on Monday.'))
  await ada.documents.memorize('talk')
  for (const session of ['talk', 'secrets']) await ada.notes.update(session)
  await ada.context({ session: 'talk', query: `bakery ${sold} ${dark}`, maxTokens: 8_000 })
  clock.advance(60_000)
  return { memory, ada, clock, store, ids: messages.map(({ id }) => id), words: [name, sold, dark, name.toLowerCase()] }
}

async function opened(store: string, writer: 'model' | 'extractive') {
  if (writer === 'model') {
    const it = await distilling({ store, layers, embeddingModel: false })
    it.play(keeper)
    return it
  }
  const clock = new ManualClock()
  return { memory: await openForTest({ store, layers, embeddingModel: false, clock }), clock }
}

const ways: readonly (readonly [string, (told: Told) => Promise<unknown>])[] = [
  ['messages', ({ ada, ids }) => ada.forget({ messages: ids })],
  [
    'messages one by one',
    async ({ ada, ids }) => {
      for (const id of ids) await ada.forget({ messages: [id] })
    },
  ],
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

const everything: readonly (readonly [string, (told: Told) => Promise<unknown>])[] = [
  ['before', ({ ada, clock }) => ada.forget({ before: clock.now() + 1 })],
  ['all', ({ ada }) => ada.forget({ all: true })],
  ['projects.delete', ({ memory }) => memory.projects.delete('acme')],
]

describe.each([
  ['extractive', ways],
  ['model', ways.filter(([name]) => ['messages', 'session', 'replace'].includes(name))],
] as const)(
  'of pages that the %s writer keeps, what is forgotten is in no answer and in no byte, and what others said stands:',
  (writer, these) => {
    // requirement: P3.5
    test.each(these)('%s', async (_, erase) => {
      const it = await told(writer)
      const { memory, ada, store, words } = it
      const before = await answersOf(memory, ada, words)
      for (const word of words.slice(0, -1)) expect(before).toContain(word)
      expect(tracesOf(words, store).length).toBeGreaterThan(4)
      const standing = (await ada.documents.read('bakery'))?.content.split('\n').filter((line) => /opens|closes/.test(line))
      await erase(it)
      for (const round of ['at once', 'after upkeep']) {
        const after = await answersOf(memory, ada, words)
        for (const word of words) expect(after, round).not.toContain(word)
        expect(tracesOf(words, store), round).toEqual([])
        expect((await ada.notes.get('talk'))?.content, round).toContain('Our bakery closes on Monday.')
        // A model's page is written anew from the rest.
        if (writer === 'extractive')
          expect(
            (await ada.documents.read('bakery'))?.content.split('\n').filter((line) => line !== ''),
            round,
          ).toEqual(standing)
        await memory.upkeep.run({ maxSeconds: 10 })
      }
      const content = (await ada.documents.read('bakery'))?.content
      for (const line of ['Our bakery opens at 7.', 'Our bakery closes on Monday.']) expect(content?.split(line)).toHaveLength(2)
      expect((await ada.documents.recollect('when does the bakery close')).map(({ name }) => name)).toEqual(['bakery'])
      await memory.close()
      expect(tracesOf(words, store)).toEqual([])
    })

    test.each(everything.slice(writer === 'model' ? 1 : 0))('with everything: %s', async (_, erase) => {
      const it = await told(writer)
      await erase(it)
      expect(await it.ada.documents.list()).toEqual([])
      expect(await it.ada.notes.list()).toEqual([])
      await it.memory.upkeep.run({ maxSeconds: 10 })
      expect(await it.ada.documents.list()).toEqual([])
      expect(tracesOf(it.words, it.store)).toEqual([])
      await it.memory.close()
      expect(tracesOf(it.words, it.store)).toEqual([])
    })
  },
)

test.each(['model', 'extractive'] as const)(
  'what a %s writer and a person put into pages that are deleted by hand is in no byte, and is not written again',
  async (writer) => {
    const { memory, ada, store } = await told(writer)
    const [hers, described, noted] = [canary(), canary(), canary()]
    await ada.documents.edit('bakery', [{ tool: 'append', text: `- ${hers}` }], { description: described })
    await ada.documents.edit('bakery', '- Nothing.')
    await ada.notes.edit('talk', `# Mine\n\n${noted}`)
    await ada.notes.edit('talk', '# Mine\n\nNothing.')
    expect(tracesOf([hers, described, noted], store)).not.toEqual([])
    expect((await ada.documents.delete('bakery')).counts).toEqual({ document: 1 })
    expect((await ada.notes.delete('talk')).counts).toEqual({ notes: 1 })
    for (let round = 0; round < 2; round += 1) {
      expect(tracesOf([hers, described, noted], store)).toEqual([])
      expect(await ada.documents.read('bakery')).toBeUndefined()
      expect(await ada.notes.get('talk')).toBeUndefined()
      await memory.upkeep.run({ maxSeconds: 10 })
      await ada.documents.memorize('talk')
    }
  },
)

const steps: readonly (readonly [string, (request: ScriptedRequest) => boolean])[] = [
  ['messages are read', (request) => !isEditor(request) && !isNotes(request)],
  ['a document is edited', isEditor],
  ['notes are written', isNotes],
]

// requirement: P3.3
test.each(steps)('what is forgotten while %s does not come back', async (_, isStep) => {
  const store = newStore()
  const it = await distilling({ store, layers, embeddingModel: false })
  const ada = it.memory.for({ project: 'acme', user: 'ada' })
  const [sold, name] = [canary(), canary()]
  it.play(keeper)
  await ada.append('talk', user('Our bakery opens at 7.'))
  await ada.documents.memorize('talk')
  await ada.notes.update('talk')
  const { messages } = await ada.append('talk', [
    user(`Our bakery sells ${sold} bread for $10.`),
    user(`Our ${name} is old.`),
    user('Our bakery closes on Monday.'),
  ])
  let met = 0
  it.play(async (request) => {
    const answer = keeper(request)
    if (isStep(request) && JSON.stringify(answer).includes(sold) && (met += 1) === 1)
      await ada.forget({ messages: messages.slice(0, 2).map(({ id }) => id) })
    return answer
  })
  await ada.documents.memorize('talk')
  await ada.notes.update('talk')
  expect(met).toBe(1)
  await it.memory.upkeep.run({ maxSeconds: 10 })
  await ada.documents.memorize('talk')
  await ada.notes.update('talk')
  const answers = await answersOf(it.memory, ada, [sold, name])
  for (const word of [sold, name]) expect(answers).not.toContain(word)
  expect(tracesOf([sold, name], store)).toEqual([])
  for (const line of ['Our bakery opens at 7.', 'Our bakery closes on Monday.']) {
    expect((await ada.documents.read('bakery'))?.content).toContain(line)
    expect((await ada.notes.get('talk'))?.content).toContain(line)
  }
})
