import { expect, onTestFinished, test } from 'vitest'
import { errorCodes } from '../errors/varve-error.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { openMemory } from '../memory/memory.ts'
import { handles } from './all.ts'
import { jsonSchemaOf, parseInput } from './parse.ts'
import { userOperations } from './user.ts'

const operations = handles.flatMap((handle) => Object.values(handle.operations))

test('each operation has a name of its own, errors that there are, and a JSON Schema that describes every field', () => {
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
  for (const operation of operations) {
    expect(errorCodes, operation.name).toEqual(expect.arrayContaining([...operation.errors]))
    expect(jsonSchemaOf(operation), operation.name).toMatchObject({ type: 'object', additionalProperties: false })
    for (const name of Object.keys(operation.input()))
      expect(jsonSchemaOf(operation)['properties'], operation.name).toHaveProperty([name, 'description'], expect.stringMatching(/\.$/))
  }
})

test('each operation refuses an option that it does not know, and a signal or a deadline that is none', () => {
  for (const operation of operations) {
    const refusal = (given: object): unknown => {
      try {
        return parseInput(operation, given)
      } catch (error) {
        return error
      }
    }
    expect(refusal({ signal: 'now' }), operation.name).toMatchObject({ option: 'signal', expected: 'an AbortSignal' })
    expect(refusal({ deadlineMs: 0 }), operation.name).toMatchObject({ option: 'deadlineMs' })
    const required = jsonSchemaOf(operation)['required'] ?? []
    expect(refusal({ rumour: 1 }), operation.name).toBeInstanceOf(Error)
    if (Array.isArray(required) && required.length === 0)
      expect(refusal({ rumour: 1 }), operation.name).toMatchObject({ code: 'OPTION_INVALID', option: 'rumour', received: '1' })
  }
})

test('for await goes through all pages of a list, and the cursor of a page leads to the next', async () => {
  const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false })
  onTestFinished(() => memory.close())
  for (const user of ['ada', 'bob', 'cleo', 'dora', 'eve'])
    await memory.for({ project: 'acme', user }).append('talk', { role: 'user', content: user })
  const acme = memory.project('acme')
  const found: string[] = []
  for await (const user of acme.users({ limit: 2 })) found.push(user)
  expect(found).toEqual(['ada', 'bob', 'cleo', 'dora', 'eve'])
  const { cursor } = await acme.users({ limit: 2 })
  expect([...(await acme.users({ limit: 2, cursor }))]).toEqual(['cleo', 'dora'])
  await expect(memory.projects.list({ cursor })).rejects.toBeInstanceOf(InvalidOption)
})

test('calls of the store, of projects and of sessions keep to a signal as all others do', async () => {
  const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false })
  onTestFinished(() => memory.close())
  const signal = AbortSignal.abort()
  const [ada, acme] = [memory.for('ada'), memory.project('acme')]
  const calls = [
    memory.projects.list({ signal }),
    memory.projects.create('acme', { signal }),
    memory.receipts.list({ signal }),
    memory.ledger({ signal }),
    memory.doctor({ signal }),
    memory.upkeep.status({ signal }),
    acme.settings.get({ signal }),
    acme.users({ signal }),
    ada.sessions.list({ signal }),
    ada.sessions.ensure('talk', { signal }),
    ada.settings.set({ share: false }, { signal }),
  ]
  for (const outcome of await Promise.allSettled(calls))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'CANCELLED' } })
  expect(await memory.projects.list()).toEqual([])
})

test('a block tells its writer: nobody can pass for a person, for the extractive writer or for a forget', async () => {
  const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false })
  onTestFinished(() => memory.close())
  const { blocks } = memory.for('ada')
  for (const writer of ['person', 'extractive', 'forgetting']) {
    const options = { writer, maxChars: 5_000 }
    await expect(blocks.set('habits', 'Ada waters the figs.', options)).rejects.toMatchObject({ code: 'OPTION_INVALID', option: 'writer' })
  }
  expect(await blocks.list()).toEqual([])
})

const selects = 'what must be at least one of { session, before, messages }, or { all: true }'

test.each([
  [{}, selects],
  [{ all: true, session: 'talk' }, selects],
  [{ all: false }, 'what.all must be true, or left out'],
  [{ all: undefined }, 'what.all must be true, or left out'],
  [{ session: undefined }, 'session must be a string'],
  [{ session: 'talk', before: undefined }, 'what.before must be a Date'],
  [{ before: 'tomorrow' }, 'what.before must be a Date'],
  [{ messages: [] }, 'what.messages must be a list of at least one id'],
  [{ messages: 'all' }, 'what.messages must be a list of at least one id'],
  [{ messages: ['a', 7] }, 'what.messages[1] must be an id, or { session, externalId }'],
  [{ session: 'talk', user: 'ada' }, 'what.user must be left out'],
  ['all', 'what must be an object'],
  [[], 'what must be an object'],
  [null, 'what must be an object'],
  [Object.create({ all: true }), selects],
])('to forget %j is refused: it selects nothing, or not for sure', (what, message) => {
  expect(() => parseInput(userOperations.forget, { what })).toThrow(message)
})

test.each([
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [new Date('soon'), 'an invalid Date'],
])('%s is refused by its name', (before, name) => {
  expect(() => parseInput(userOperations.forget, { what: { before } })).toThrow(`UTC milliseconds: received ${name}.`)
})

test.each([[{ all: true }], [{ session: 'talk' }], [{ before: 1_000, messages: ['a'] }]])(
  'to forget %j is to forget that alone',
  (what) => {
    expect(parseInput(userOperations.forget, { what }).input).toStrictEqual({ what })
  },
)
