import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { uuidv7 } from '../ids/uuid.ts'
import type { CallerKey } from '../keys/caller-key.ts'
import type { Target } from '../keys/reach.ts'
import { type Origin, origins } from '../messages/message.ts'
import { admitted } from './admission.ts'
import { handles } from './all.ts'
import { claimedWords, withinOrigins } from './claimed-words.ts'
import type { AnyOperation } from './operation.ts'
import { actOf, leastAccess } from './rights.ts'

const operationsOn = (on: Target['on']): readonly AnyOperation[] =>
  handles.filter((handle) => handle.on === on).flatMap(({ operations }) => Object.values(operations))
const allOperations = [...operationsOn('user'), ...operationsOn('project'), ...operationsOn('memory')]

function named(name: string): AnyOperation {
  const found = allOperations.find((operation) => operation.name === name)
  if (found === undefined) throw new TypeError(`no operation ${name}`)
  return found
}

const keyOf = (rights: Partial<CallerKey> = {}): CallerKey => ({
  id: uuidv7(),
  access: 'write',
  impersonate: false,
  createdAt: 0,
  ...rights,
})

const memory: Target = { on: 'memory' }
const acme: Target = { on: 'project', project: 'acme' }
const ada: Target = { on: 'user', project: 'acme', user: 'ada' }

function outcome(key: Partial<CallerKey>, name: string, target: Target, input: object = {}): unknown {
  const admission = admitted(keyOf(key), named(name), target, input)
  return 'input' in admission ? admission.input : admission.refused
}

describe('what a key may do', () => {
  // Some operations of each place that the access is enough for.
  test.each([
    ['read', ['recall', 'context', 'blocks.get'], ['blocks.get', 'bank.render', 'project.settings.get'], []],
    ['write', ['append', 'forget', 'facts.add'], ['blocks.set', 'documents.edit', 'bank.clear'], []],
    ['admin', ['append', 'settings.set'], ['users', 'project.settings.set', 'bank.setSharing', 'sharing'], ['keys.list', 'audit.list']],
  ] as const)('%s of a project: its users, and its shared part', (access, onUser, onProject, onMemory) => {
    for (const name of onUser) expect(outcome({ access, project: 'acme' }, name, ada), name).toEqual({})
    for (const name of onProject) expect(outcome({ access, project: 'acme' }, name, acme), name).toEqual({})
    for (const name of onMemory) expect(outcome({ access, project: 'acme' }, name, memory), name).toEqual({ project: 'acme' })
  })

  test('read keys call reads alone, on every place', () => {
    for (const [on, target] of [
      ['user', ada],
      ['project', acme],
      ['memory', memory],
    ] as const)
      for (const operation of operationsOn(on)) {
        const admission = admitted(keyOf({ access: 'read' }), operation, target, {})
        const isAllowed = operation.kind === 'read' && leastAccess(operation, on) === 'read'
        expect('input' in admission, operation.name).toBe(isAllowed)
      }
  })

  test('what looks after a project, or names its members, needs admin', () => {
    const admins = operationsOn('project').filter((operation) => leastAccess(operation, 'project') === 'admin')
    expect(new Set(admins.map(({ name }) => name))).toEqual(
      new Set(['users', 'sharing', 'project.settings.set', 'project.export', 'project.import', 'bank.setSharing', 'bank.withdraw']),
    )
    // They are listed with a user's handle, which has them too.
    expect(outcome({ access: 'write', project: 'acme' }, 'imports.accept', acme)).toBe('access-needed')
    expect(outcome({ access: 'write', project: 'acme' }, 'imports.accept', ada)).toEqual({})
    for (const { name } of admins) expect(outcome({ access: 'write', project: 'acme' }, name, acme), name).toBe('access-needed')
  })

  test('the memory as a whole is for an admin of any project; one of a project has its keys and its audit there', () => {
    const own = new Set(['keys.create', 'keys.list', 'keys.revoke', 'audit.list'])
    for (const operation of operationsOn('memory')) {
      const of = (rights: Partial<CallerKey>) => 'input' in admitted(keyOf(rights), operation, memory, {})
      expect(of({ access: 'admin' }), operation.name).toBe(true)
      expect(of({ access: 'write' }), operation.name).toBe(false)
      expect(of({ access: 'admin', project: 'acme' }), operation.name).toBe(own.has(operation.name))
      expect(of({ access: 'write', project: 'acme' }), operation.name).toBe(false)
      expect(of({ access: 'admin', project: 'acme', user: 'ada' }), operation.name).toBe(false)
      expect(of({ access: 'admin', impersonate: true }), operation.name).toBe(false)
    }
  })

  test('a key of a user reaches that user alone, with the project’s part through that handle', () => {
    const key = { access: 'write', project: 'acme', user: 'ada' } as const
    expect(outcome(key, 'blocks.list', ada)).toEqual({})
    expect(outcome(key, 'blocks.list', acme)).toBe('out-of-reach')
    expect(outcome(key, 'blocks.list', { ...ada, user: 'bob' })).toBe('out-of-reach')
    expect(outcome(key, 'blocks.list', { ...ada, project: 'other' })).toBe('out-of-reach')
  })
})

describe('an admin of a project', () => {
  const key = { access: 'admin', project: 'acme' } as const

  test('sees and makes its own project’s keys alone', () => {
    for (const name of ['keys.list', 'keys.create', 'audit.list']) {
      expect(outcome(key, name, memory, { project: 'other' }), name).toBe('out-of-reach')
      expect(outcome(key, name, memory, { limit: 5 }), name).toEqual({ limit: 5, project: 'acme' })
    }
    expect(outcome(key, 'keys.revoke', memory, { id: 'x' })).toEqual({ id: 'x', project: 'acme' })
    expect(outcome({ access: 'admin' }, 'keys.revoke', memory, { id: 'x' })).toEqual({ id: 'x' })
  })

  test('makes no key that claims more, or lives longer, than its own', () => {
    const bounded = { ...key, origins: ['assistant', 'tool'], expiresAt: 5_000 } as const
    const make = (input: object) => outcome(bounded, 'keys.create', memory, input)
    expect(make({})).toEqual({ project: 'acme', origins: ['assistant', 'tool'], expiresAt: 5_000 })
    expect(make({ origins: ['tool'], expiresAt: 4_000 })).toEqual({ project: 'acme', origins: ['tool'], expiresAt: 4_000 })
    for (const wider of [
      { origins: ['person'] },
      { origins: null },
      { origins: 'tool' },
      { expiresAt: 5_001 },
      { expiresAt: '2026-01-01' },
    ])
      expect(make(wider), JSON.stringify(wider)).toBe('out-of-reach')
  })
})

describe('the origins that a key may claim', () => {
  const writes = [...new Set(allOperations.filter(({ kind }) => kind === 'write').map(({ name }) => name))]

  test('are decided for each write, and for nothing else', () => {
    expect(Object.keys(claimedWords).toSorted()).toEqual(writes.toSorted())
  })

  test('a decision of a writer is for an operation that has one, and no other has one', () => {
    const withWriter = writes.filter((name) => Object.hasOwn(named(name).input(), 'writer'))
    expect(withWriter.toSorted()).toEqual(writes.filter((name) => claimedWords[name] === 'writer').toSorted())
  })

  const say = (messages: unknown, claims: readonly Origin[] | undefined = ['assistant', 'tool']) =>
    withinOrigins(claims, named('append'), { session: 'talk', messages }) !== undefined

  test('an append is refused for one message of another origin, given or by its role', () => {
    const line = { content: 'x' }
    expect(say({ ...line, role: 'assistant' })).toBe(true)
    expect(say({ ...line, role: 'user' })).toBe(false)
    expect(say({ ...line, role: 'user', origin: 'tool' })).toBe(true)
    expect(say({ ...line, role: 'assistant', origin: 'person' })).toBe(false)
    expect(
      say([
        { ...line, role: 'assistant' },
        { ...line, role: 'tool' },
      ]),
    ).toBe(true)
    expect(say([...Array.from({ length: 999 }, () => ({ ...line, role: 'tool' })), { ...line, role: 'system' }])).toBe(false)
    expect(say({ role: 'user', parts: [{ type: 'text', text: 'x' }] })).toBe(false)
    expect(say({ ...line, role: 'user' }, [...origins])).toBe(true)
    expect(withinOrigins(undefined, named('append'), { messages: [{ ...line, role: 'user' }] })).toBeDefined()
  })

  test('an append that passes claims no other origin, whatever the messages', () => {
    const role = fc.constantFrom('user', 'assistant', 'tool', 'system', 'User', '', undefined, null, ['user'])
    const origin = fc.constantFrom(undefined, null, 'person', 'assistant', 'tool', 'system', 'PERSON', ['person'])
    const messages = fc.array(fc.oneof(fc.record({ role, origin }, { requiredKeys: [] }), fc.anything()))
    const byRole: Readonly<Record<string, Origin>> = { user: 'person', assistant: 'assistant', tool: 'tool', system: 'system' }
    fc.assert(
      fc.property(messages, fc.subarray([...origins]), (given, claims) => {
        if (!say(given, claims)) return
        for (const one of given) {
          const message = Object(one)
          const claimed = message.origin === undefined ? byRole[String(message.role)] : origins.find((known) => known === message.origin)
          // Another is no message, and append refuses it.
          if (typeof message.role === 'string' && claimed !== undefined) expect(claims).toContain(claimed)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('without person, a write is an agent’s or is refused', () => {
    const tool = ['tool'] as const
    const write = (name: string, input: object = {}, claims: readonly Origin[] = tool) => withinOrigins(claims, named(name), input)
    for (const name of writes.filter((one) => claimedWords[one] === 'writer')) {
      expect(write(name), name).toEqual({ writer: 'agent' })
      expect(write(name, { writer: undefined }), name).toEqual({ writer: 'agent' })
      expect(write(name, { writer: 'planner' }), name).toEqual({ writer: 'planner' })
      expect(write(name, {}, ['person']), name).toEqual({})
    }
    for (const name of writes.filter((one) => claimedWords[one] === 'person')) {
      expect(write(name), name).toBeUndefined()
      expect(write(name, {}, ['person']), name).toEqual({})
    }
    for (const name of ['import', 'project.import', 'imports.accept']) {
      expect(write(name, {}, ['person', 'assistant', 'tool']), name).toBeUndefined()
      expect(write(name, {}, origins), name).toEqual({})
    }
    expect(withinOrigins(tool, { name: 'toString', kind: 'write' }, {})).toBeUndefined()
    expect(withinOrigins(['person'], { name: 'new.write', kind: 'write' }, {})).toBeUndefined()
  })
})

test('each write that gives a receipt is told as a forget, or as a share', () => {
  for (const operation of allOperations.filter(({ kind, output }) => kind === 'write' && /\b(Replayed)?Receipt\b/.test(output)))
    expect(['forget', 'share'], operation.name).toContain(actOf(operation))
  expect(actOf(named('recall'))).toBe('read')
  expect(actOf(named('append'))).toBe('write')
  expect(actOf(named('keys.list'))).toBe('read')
  expect(actOf(named('keys.revoke'))).toBe('keys')
  expect(actOf(named('sessions.ensure'))).toBe('write')
  expect(actOf(named('sessions.ensure'), { share: false })).toBe('share')
})
