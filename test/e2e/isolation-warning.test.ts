import { expect, test } from 'vitest'
import { IsolationWarning, type UserMemory } from '../../packages/varve/src/index.ts'
import { callsOfUser, operationNames } from '../fixtures/memory/every-call.ts'
import { listeningLogger, newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

const everyUse: Record<string, (handle: UserMemory) => Promise<unknown>> = {
  append: (handle) => handle.append('talk', { role: 'user', content: 'x' }),
  messages: (handle) => handle.messages('talk'),
  timeline: (handle) => handle.timeline(),
  follow: (handle) => handle.follow(),
  recall: (handle) => handle.recall('x'),
  context: (handle) => handle.context({ query: 'x' }),
  'sessions.list': (handle) => handle.sessions.list(),
  'sessions.ensure': (handle) => handle.sessions.ensure('talk'),
  previewForget: (handle) => handle.previewForget({ all: true }),
  forget: (handle) => handle.forget({ all: true }),
}

// requirement: P2.6
test('an anonymous handle in a project with named users warns once a project, and answers from its own partition', async () => {
  const logger = listeningLogger()
  const memory = await openForTest({ logger })
  const events = memory.events()
  await memory.for({ project: 'acme', user: 'ada' }).append('talk', { role: 'user', content: 'the ferry leaves at nine' })
  const anonymous = memory.for({ project: 'acme' })
  expect(logger.warnings).toEqual([])
  for (const use of Object.values(everyUse)) await use(anonymous)
  await memory.for({ project: 'acme' }).recall('ferry')
  expect(logger.warnings).toHaveLength(1)
  expect(logger.warnings[0]).toMatch(/ISOLATION_WARNING.*"acme" has 1 named user/)
  expect(memory.counters().warnings).toBe(1)
  expect((await anonymous.recall('ferry')).hits).toEqual([])
  await events.return?.()
})

// requirement: P2.6
test('each project has its warning, and one without named users has none', async () => {
  const logger = listeningLogger()
  const memory = await openForTest({ logger })
  await memory.for({ project: 'empty' }).append('talk', { role: 'user', content: 'x' })
  await memory.for({ project: 'empty' }).recall('x')
  expect(logger.warnings).toEqual([])
  for (const project of ['one', 'two']) {
    await memory.for({ project, user: 'ada' }).append('talk', { role: 'user', content: 'x' })
    await memory.for({ project }).recall('x')
  }
  expect(logger.warnings.map((warning) => /"(\w+)"/.exec(warning)?.[1])).toEqual(['one', 'two'])
})

test('a user who comes later is noticed later', async () => {
  const logger = listeningLogger()
  const memory = await openForTest({ logger })
  const anonymous = memory.for({ project: 'acme' })
  await anonymous.append('talk', { role: 'user', content: 'x' })
  await memory.for({ project: 'acme', user: 'ada' }).append('talk', { role: 'user', content: 'x' })
  await anonymous.recall('x')
  expect(logger.warnings).toHaveLength(1)
})

// requirement: P2.7
test('isolation: error makes it fatal for every call, and stores nothing', async () => {
  const store = newStore()
  const memory = await openForTest({ store, isolation: 'error' })
  await memory.for({ project: 'acme', user: 'ada' }).append('talk', { role: 'user', content: 'x' })
  const anonymous = memory.for({ project: 'acme' })
  const calls = callsOfUser(anonymous)
  expect(Object.keys(calls).toSorted()).toEqual(operationNames('user').toSorted())
  for (const [name, call] of Object.entries(calls)) {
    const error = await rejection(call())
    expect(error, name).toBeInstanceOf(IsolationWarning)
    expect(error).toMatchObject({ project: 'acme', namedUsers: 1, code: 'ISOLATION_WARNING' })
  }
  await memory.for({ project: 'acme', user: 'ada' }).recall('x')
  const silent = await openForTest({ store, isolation: 'silent' })
  const quiet = silent.for({ project: 'acme' })
  expect([await quiet.sessions.list(), await quiet.blocks.list(), await quiet.facts.list(), await quiet.documents.list()]).toEqual([
    [],
    [],
    [],
    [],
  ])
  expect(withoutVersion(await quiet.settings.get())).toEqual({ share: true })
})

test('isolation: silent says nothing', async () => {
  const logger = listeningLogger()
  const memory = await openForTest({ logger, isolation: 'silent' })
  await memory.for({ project: 'acme', user: 'ada' }).append('talk', { role: 'user', content: 'x' })
  for (const use of Object.values(everyUse)) await use(memory.for({ project: 'acme' }))
  expect(logger.warnings).toEqual([])
  expect(memory.counters().warnings).toBe(0)
})
