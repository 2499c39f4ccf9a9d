import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../fixtures/text/any-character.ts'
import { InvalidScope, type Memory, NotFound } from '../../packages/varve/src/index.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const shared = sharedMemory()

const symbol = Symbol('user')
const notNames: readonly (readonly [what: unknown, shownAs: string])[] = [
  [undefined, 'undefined'],
  [null, 'null'],
  ['', 'an empty string'],
  [' ', 'a blank string of 1 character'],
  ['\t\n\u00a0\u2003\ufeff', 'a blank string of 5 characters'],
  [{}, 'an object of 0 fields'],
  [['a', 'b'], 'an array of 2'],
  [[], 'an array of 0'],
  [{ $ne: 1 }, 'an object of 1 field'],
  [0, '0'],
  [Number.NaN, 'NaN'],
  [true, 'true'],
  [10n, 'a bigint'],
  [symbol, 'a symbol'],
  [() => 'ada', 'a function'],
  [new String('ada'), 'an object of 3 fields'],
  [{ toString: () => 'ada' }, 'an object of 1 field'],
  ['a\0b', 'a string of 3 characters'],
  ['\0', 'a string of 1 character'],
  ['.', 'a string of 1 character'],
  ['..', 'a string of 2 characters'],
  ['~', 'a string of 1 character'],
  ['\ud800', 'a string of 1 character'],
  ['x\udc00', 'a string of 2 characters'],
  ['x'.repeat(257), 'a string of 257 characters'],
  ['😀'.repeat(65), 'a string of 130 characters'],
]

/** Gives the arguments that a user of plain JavaScript may pass. */
function pass(value: unknown): never {
  return value as never
}

const places: readonly (readonly [field: string, use: (memory: Memory, value: unknown) => unknown])[] = [
  ['user', (memory, value) => memory.for({ user: pass(value) })],
  ['user', (memory, value) => memory.for({ project: 'acme', user: pass(value) })],
  ['project', (memory, value) => memory.for({ project: pass(value) })],
  ['project', (memory, value) => memory.for({ project: pass(value), user: 'ada' })],
  ['project', (memory, value) => memory.project(pass(value))],
  ['project', (memory, value) => memory.projects.create(pass(value))],
  ['project', (memory, value) => memory.projects.delete(pass(value))],
  ['session', (memory, value) => memory.for('ada').append(pass(value), { role: 'user', content: 'x' })],
  ['session', (memory, value) => memory.for('ada').messages(pass(value))],
  ['session', (memory, value) => memory.for('ada').sessions.ensure(pass(value))],
  ['session', (memory, value) => memory.for('ada').sessions.get(pass(value))],
  ['session', (memory, value) => memory.for('ada').sessions.rename(pass(value), 'x')],
  ['session', (memory, value) => memory.for('ada').sessions.share(pass(value), true)],
  ['session', (memory, value) => memory.for('ada').sessions.delete(pass(value))],
]

// requirement: P2.5
test('what cannot name anything is refused everywhere, named in the error, and nothing is made of it', async () => {
  const memory = await openForTest()
  for (const [value, shownAs] of notNames) {
    for (const [field, use] of places) {
      const error = await rejection((async () => use(memory, value))())
      expect(error).toBeInstanceOf(InvalidScope)
      expect(error).toMatchObject({ field, code: 'SCOPE_INVALID', isRetryable: false })
      expect((error as InvalidScope).received).toContain(shownAs)
      expect((error as InvalidScope).message).toContain(`received ${shownAs}`)
    }
  }
  expect(await memory.projects.list()).toEqual([])
})

test('a scope that is no name and no { project, user } is refused', async () => {
  const { memory } = shared
  // An object without a key says nothing wrong: it is the anonymous user of project default.
  for (const [value] of notNames.filter(([, shownAs]) => shownAs !== 'an object of 0 fields')) {
    expect(() => memory.for(pass(value))).toThrow(InvalidScope)
  }
  expect(() => memory.for(pass({ project: 'acme', usr: 'ada' }))).toThrow(/"usr"/)
  expect(() => memory.for(pass({ project: 'acme', user: 'ada', $where: '1' }))).toThrow(InvalidScope)
})

/** Objects that name a user in another way than by fields of their own. Each was the anonymous user, whom everybody shares. */
const otherObjects: Readonly<Record<string, unknown>> = {
  'a promise of a scope': Promise.resolve({ user: 'ada' }),
  'a map': new Map([['user', 'ada']]),
  'the parameters of a request': new URLSearchParams('user=ada'),
  'an address': new URL('http://ada@localhost/'),
  'a day': new Date(0),
  'an object that inherits its user': Object.create({ user: 'ada' }),
  'an instance of a class': new (class Login {
    get user(): string {
      return 'ada'
    }
  })(),
}

// requirement: P2.5
test.each(Object.entries(otherObjects))('%s is no scope', (_, value) => {
  expect(() => shared.memory.for(pass(value))).toThrow(InvalidScope)
})

test('an object without a prototype is a scope', () => {
  expect(shared.memory.for(Object.assign(Object.create(null), { user: 'ada' })).scope).toMatchObject({ user: 'ada' })
})

const literalNames = [
  '*',
  '%',
  '_',
  'ALICE',
  'alice',
  'Alice',
  'bob/../alice',
  '/',
  '\\',
  '../alice',
  './alice',
  '~alice',
  '...',
  ' alice',
  'alice ',
  "' OR 1=1 --",
  "'; DROP TABLE message; --",
  '"alice"',
  '{"$ne":1}',
  '[object Object]',
  'undefined',
  'null',
  'anonymous',
  'shared',
  'default',
  'a\nb',
  '\u202Ealice',
  'é',
  'e\u0301',
  '😀'.repeat(64),
  '__proto__',
  'constructor',
  '%00',
  '\u0001',
  '0',
  '-1',
  'ａlice',
  'аlice',
  'ali\u200bce',
]

// requirement: P2.4
test('every other name is literal: users, sessions and projects that look alike are apart', async () => {
  const { memory } = shared
  for (const name of literalNames) {
    await memory.for({ project: 'acme', user: name }).append('talk', { role: 'user', content: `the secret of ${name} user` })
    await memory.for({ project: name, user: 'u' }).append('talk', { role: 'user', content: `the secret of ${name} project` })
    await memory.for('keeper').append(name, { role: 'user', content: `the secret of ${name} session` })
  }
  for (const name of literalNames) {
    expect((await memory.for({ project: 'acme', user: name }).messages('talk')).map(({ content }) => content)).toEqual([
      `the secret of ${name} user`,
    ])
    expect((await memory.for({ project: name, user: 'u' }).recall('secret')).hits.map(({ text }) => text)).toEqual([
      `the secret of ${name} project`,
    ])
    expect((await memory.for('keeper').recall('secret', { session: name })).hits.map(({ text, session }) => [text, session])).toEqual([
      [`the secret of ${name} session`, name],
    ])
    expect((await memory.for('keeper').sessions.get(name)).id).toBe(name)
  }
  expect(await memory.project('acme').users()).toHaveLength(new Set(literalNames).size)
  await memory.for({ project: 'acme', user: '*' }).forget({ all: true })
  await memory.for({ project: 'acme', user: '%' }).forget({ all: true })
  expect(await memory.project('acme').users()).toHaveLength(new Set(literalNames).size - 2)
})

// requirement: P2.4
test('any two different names are two partitions, and two sessions', async () => {
  const { memory } = shared
  let run = 0
  const name = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 12 })
    .filter((text) => text.trim() !== '' && !text.includes('\0') && !['.', '..', '~'].includes(text) && text.isWellFormed())
  await fc.assert(
    fc.asyncProperty(name, name, async (one, other) => {
      fc.pre(one !== other)
      const project = `run ${(run += 1)}`
      const [first, second] = [memory.for({ project, user: one }), memory.for({ project, user: other })]
      await first.append(one, { role: 'user', content: 'the ferry leaves at nine' })
      expect(await second.messages(one)).toEqual([])
      expect((await second.recall('ferry')).hits).toEqual([])
      expect(await rejection(first.sessions.get(other))).toBeInstanceOf(NotFound)
      expect(await memory.project(project).users()).toEqual([one])
    }),
    { numRuns: runs(100) },
  )
})

test('the same text in two partitions is two messages', async () => {
  const { memory } = shared
  const message = { role: 'user', content: 'the ferry leaves at nine', id: 'x-1' } as const
  const [ada, bob] = [memory.for('same ada'), memory.for('same bob')]
  const [hers, his] = [await ada.append('talk', message), await bob.append('talk', message)]
  expect(his.duplicates).toEqual([])
  expect(his.messages[0]?.id).not.toBe(hers.messages[0]?.id)
  await ada.forget({ all: true })
  expect((await bob.recall('ferry')).hits).toHaveLength(1)
})
