import { describe, expect, test } from 'vitest'
import { InvalidOption, NotFound, type UserMemory } from '../../packages/varve/src/index.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

const said = (content: string, id: string) => ({ role: 'user' as const, content, id })

async function filled(): Promise<{ ada: UserMemory; bob: UserMemory; ids: Map<string, string> }> {
  const memory = await openForTest({ embeddingModel: false })
  const [ada, bob] = [memory.for('ada'), memory.for('bob')]
  const ids = new Map<string, string>()
  const messages = [said('The pier is wooden.', 'm1'), said('The lamp is brass.', 'm2')]
  for (const one of (await ada.append('monday', messages)).messages) ids.set(`monday ${one.externalId}`, one.id)
  for (const one of (await ada.append('tuesday', [said('The key hangs left.', 'm1'), said('The ferry is late.', 'm3')])).messages)
    ids.set(`tuesday ${one.externalId}`, one.id)
  await bob.append('monday', [said('The pin of Bob.', 'm3'), said('The rope of Bob.', 'only-bob')])
  return { ada, bob, ids }
}

const contents = async (handle: UserMemory, session: string): Promise<string[]> =>
  (await handle.messages(session)).map(({ content }) => content)

describe('a message is named by the host’s own id', () => {
  test('in replace and forget, where one session alone has it', async () => {
    const { ada, ids } = await filled()
    const { message } = await ada.replace('m2', 'The lamp is copper.')
    expect(message).toMatchObject({ id: ids.get('monday m2'), externalId: 'm2', content: 'The lamp is copper.' })
    expect(await ada.previewForget({ messages: ['m3'] })).toMatchObject({ message: 1 })
    expect((await ada.forget({ messages: ['m3', ids.get('monday m2') ?? ''] })).counts).toMatchObject({ message: 2 })
    expect([...(await contents(ada, 'monday')), ...(await contents(ada, 'tuesday'))]).toEqual([
      'The pier is wooden.',
      'The key hangs left.',
    ])
  })

  test('with its session, where several have it; without, that is refused and nothing changes', async () => {
    const { ada } = await filled()
    for (const call of [
      () => ada.replace('m1', 'x'),
      () => ada.forget({ messages: ['m1'] }),
      () => ada.previewForget({ messages: ['m1'] }),
    ]) {
      const error = await rejection(call())
      expect(error).toBeInstanceOf(InvalidOption)
      expect(String(error)).toMatch(/\{ session, externalId \}: several sessions have this id, one of them "(?:mon|tues)day"/)
    }
    await ada.replace({ session: 'tuesday', externalId: 'm1' }, 'The key hangs right.')
    expect(await contents(ada, 'tuesday')).toEqual(['The key hangs right.', 'The ferry is late.'])
    expect((await ada.forget({ session: 'monday', messages: ['m1'] })).counts).toMatchObject({ message: 1 })
    expect((await ada.forget({ messages: [{ session: 'tuesday', externalId: 'm1' }] })).counts).toMatchObject({ message: 1 })
    expect([await contents(ada, 'monday'), await contents(ada, 'tuesday')]).toEqual([['The lamp is brass.'], ['The ferry is late.']])
  })

  test('in the user’s own memory only', async () => {
    const { ada, bob } = await filled()
    const calls = [
      () => ada.replace('only-bob', 'x'),
      () => ada.replace({ session: 'monday', externalId: 'only-bob' }, 'x'),
      () => ada.forget({ messages: ['only-bob'] }),
      () => ada.forget({ session: 'monday', messages: ['m3'] }),
      () => ada.previewForget({ messages: [{ session: 'monday', externalId: 'm3' }] }),
    ]
    for (const call of calls) expect(await rejection(call())).toBeInstanceOf(NotFound)
    expect(await contents(bob, 'monday')).toEqual(['The pin of Bob.', 'The rope of Bob.'])
    expect(await contents(ada, 'monday')).toHaveLength(2)
  })

  test('and one that looks like Varve’s id of another message reaches neither that one nor itself by it', async () => {
    const { ada, bob, ids } = await filled()
    const target = ids.get('monday m1') ?? ''
    await ada.append('crafted', said('I look like another.', target))
    await bob.append('crafted', said('So do I.', target))
    await ada.replace(target, 'The pier is stone.')
    expect(await contents(ada, 'monday')).toEqual(['The pier is stone.', 'The lamp is brass.'])
    expect(await contents(ada, 'crafted')).toEqual(['I look like another.'])
    await ada.forget({ messages: [{ session: 'crafted', externalId: target }] })
    expect(await contents(ada, 'crafted')).toEqual([])
    expect(await contents(ada, 'monday')).toEqual(['The pier is stone.', 'The lamp is brass.'])
    expect(await contents(bob, 'crafted')).toEqual(['So do I.'])
    // With a session that has no such id, Varve's id in its place finds nothing.
    expect(await rejection(ada.replace({ session: 'tuesday', externalId: target }, 'x'))).toBeInstanceOf(NotFound)
  })

  test('of over a thousand sessions too, and of at most a hundred such ids a call', async () => {
    const { ada } = await filled()
    await Promise.all(Array.from({ length: 1_100 }, (_, at) => ada.append(`s${at}`, said(`Words ${at}.`, `x${at}`))))
    await ada.append('zz', said('The last one.', 'last'))
    expect((await ada.replace('last', 'The very last.')).message.session).toBe('zz')
    const many = Array.from({ length: 101 }, (_, at) => `x${at}`)
    expect(await rejection(ada.forget({ messages: many }))).toBeInstanceOf(InvalidOption)
    expect((await ada.forget({ messages: many.slice(1) })).counts).toMatchObject({ message: 100 })
  })

  test.each([
    {},
    { session: 'monday' },
    { externalId: 'm1' },
    { session: 'monday', externalId: 7 },
    { session: '..', externalId: 'm1' },
    7,
    null,
  ])('and %j names none', async (reference) => {
    const { ada } = await filled()
    expect(await rejection(Reflect.apply(ada.replace, ada, [reference, 'x']))).toMatchObject({
      code: expect.stringMatching(/OPTION_INVALID|SCOPE_INVALID/),
    })
    expect(await rejection(Reflect.apply(ada.forget, ada, [{ messages: [reference] }]))).toMatchObject({
      code: expect.stringMatching(/OPTION_INVALID|SCOPE_INVALID/),
    })
  })
})
