import { expect, test } from 'vitest'
import { NotFound, type UserMemory } from '../../packages/varve/src/index.ts'
import { rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ isolation: 'silent' })

/** Makes every call that takes the id of something in the store. */
function callsWith(handle: UserMemory, session: string, message: string): Record<string, () => Promise<unknown>> {
  return {
    'sessions.get': () => handle.sessions.get(session),
    'sessions.rename': () => handle.sessions.rename(session, 'taken over'),
    'sessions.share': () => handle.sessions.share(session, true),
    'sessions.delete': () => handle.sessions.delete(session),
    'forget session': () => handle.forget({ session }),
    'forget session before': () => handle.forget({ session, before: Date.now() + 1_000 }),
    'preview session': () => handle.previewForget({ session }),
    'forget message': () => handle.forget({ messages: [message] }),
    'preview message': () => handle.previewForget({ messages: [message] }),
    replace: () => handle.replace(message, 'taken over'),
  }
}

async function state(handle: UserMemory): Promise<unknown> {
  return { sessions: await handle.sessions.list(), messages: await handle.messages('hers'), found: await handle.recall('secret') }
}

// requirement: P2.1
test('ids of another partition are not found, by one who has messages of his own, one who has none, and the anonymous user', async () => {
  const { memory } = shared
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const { messages } = await ada.append('hers', [
    { role: 'user', content: 'the secret is safe' },
    { role: 'assistant', content: 'a secret it stays' },
  ])
  await ada.sessions.rename('hers', 'Hers')
  const before = await state(ada)
  const strangers = [
    memory.for({ project: 'acme', user: 'bob' }),
    memory.for({ project: 'acme', user: 'nobody yet' }),
    memory.for({ project: 'acme' }),
    memory.for({ project: 'other', user: 'ada' }),
    memory.for('ada'),
  ]
  // The same ordinals as hers: an id may not be found by its place alone.
  await strangers[0]?.append('his', [
    { role: 'user', content: 'mine' },
    { role: 'user', content: 'mine too' },
  ])
  for (const stranger of strangers) {
    for (const { id } of messages) {
      for (const [name, call] of Object.entries(callsWith(stranger, 'hers', id))) {
        const error = await rejection(call())
        expect(error, name).toBeInstanceOf(NotFound)
        expect(String(error), name).not.toMatch(/\bada\b|acme|secret/)
      }
    }
    expect(await stranger.messages('hers')).toEqual([])
    expect((await stranger.timeline()).map(({ session }) => session)).not.toContain('hers')
    expect((await stranger.recall('secret', { session: 'hers' })).hits).toEqual([])
  }
  expect(await state(ada)).toEqual(before)
})

// requirement: P2.2
test('an id that never was is answered in the same words as another partition’s', async () => {
  const [ada, bob] = [shared.user(), shared.user()]
  const {
    messages: [hers],
  } = await ada.append('hers', { role: 'user', content: 'the secret is safe' })
  const id = hers?.id ?? ''
  const never = `${id.slice(0, 14)}7${id.slice(15, 20)}abcd-abcdabcdabcd`.slice(0, 36)
  for (const name of ['forget message', 'preview message', 'replace'] as const) {
    const [other, absent] = [
      await rejection(callsWith(bob, 'hers', id)[name]?.() ?? Promise.resolve()),
      await rejection(callsWith(bob, 'hers', never)[name]?.() ?? Promise.resolve()),
    ]
    expect(String(other).replaceAll(id, '#')).toBe(String(absent).replaceAll(never, '#'))
  }
})

test('what is no id at all is not found either, and nothing is erased by it', async () => {
  const ada = shared.user()
  await ada.append('talk', { role: 'user', content: 'stays' })
  for (const id of [
    '',
    '*',
    '%',
    'x',
    '1',
    "' OR 1=1 --",
    '00000000-0000-0000-0000-000000000000',
    '00000000-0000-7000-8000-000000000001',
  ]) {
    expect(await rejection(ada.forget({ messages: [id] }))).toBeInstanceOf(NotFound)
    expect(await rejection(ada.replace(id, 'new'))).toBeInstanceOf(NotFound)
    expect(await rejection(shared.memory.receipts.get(id))).toBeInstanceOf(NotFound)
  }
  // Nothing of these two can be made a text.
  for (const id of [Object.create(null), { toString: 5 }]) expect(await rejection(shared.memory.receipts.get(id))).toBeInstanceOf(NotFound)
  expect(await ada.messages('talk')).toHaveLength(1)
})

// requirement: P3.10
test('one forged id among real ones refuses the whole forget', async () => {
  const [ada, bob] = [shared.user(), shared.user()]
  const {
    messages: [hers],
  } = await ada.append('talk', { role: 'user', content: 'hers' })
  const {
    messages: [his],
  } = await bob.append('talk', { role: 'user', content: 'his' })
  expect(await rejection(bob.forget({ messages: [his?.id ?? '', hers?.id ?? ''] }))).toBeInstanceOf(NotFound)
  expect(await bob.messages('talk')).toHaveLength(1)
})

test('the same session name in two partitions is two sessions', async () => {
  const [ada, bob] = [shared.user(), shared.user()]
  await ada.sessions.ensure('talk', { name: 'Hers', metadata: { mood: 'glad' } })
  await bob.append('talk', { role: 'user', content: 'his' })
  await ada.sessions.rename('talk', 'Still hers')
  await ada.sessions.share('talk', true)
  expect(await bob.sessions.get('talk')).toMatchObject({ id: 'talk', messages: 1 })
  expect(await bob.sessions.get('talk')).not.toHaveProperty('share')
  expect(await bob.sessions.get('talk')).not.toHaveProperty('name')
  await ada.sessions.delete('talk')
  expect(await bob.messages('talk')).toHaveLength(1)
})
