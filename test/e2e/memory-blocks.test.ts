import { describe, expect, test } from 'vitest'
import { Cancelled, InvalidOption, InvalidScope, LimitExceeded, NotFound, openMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false })
const names = (blocks: readonly { readonly name: string }[]): string[] => blocks.map(({ name }) => name)

describe('a block', () => {
  test('is what was set, with its place, its length, its cap and who wrote it', async () => {
    const clock = new ManualClock()
    const ada = (await openForTest({ clock })).for('ada')
    const made = await ada.blocks.set('habits', 'Ada waters the figs on Mondays.')
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'habits',
      text: 'Ada waters the figs on Mondays.',
      scope: 'user',
      position: 1,
      chars: 31,
      maxChars: 5_000,
      revision: 1,
      writer: 'person',
      createdAt: clock.now(),
      updatedAt: clock.now(),
    })
    expect(await ada.blocks.get('habits')).toEqual(made)
    clock.advance(1_000)
    const changed = await ada.blocks.set('habits', 'On Tuesdays.', { maxChars: 200 })
    expect(changed).toEqual({ ...made, text: 'On Tuesdays.', chars: 12, maxChars: 200, revision: 2, updatedAt: clock.now() })
    clock.advance(1_000)
    expect(await ada.blocks.set('habits', 'On Tuesdays.')).toEqual(changed)
    expect(await ada.blocks.set('habits', 'On Tuesdays.', { maxChars: 100 })).toEqual({ ...changed, maxChars: 100 })
    expect(await ada.blocks.revisions('habits')).toHaveLength(2)
    expect(await ada.blocks.get('Habits')).toBeUndefined()
  })

  // requirement: PART-1
  test('keeps its place when it is set, a new one goes last, and those after one that is deleted move up', async () => {
    const ada = shared.user()
    for (const name of ['one', 'two', 'three', 'four']) await ada.blocks.set(name, name)
    await ada.blocks.set('two', 'two again')
    await ada.blocks.append('one', 'more')
    expect(names(await ada.blocks.list())).toEqual(['one', 'two', 'three', 'four'])
    await ada.blocks.delete('two')
    expect((await ada.blocks.list()).map(({ name, position }) => [name, position])).toEqual([
      ['one', 1],
      ['three', 2],
      ['four', 3],
    ])
    expect(await ada.blocks.set('two', 'back')).toMatchObject({ position: 4, revision: 1 })
    expect(names(await ada.blocks.reorder(['two', 'four']))).toEqual(['two', 'four', 'one', 'three'])
    expect((await ada.blocks.list()).map(({ name, position }) => [name, position])).toEqual([
      ['two', 1],
      ['four', 2],
      ['one', 3],
      ['three', 4],
    ])
    expect(await rejection(ada.blocks.reorder(['two', 'five']))).toBeInstanceOf(NotFound)
    expect(await rejection(ada.blocks.reorder(['two', 'one', 'two']))).toBeInstanceOf(InvalidOption)
    expect(names(await ada.blocks.list())).toEqual(['two', 'four', 'one', 'three'])
  })

  // requirement: PART-2
  test('an edit that names another revision than the one that stands changes nothing', async () => {
    const ada = shared.user().blocks
    const stale = (expected: number, standing: number) => ({ code: 'STALE_REVISION', page: 'plan', expected, standing })
    expect(await rejection(ada.set('plan', 'too early', { revision: 1 }))).toMatchObject(stale(1, 0))
    expect(await ada.get('plan')).toBeUndefined()
    expect((await ada.set('plan', 'first', { revision: 0 })).revision).toBe(1)
    expect((await ada.set('plan', 'second', { revision: 1 })).revision).toBe(2)
    expect(await rejection(ada.set('plan', 'of the first', { revision: 1 }))).toMatchObject(stale(1, 2))
    expect((await ada.get('plan'))?.text).toBe('second')
  })

  test('append makes it or adds to it, with the separator between', async () => {
    const ada = shared.user()
    expect(await ada.blocks.append('todo', 'caulk the skiff')).toMatchObject({ text: 'caulk the skiff', revision: 1 })
    expect(await ada.blocks.append('todo', 'buy oakum')).toMatchObject({ text: 'caulk the skiff\nbuy oakum', revision: 2 })
    expect(await ada.blocks.append('todo', '!', { separator: '' })).toMatchObject({ text: 'caulk the skiff\nbuy oakum!' })
    expect(await ada.blocks.append('todo', 'x', { separator: ' · ' })).toMatchObject({ text: 'caulk the skiff\nbuy oakum! · x' })
  })

  test('comes back byte for byte, whatever letters and breaks it has', async () => {
    const ada = shared.user()
    for (const [place, text] of [
      '  indented\r\n\ttab\u2028line ',
      '👩‍🚒 e\u0301 é 北京',
      '-- \'; DROP TABLE block; "',
      '</memory mark="x">',
      'a'.repeat(5_000),
    ].entries()) {
      await ada.blocks.set(`böck ${place} 🪵`, text)
      expect((await ada.blocks.get(`böck ${place} 🪵`))?.text).toBe(text)
    }
  })

  test('is refused where it says nothing or cannot be stored, and so are names, caps and separators that cannot be', async () => {
    const { blocks } = shared.user()
    /** Calls a method as JavaScript may. */
    const call = (method: 'append' | 'get' | 'reorder' | 'restore' | 'set', ...given: unknown[]): Promise<unknown> =>
      Reflect.apply(blocks[method], blocks, given)
    await blocks.set('kept', 'as it was')
    for (const text of ['', ' \n\t', 'nul\0', 'lone \ud800', 7, undefined]) {
      expect(await rejection(call('set', 'kept', text)), String(text)).toBeInstanceOf(InvalidOption)
      expect(await rejection(call('append', 'kept', text)), String(text)).toBeInstanceOf(InvalidOption)
    }
    expect(await rejection(blocks.set('kept', ''))).toMatchObject({ message: expect.stringContaining('deleted') })
    for (const name of ['', ' ', '.', '..', '~', 'nul\0', '\udfff', 'ü'.repeat(129), null, {}]) {
      expect(await rejection(call('set', name, 'text')), String(name)).toBeInstanceOf(InvalidOption)
      expect(await rejection(call('get', name)), String(name)).toBeInstanceOf(InvalidOption)
    }
    for (const maxChars of [0, 100_001, 1.5, Number.NaN, '7'])
      expect(await rejection(call('set', 'kept', 'x', { maxChars }))).toBeInstanceOf(InvalidOption)
    for (const separator of ['\0', 'x'.repeat(2_000), 3])
      expect(await rejection(call('append', 'kept', 'x', { separator }))).toBeInstanceOf(InvalidOption)
    for (const revision of [0, -1, 1.5, '1']) expect(await rejection(call('restore', 'kept', revision))).toBeInstanceOf(InvalidOption)
    expect(await rejection(call('reorder', 'kept'))).toBeInstanceOf(InvalidOption)
    expect(await rejection(call('reorder', Object.assign([], { length: 2 })))).toBeInstanceOf(InvalidOption)
    expect(await rejection(blocks.list({ session: '..' }))).toBeInstanceOf(InvalidScope)
    expect(await rejection(blocks.list({ signal: AbortSignal.abort() }))).toBeInstanceOf(Cancelled)
    expect((await blocks.list()).map(({ name, text, revision }) => [name, text, revision])).toEqual([['kept', 'as it was', 1]])
  })

  test('what is not there is undefined to get, and not found to all that would change it', async () => {
    const { blocks } = shared.user()
    expect(await blocks.get('none')).toBeUndefined()
    expect(await blocks.list({ session: 'none' })).toEqual([])
    for (const attempt of [
      () => blocks.delete('none'),
      () => blocks.restore('none', 1),
      () => blocks.revisions('none'),
      () => blocks.reorder(['none']),
      () => blocks.delete('none', { session: 'none' }),
    ]) {
      expect(await rejection(attempt())).toMatchObject({ code: 'NOT_FOUND', kind: 'block', id: 'none' })
    }
    await blocks.set('some', 'text')
    expect(await rejection(blocks.restore('some', 2))).toMatchObject({ code: 'NOT_FOUND', kind: 'block revision', id: '2' })
  })
})

describe('caps', () => {
  // requirement: PART-3
  test('a text over the cap is refused with its length and the cap, and nothing is changed', async () => {
    const ada = shared.user()
    await ada.blocks.set('log', 'x'.repeat(90), { maxChars: 100 })
    const before = await ada.blocks.get('log')
    expect(await rejection(ada.blocks.append('log', 'y'.repeat(10)))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      unit: 'characters',
      count: 101,
      most: 100,
      isRetryable: false,
    })
    expect(await rejection(ada.blocks.set('log', 'z'.repeat(101)))).toMatchObject({ count: 101, most: 100 })
    expect(await rejection(ada.blocks.set('log', 'x'.repeat(90), { maxChars: 89 }))).toMatchObject({ count: 90, most: 89 })
    expect(await rejection(ada.blocks.set('new', 'x'.repeat(5_001)))).toBeInstanceOf(LimitExceeded)
    expect(await ada.blocks.list()).toEqual([before])
    expect((await ada.blocks.append('log', 'y'.repeat(9))).chars).toBe(100)
    expect((await ada.blocks.set('large', 'ü'.repeat(100_000), { maxChars: 100_000 })).chars).toBe(100_000)
  })

  test('a refused first block leaves no session and no user behind', async () => {
    const memory = await openForTest()
    expect(
      await rejection(memory.for({ project: 'acme', user: 'eve' }).blocks.set('log', 'x'.repeat(5_001), { session: 'talk' })),
    ).toBeInstanceOf(LimitExceeded)
    expect(await memory.project('acme').users()).toEqual([])
  })

  test('a scope has a hundred blocks, and those of a session are counted apart', async () => {
    const ada = shared.user()
    for (let place = 0; place < 100; place += 1) await ada.blocks.set(`block ${place}`, 'x')
    expect(await rejection(ada.blocks.set('one more', 'x'))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      unit: 'blocks',
      count: 101,
      most: 100,
    })
    expect(await rejection(ada.blocks.append('one more', 'x'))).toBeInstanceOf(LimitExceeded)
    await ada.blocks.set('block 7', 'changed')
    expect(await ada.blocks.set('one more', 'x', { session: 'talk' })).toMatchObject({ position: 1 })
  })
})

describe('revisions', () => {
  // requirement: PART-4
  test('each text makes one, the newest first; restoring makes another; the same text none', async () => {
    const clock = new ManualClock()
    const ada = (await openForTest({ clock })).for('ada')
    const start = clock.now()
    for (const text of ['first', 'second', 'second']) {
      await ada.blocks.set('note', text)
      clock.advance(1_000)
    }
    await ada.blocks.append('note', 'third')
    expect(await ada.blocks.restore('note', 1)).toMatchObject({ text: 'first', revision: 4 })
    expect(await ada.blocks.restore('note', 1)).toMatchObject({ text: 'first', revision: 4 })
    const told = { writer: 'person', lineage: [] }
    expect(await ada.blocks.revisions('note')).toEqual([
      { revision: 4, text: 'first', chars: 5, at: start + 3_000, ...told },
      { revision: 3, text: 'second\nthird', chars: 12, at: start + 3_000, ...told },
      { revision: 2, text: 'second', chars: 6, at: start + 1_000, ...told },
      { revision: 1, text: 'first', chars: 5, at: start, ...told },
    ])
    expect((await ada.blocks.revisions('note', { limit: 1 })).map(({ revision }) => revision)).toEqual([4])
    await ada.blocks.set('note', 'x', { maxChars: 4 })
    expect(await rejection(ada.blocks.restore('note', 1))).toMatchObject({ code: 'LIMIT_EXCEEDED', count: 5, most: 4 })
  })

  test('the newest hundred are kept', async () => {
    const ada = shared.user()
    for (let number = 1; number <= 103; number += 1) await ada.blocks.set('note', `text ${number}`)
    const kept = await ada.blocks.revisions('note')
    expect([kept.length, kept[0]?.revision, kept.at(-1)?.revision, kept.at(-1)?.text]).toEqual([100, 103, 4, 'text 4'])
    expect(await rejection(ada.blocks.restore('note', 3))).toBeInstanceOf(NotFound)
  })
})

describe('whose they are', () => {
  // requirement: P2.9
  test("no user reads or writes another's, nor another project's, nor a look-alike's", async () => {
    const memory = await openForTest()
    const handles = [
      { project: 'acme', user: 'ada' },
      { project: 'acme', user: 'Ada' },
      { project: 'acme', user: 'ada ' },
      { project: 'acme', user: '*' },
      { project: 'acme', user: '%' },
      { project: 'acme' },
      { project: 'other', user: 'ada' },
    ].map((scope) => memory.for(scope))
    for (const [place, handle] of handles.entries()) await handle.blocks.set('secret', `of ${place}`, { session: 'talk' })
    for (const [place, handle] of handles.entries()) await handle.blocks.set('secret', `of ${place}`)
    await handles[0]?.blocks.set('only hers', 'x')
    await handles[0]?.blocks.delete('secret')
    for (const [place, handle] of handles.entries()) {
      expect((await handle.blocks.list()).map(({ text }) => text)).toEqual(place === 0 ? ['x'] : [`of ${place}`])
      expect((await handle.blocks.list({ session: 'talk' })).map(({ text }) => text)).toEqual([`of ${place}`])
    }
  })

  test('those of a session stand apart, and the session is made for them', async () => {
    const ada = shared.user()
    await ada.blocks.set('plan', 'for good')
    expect(await ada.blocks.set('plan', 'for this talk', { session: 'talk' })).toMatchObject({
      scope: 'session',
      session: 'talk',
      position: 1,
      text: 'for this talk',
    })
    await ada.blocks.append('plan', 'more', { session: 'talk' })
    await ada.blocks.set('other', 'x', { session: 'talk' })
    expect(names(await ada.blocks.reorder(['other'], { session: 'talk' }))).toEqual(['other', 'plan'])
    expect(await ada.sessions.get('talk')).toMatchObject({ id: 'talk', messages: 0 })
    expect(await ada.blocks.get('plan')).toMatchObject({ text: 'for good', scope: 'user' })
    expect(await ada.blocks.get('plan', { session: 'talk' })).toMatchObject({ text: 'for this talk\nmore' })
    expect(await ada.blocks.get('plan', { session: 'another' })).toBeUndefined()
    expect(names(await ada.blocks.list())).toEqual(['plan'])
    await ada.blocks.restore('plan', 1, { session: 'talk' })
    expect((await ada.blocks.revisions('plan', { session: 'talk' })).map(({ text }) => text)).toEqual([
      'for this talk',
      'for this talk\nmore',
      'for this talk',
    ])
    await ada.blocks.delete('plan', { session: 'talk' })
    expect(names(await ada.blocks.list({ session: 'talk' }))).toEqual(['other'])
    expect(await ada.blocks.get('plan')).toMatchObject({ text: 'for good' })
  })

  // requirement: PART-5
  test("the project's are read by all of its members and written by the project alone; they are no user", async () => {
    const warnings: string[] = []
    const memory = await openForTest({ logger: { warn: (message) => void warnings.push(message) } })
    const acme = memory.project('acme')
    await acme.blocks.set('house rules', 'Hang the oars up.')
    const [ada, nobody, outsider] = [
      memory.for({ project: 'acme', user: 'ada' }),
      memory.for({ project: 'acme' }),
      memory.for({ project: 'other', user: 'ada' }),
    ]
    expect(await nobody.blocks.get('house rules')).toMatchObject({ scope: 'project', shared: true, position: 1, text: 'Hang the oars up.' })
    expect([await acme.users(), warnings, names(await outsider.blocks.list())]).toEqual([[], [], []])
    expect((await memory.projects.list()).map(({ name }) => name)).toEqual(['acme'])
    for (const attempt of [
      () => ada.blocks.delete('house rules'),
      () => ada.blocks.restore('house rules', 1),
      () => ada.blocks.reorder(['house rules']),
    ])
      expect(await rejection(attempt())).toBeInstanceOf(NotFound)
    await ada.blocks.set('mine', 'x')
    await ada.blocks.append('house rules', 'My own list.')
    expect((await ada.blocks.list()).map(({ name, scope, text }) => [name, scope, text])).toEqual([
      ['mine', 'user', 'x'],
      ['house rules', 'user', 'My own list.'],
      ['house rules', 'project', 'Hang the oars up.'],
    ])
    expect(await ada.blocks.get('house rules')).toMatchObject({ text: 'My own list.' })
    await ada.blocks.delete('house rules')
    expect((await ada.blocks.revisions('house rules')).map(({ text }) => text)).toEqual(['Hang the oars up.'])
    expect((await acme.blocks.list()).map(({ text, shared: isShared }) => [text, isShared])).toEqual([['Hang the oars up.', true]])
    expect(await rejection(acme.blocks.set('x', 'y', { session: 'talk' }))).toBeInstanceOf(InvalidOption)
    expect(await memory.upkeep.run()).toMatchObject({ settled: true })
  })
})

describe('what others do at the same time', () => {
  test('two memories on one file append to one block, and nothing is lost', async () => {
    const store = newStore()
    const memories = [await openForTest({ store }), await openForTest({ store })]
    const appending = memories.flatMap((memory, which) =>
      Array.from({ length: 40 }, (_, line) => memory.for('ada').blocks.append('log', `${which}:${line}`)),
    )
    await Promise.all(appending)
    const block = await memories[0]?.for('ada').blocks.get('log')
    expect(block?.text.split('\n').toSorted()).toEqual(
      [0, 1].flatMap((which) => Array.from({ length: 40 }, (_, line) => `${which}:${line}`)).toSorted(),
    )
    expect(block?.revision).toBe(80)
    expect(await memories[1]?.for('ada').blocks.get('log')).toEqual(block)
  })

  // requirement: PART-6
  test('what was set is there after a restart', async () => {
    const store = newStore()
    const first = await openMemory({ store, upkeep: 'manual' })
    await first.for('ada').blocks.set('habits', 'Ada waters the figs.', { maxChars: 70 })
    await first.for('ada').blocks.set('plan', 'x', { session: 'talk' })
    await first.project('default').blocks.set('rules', 'Hang the oars up.')
    const before = [await first.for('ada').blocks.list(), await first.for('ada').blocks.list({ session: 'talk' })]
    await first.close()
    const again = (await openForTest({ store })).for('ada')
    expect([await again.blocks.list(), await again.blocks.list({ session: 'talk' })]).toEqual(before)
    expect(before[0]).toHaveLength(2)
  })
})

test('a block is found for what it says, not for what stands beside it; options that are not known are refused', async () => {
  const memory = await openForTest()
  const ada = memory.for('ada')
  for (const [name, text] of [
    ['shopping', 'oakum oakum oakum'],
    ['style', 'Answer shortly.'],
    ['tasks', 'Paint the hull.'],
    ['long', 'The boat needs oakum in the seams, says Tor.'],
  ] as const)
    await ada.blocks.set(name, text)
  const { hits } = await ada.recall('oakum', { kinds: ['block'] })
  expect(hits.map((hit) => hit.name)).toEqual(['shopping', 'long'])
  for (const options of ['{"sesion":"monday"}', '{"maxchars":5}'])
    expect(await rejection(ada.blocks.set('style', 'x', JSON.parse(options)))).toBeInstanceOf(InvalidOption)
  expect(await rejection(ada.blocks.list(Object.fromEntries([['session', undefined]])))).toBeInstanceOf(InvalidScope)
  for (const name of ['two\nlines', ' led by a blank', 'bell\u0007'])
    expect(await rejection(ada.blocks.set(name, 'x'))).toBeInstanceOf(InvalidOption)
})
