import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Memory, MessageInput, Receipt, UserMemory } from '../../packages/varve/src/index.ts'
import { canary, canaryText, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

interface Kept {
  readonly content: string
  readonly id: string
}

/** Makes rows all around, small and of several pages, so that pages are split and merged when one goes. */
async function neighbours(handle: UserMemory, session: string, count: number): Promise<Kept[]> {
  const inputs = Array.from({ length: count }, (_, place): MessageInput => ({
    role: 'user',
    content: `stays ${place} ${'ferry kiosk pier '.repeat((place * 37) % 60)}`,
  }))
  const { messages } = await handle.append(session, inputs)
  return inputs.map(({ content }, place) => ({ content: String(content), id: messages[place]?.id ?? '' }))
}

/** Makes a message that is a canary in all of its fields, and gives its words. */
function secret(length: number): { readonly input: MessageInput; readonly words: string[] } {
  const [content, id, name, thread, key, value, part] = [canaryText(length), canary(), canary(), canary(), canary(), canary(), canary()]
  const parts = [
    { type: 'text', text: part },
    { type: 'data', [canary()]: part },
  ]
  return {
    input: { role: 'user', content, id, name, thread, metadata: { [key]: value }, parts },
    words: [content, id, name, thread, key, value, part],
  }
}

/** Makes a session full of secrets between neighbours. Its own name, title and metadata are secret too. */
async function secretSession(handle: UserMemory, lengths: readonly number[]) {
  const [session, title, topic] = [canary(), canary(), canary()]
  await handle.sessions.ensure(session, { name: title, metadata: { topic } })
  const secrets = lengths.map(secret)
  const { messages } = await handle.append(
    session,
    secrets.map(({ input }) => input),
  )
  await handle.recall(secrets[0]?.words[0] ?? '')
  await handle.context({ session, query: secrets[0]?.words[0] ?? '' })
  return { session, ids: messages.map(({ id }) => id), words: secrets.flatMap(({ words }) => words), names: [session, title, topic] }
}

const lengths = [10, 90, 300, 1_500, 5_000, 16_000]

const ways: Record<
  string,
  (memory: Memory, ada: UserMemory, secrets: Awaited<ReturnType<typeof secretSession>>) => Promise<{ receipts: Receipt[]; gone: string[] }>
> = {
  'messages, one by one': async (_memory, ada, { ids, words, names: [, title = ''] }) => {
    const receipts = []
    for (const id of ids) receipts.push(await ada.forget({ messages: [id] }))
    // A session without a message keeps no name.
    return { receipts, gone: [...words, title] }
  },
  'messages at once': async (_memory, ada, { ids, words, names: [, title = ''] }) => ({
    receipts: [await ada.forget({ messages: ids })],
    gone: [...words, title],
  }),
  session: async (_memory, ada, { session, words, names }) => ({ receipts: [await ada.forget({ session })], gone: [...words, ...names] }),
  'sessions.delete': async (_memory, ada, { session, words, names }) => ({
    receipts: [await ada.sessions.delete(session)],
    gone: [...words, ...names],
  }),
  before: async (_memory, ada, { session, words, names: [, title = ''] }) => ({
    receipts: [await ada.forget({ session, before: Date.now() + 1 })],
    gone: [...words, title],
  }),
  replace: async (_memory, ada, { ids, words }) => {
    const receipts = []
    for (const id of ids) receipts.push((await ada.replace(id, 'nothing to see here')).receipt)
    // The message keeps its name, thread, external id and metadata.
    return { receipts, gone: words.filter((_, place) => place % 7 === 0 || place % 7 === 6) }
  },
}

for (const [way, erase] of Object.entries(ways)) {
  // requirement: P3.1
  test(`after a forget by ${way}, no part of the words is in any byte beside the store, and the neighbours stand`, async () => {
    const store = newStore()
    const memory = await openForTest({ store })
    const ada = memory.for({ project: 'acme', user: 'ada' })
    const first = await neighbours(ada, 'before', 80)
    const secrets = await secretSession(ada, lengths)
    const last = await neighbours(ada, 'after', 80)
    expect(tracesOf(secrets.words, store).length).toBeGreaterThanOrEqual(secrets.words.length)
    const { receipts, gone } = await erase(memory, ada, secrets)
    for (const receipt of receipts) expect(receipt).toMatchObject({ logical: 'done', physical: 'done' })
    expect(tracesOf(gone, store)).toEqual([])
    for (const [session, kept] of [
      ['before', first],
      ['after', last],
    ] as const) {
      expect((await ada.messages(session, { limit: 1_000 })).map(({ content, id }) => ({ content, id }))).toEqual(kept)
    }
    await memory.close()
    expect(tracesOf(gone, store)).toEqual([])
  })
}

// requirement: P3.6
test('forgetting all of a user takes the user’s name with it, and deleting a project the project’s', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const [user, other, project, zone] = [canary(), canary(), canary(), 'Antarctica/DumontDUrville']
  await memory.project(project).settings.set({ timeZone: zone })
  for (let filler = 0; filler < 120; filler += 1)
    await memory.for({ project: 'acme', user: `stays ${filler}` }).append('talk', { role: 'user', content: `stays ${filler}` })
  const hers = await secretSession(memory.for({ project, user }), [50, 3_000])
  const his = await secretSession(memory.for({ project, user: other }), [50, 3_000])
  expect(await memory.for({ project, user }).forget({ all: true })).toMatchObject({ counts: { message: 2, session: 1 }, physical: 'done' })
  expect(tracesOf([...hers.words, ...hers.names, user], store)).toEqual([])
  expect(tracesOf(his.words, store)).not.toEqual([])
  expect(await memory.projects.delete(project)).toMatchObject({ physical: 'done' })
  expect(tracesOf([...his.words, ...his.names, other, project, zone], store)).toEqual([])
  expect((await memory.for({ project: 'acme', user: 'stays 7' }).messages('talk'))[0]?.content).toBe('stays 7')
})

test('a session that was only ever shown something is forgotten by its name as well', async () => {
  const store = newStore()
  const ada = (await openForTest({ store })).for('ada')
  const session = canary()
  await ada.append('talk', { role: 'user', content: 'the ferry leaves at nine' })
  await ada.context({ session, query: 'ferry' })
  expect(tracesOf([session], store)).not.toEqual([])
  await ada.sessions.ensure(session)
  await ada.sessions.delete(session)
  expect(tracesOf([session], store)).toEqual([])
})

test('whatever is forgotten in whatever order, none of it is left', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  let run = 0
  const step = fc.record({
    length: fc.constantFrom(12, 60, 200, 900, 2_500, 6_000),
    filler: fc.nat(30),
    how: fc.constantFrom('keep', 'forget', 'forget', 'replace'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), fc.boolean(), async (steps, backwards) => {
      const ada = memory.for(`user ${(run += 1)}`)
      const all: { id: string; text: string; how: string }[] = []
      for (const { length, filler, how } of steps) {
        const text = canaryText(length)
        const {
          messages: [stored],
        } = await ada.append('talk', { role: 'user', content: text })
        if (filler > 0)
          await ada.append(
            'talk',
            Array.from({ length: filler }, (_, place) => ({
              role: 'user' as const,
              content: `filler ${place} ${'pier '.repeat(place * 9)}`,
            })),
          )
        all.push({ id: stored?.id ?? '', text, how })
      }
      for (const { id, how } of backwards ? all.toReversed() : all) {
        if (how === 'forget') expect((await ada.forget({ messages: [id] })).physical).toBe('done')
        if (how === 'replace') expect((await ada.replace(id, 'replaced')).receipt.physical).toBe('done')
      }
      expect(
        tracesOf(
          all.filter(({ how }) => how !== 'keep').map(({ text }) => text),
          store,
        ),
      ).toEqual([])
      const kept = all.filter(({ how }) => how === 'keep').map(({ text }) => text)
      const held = new Set((await ada.messages('talk', { limit: 10_000 })).map(({ content }) => content))
      for (const text of kept) expect(held.has(text)).toBe(true)
    }),
    { numRuns: runs(5) },
  )
})

test('copies that were left behind where rows moved from page to page are found and go as well', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const users = Array.from({ length: 12 }, (_, place) => memory.for(`user ${place}`))
  const secrets = new Map<UserMemory, { id: string; words: string[] }[]>(users.map((user) => [user, []]))
  // In turn, so that rows go in between those of others, pages are split and half of their rows move.
  for (let round = 0; round < 25; round += 1) {
    await Promise.all(
      users.map(async (user, place) => {
        const [content, id] = [canaryText(40 + ((round * 97 + place * 53) % 1_100)), canary()]
        const {
          messages: [stored],
        } = await user.append('talk', { role: 'user', content, id })
        if ((round + place) % 3 !== 0) secrets.get(user)?.push({ id: stored?.id ?? '', words: [content, id] })
      }),
    )
  }
  for (const [user, mine] of secrets) expect((await user.forget({ messages: mine.map(({ id }) => id) })).physical).toBe('done')
  expect(
    tracesOf(
      [...secrets.values()].flat().flatMap(({ words }) => words),
      store,
    ),
  ).toEqual([])
})

test('many forgets at once are all finished when they return', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const ada = memory.for('ada')
  const secrets = Array.from({ length: 30 }, () => canaryText(200))
  const { messages } = await ada.append(
    'talk',
    secrets.map((content) => ({ role: 'user' as const, content })),
  )
  await Promise.all(messages.map(({ id }) => ada.forget({ messages: [id] })))
  expect(await memory.upkeep.status()).toMatchObject({ backlog: { erasures: 0 } })
  expect((await memory.receipts.list()).map(({ physical }) => physical)).toEqual(messages.map(() => 'done'))
  expect(tracesOf(secrets, store)).toEqual([])
})
