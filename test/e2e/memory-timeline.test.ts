import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvalidOption, type MessageInput, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { parseInput } from '../../packages/varve/src/operations/parse.ts'
import { userOperations } from '../../packages/varve/src/operations/user.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const clock = new ManualClock()
const shared = sharedMemory({ clock })
const day = 86_400_000
const at = (days: number): number => clock.now() - days * day

function said(content: string, daysAgo: number, more: Partial<MessageInput> = {}): MessageInput {
  return { role: 'user', content, at: at(daysAgo), ...more }
}

async function texts(ada: UserMemory, options: Parameters<UserMemory['timeline']>[0] = {}): Promise<string[]> {
  return (await ada.timeline(options)).map(({ content }) => content)
}

async function talk(ada: UserMemory): Promise<void> {
  await ada.append('harbour', [said('ferry', 3), said('rope', 1), said('You sell tickets.', 1, { role: 'system' })])
  await ada.append('bakery', [said('bread', 4), said('cake', 2), said('{"open":true}', 0, { role: 'tool' })])
}

test('the timeline shows the messages of all sessions by the time of saying, the newest first, or the oldest', async () => {
  const ada = shared.user()
  expect(await ada.timeline()).toEqual([])
  await talk(ada)
  const newest = ['{"open":true}', 'You sell tickets.', 'rope', 'cake', 'ferry', 'bread']
  expect(await texts(ada)).toEqual(newest)
  expect(await texts(ada, { order: 'oldest' })).toEqual(newest.toReversed())
  expect((await ada.timeline({ limit: 4 }))[3]).toEqual((await ada.messages('bakery'))[1])
})

test('a range of the timeline has both of its ends, and a bare day its whole day', async () => {
  const ada = shared.user()
  await talk(ada)
  expect(await texts(ada, { from: at(3), to: at(2) })).toEqual(['cake', 'ferry'])
  expect(await texts(ada, { from: at(3) + 1, to: new Date(at(2) - 1) })).toEqual([])
  expect(await texts(ada, { to: new Date(at(4)).toISOString().slice(0, 10) })).toEqual(['bread'])
  expect(await texts(ada, { from: at(1), order: 'oldest', limit: 2 })).toEqual(['rope', 'You sell tickets.'])
})

test('a page of the timeline tells where the next one begins, and a loop goes through all of them', async () => {
  const ada = shared.user()
  await talk(ada)
  const first = await ada.timeline({ limit: 4, to: at(1) })
  const second = await ada.timeline({ limit: 4, to: at(1), cursor: first.cursor })
  expect([...first, ...second].map(({ content }) => content)).toEqual(['You sell tickets.', 'rope', 'cake', 'ferry', 'bread'])
  expect(second.cursor).toBeUndefined()
  const all: string[] = []
  for await (const { content } of ada.timeline({ limit: 1, from: at(3), order: 'oldest' })) all.push(content)
  expect(all).toEqual(['ferry', 'cake', 'rope', 'You sell tickets.', '{"open":true}'])
  // A cursor belongs to its order and its list.
  for (const call of [
    () => ada.timeline({ cursor: first.cursor, order: 'oldest' }),
    () => ada.sessions.list({ cursor: first.cursor }),
    () => ada.timeline({ cursor: 'x' }),
  ])
    expect(await rejection(call())).toMatchObject({ option: 'cursor' })
  for (const wrong of [{ order: 'upwards' }, { limit: 0 }, { from: 'yesterday' }, { sesion: 'x' }])
    expect(() => parseInput(userOperations.timeline, wrong)).toThrow(InvalidOption)
})

test('messages that are stored or forgotten between two pages of the timeline hide no other', async () => {
  const ada = shared.user()
  await talk(ada)
  const first = await ada.timeline({ limit: 2 })
  const last = first[1]?.id ?? ''
  await ada.forget({ messages: [last] })
  await ada.append('harbour', [said('anchor', 1), said('tar', 5)])
  await ada.replace(first[0]?.id ?? '', 'closed')
  expect(await texts(ada, { cursor: first.cursor })).toEqual(['rope', 'cake', 'ferry', 'bread', 'tar'])
  expect(await texts(ada)).toEqual(['closed', 'anchor', 'rope', 'cake', 'ferry', 'bread', 'tar'])
  await ada.sessions.delete('bakery')
  expect(await texts(ada)).toEqual(['anchor', 'rope', 'ferry', 'tar'])
})

test('a page of the timeline over 16 MiB of text ends early, with a cursor', async () => {
  const ada = shared.user()
  const mib = 'x'.repeat(1024 * 1024)
  for (let place = 0; place < 20; place += 1) await ada.append('long', said(mib, 20 - place))
  const page = await ada.timeline()
  expect(page).toHaveLength(16)
  expect(await ada.timeline({ cursor: page.cursor })).toHaveLength(4)
})

test('all pages of the timeline are all messages in order, whatever the range and the size of a page', async () => {
  let users = 0
  const message = fc.record({ session: fc.constantFrom('one', 'two', 'three'), ago: fc.integer({ min: -8, max: 300 }), words: fc.nat(400) })
  const range = fc.tuple(fc.integer({ min: -10, max: 310 }), fc.integer({ min: -10, max: 310 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 60 }),
      range,
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom('newest' as const, 'oldest' as const),
      async (messages, [a, b], limit, order) => {
        users += 1
        const ada = shared.memory.for({ project: 'property', user: `user ${users}` })
        const stored: { readonly id: string; readonly ago: number }[] = []
        for (const { session, ago, words } of messages) {
          const content = Array.from({ length: words + 1 }, (_, word) => `w${users}x${stored.length}x${word}`).join(' ')
          const appended = await ada.append(session, { role: 'user', content, at: clock.now() - ago * 60_000 })
          stored.push({ id: appended.messages[0]?.id ?? '', ago })
        }
        const [most, least] = [Math.max(a, b), Math.min(a, b)]
        const wanted = stored
          .map((one, place) => ({ ...one, place }))
          .filter(({ ago }) => ago <= most && ago >= least)
          .toSorted((x, y) => y.ago - x.ago || x.place - y.place)
          .map(({ id }) => id)
        const found: string[] = []
        const times = { from: clock.now() - most * 60_000, to: clock.now() - least * 60_000 }
        for await (const { id } of ada.timeline({ limit, order, ...times })) {
          found.push(id)
          // Pages that do not go on would never end.
          if (found.length > stored.length) break
        }
        expect(found).toEqual(order === 'oldest' ? wanted : wanted.toReversed())
      },
    ),
    { numRuns: runs(40) },
  )
})

// requirement: P2.1
test('nobody else’s messages are in a timeline, whatever the cursor', async () => {
  const [ada, bob] = [shared.user(), shared.user()]
  await talk(ada)
  await bob.append('harbour', [said('his own', 2)])
  const { cursor } = await ada.timeline({ limit: 1 })
  for (const options of [{}, { cursor }, { order: 'oldest' as const }, { from: at(9), to: at(0) }]) {
    const seen = await texts(bob, options)
    expect(seen.filter((text) => text !== 'his own')).toEqual([])
  }
  expect((await bob.recall('', { from: at(9) })).hits.map(({ text }) => text)).toEqual(['his own'])
})

test('a recall that asks nothing but names a time finds the newest messages of that time', async () => {
  const ada = shared.user()
  await talk(ada)
  await ada.append('harbour', [said('storm', 2, { metadata: { sea: 'rough' } })])
  const found = async (options: Parameters<UserMemory['recall']>[1], query = '') =>
    (await ada.recall(query, options)).hits.map(({ text }) => text)
  expect(await found({ from: at(3) })).toEqual(['{"open":true}', 'rope', 'storm', 'cake', 'ferry'])
  expect(await found({ to: at(1) }, ' \n')).toEqual(['rope', 'storm', 'cake', 'ferry', 'bread'])
  expect(await found({ to: at(1), limit: 2 })).toEqual(['rope', 'storm'])
  expect(await found({ from: at(3), session: 'bakery' })).toEqual(['{"open":true}', 'cake'])
  expect(await found({ from: at(3), excludeSession: 'bakery' })).toEqual(['rope', 'storm', 'ferry'])
  expect(await found({ from: at(9), session: 'nowhere' })).toEqual([])
  expect(await found({ from: at(9), metadata: { sea: 'rough' } })).toEqual(['storm'])
  // No score can be given without a question, and nothing is found where neither is asked.
  expect(await found({ from: at(9), minScore: 0.1 })).toEqual([])
  expect(await found({})).toEqual([])
  expect(await found({ from: at(9), kinds: ['gist'] })).toEqual([])
  const { hits, ...rest } = await ada.recall('', { from: at(3), to: at(2), neighbours: 1 })
  expect(rest).toEqual({ degraded: [] })
  expect(hits[1]).toMatchObject({
    text: 'cake',
    score: 0,
    signals: [],
    seq: 2,
    neighbours: [{ content: 'bread' }, { content: '{"open":true}' }],
  })
})

test('a recall that asks nothing looks behind messages that its filter leaves out', async () => {
  const ada = shared.user()
  await ada.append('talk', [said('the first', 9, { metadata: { kept: true } })])
  await ada.append(
    'talk',
    Array.from({ length: 300 }, (_, place) => said(`noise ${place}`, 3)),
  )
  expect((await ada.recall('', { from: at(10), metadata: { kept: true } })).hits.map(({ text }) => text)).toEqual(['the first'])
})
