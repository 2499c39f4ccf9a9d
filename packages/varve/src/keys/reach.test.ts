import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KeyRights } from './caller-key.ts'
import { actingAs, reaches, type Target } from './reach.ts'

const memory: Target = { on: 'memory' }
const acme: Target = { on: 'project', project: 'acme' }
const other: Target = { on: 'project', project: 'other' }
const of = (project: string, user: string): Target => ({ on: 'user', project, user })
const targets = {
  memory,
  acme,
  other,
  ada: of('acme', 'ada'),
  bob: of('acme', 'bob'),
  nobody: of('acme', '~'),
  otherAda: of('other', 'ada'),
}

const ofKey = (key: Partial<KeyRights>): string[] =>
  Object.entries(targets).flatMap(([name, target]) => (reaches({ impersonate: false, ...key }, target) ? [name] : []))

describe('the reach of a key', () => {
  test('is what its project and user say', () => {
    expect(ofKey({})).toEqual(Object.keys(targets))
    expect(ofKey({ project: 'acme' })).toEqual(['acme', 'ada', 'bob', 'nobody'])
    expect(ofKey({ project: 'acme', user: 'ada' })).toEqual(['ada'])
    expect(ofKey({ project: 'acme', user: '~' })).toEqual(['nobody'])
    // Of a revoked key.
    expect(ofKey({ project: 'acme', user: '' })).toEqual([])
    expect(ofKey({ project: 'nowhere' })).toEqual([])
  })

  test('is nothing for a key that impersonates, until the caller names a user', () => {
    const key: KeyRights = { project: 'acme', access: 'write', impersonate: true }
    expect(ofKey(key)).toEqual([])
    const narrowed = (given: KeyRights, user: string) => {
      const acting = actingAs(given, user)
      return typeof acting === 'string' ? acting : ofKey(acting)
    }
    expect(narrowed(key, 'ada')).toEqual(['ada'])
    expect(narrowed(key, '~')).toEqual(['nobody'])
    expect(narrowed({ access: 'write', impersonate: true }, 'ada')).toEqual(['ada', 'otherAda'])
    expect(actingAs(key, undefined)).toBe('user-needed')
    for (const invalid of ['', '.', '..', ' ', '\0', 'a\0', '\ud800', 'x'.repeat(257)]) expect(actingAs(key, invalid)).toBe('user-invalid')
  })

  test('a key that does not impersonate names no user, not even its own', () => {
    const key: KeyRights = { project: 'acme', user: 'ada', access: 'write', impersonate: false }
    expect(actingAs(key, 'ada')).toBe('user-not-allowed')
    expect(actingAs(key, undefined)).toBe(key)
  })

  // A small alphabet, so that names often are the same, or look so.
  const name = fc.constantFrom('a', 'A', 'á', 'a\u0301', '~', 'a ', '*', '%', 'undefined', 'null')
  const maybe = fc.option(name, { nil: undefined })
  const target: fc.Arbitrary<Target> = fc.oneof(
    fc.constant(memory),
    name.map((project): Target => ({ on: 'project', project })),
    fc.tuple(name, name).map(([project, user]) => of(project, user)),
  )

  test('is never wider than stated, whatever the names', () => {
    const property = fc.property(maybe, maybe, fc.boolean(), maybe, target, (project, user, impersonate, named, wanted) => {
      const key: KeyRights = {
        ...{ access: 'write', impersonate },
        ...(project === undefined ? {} : { project }),
        ...(user === undefined ? {} : { user }),
      }
      const acting = actingAs(key, named)
      if (typeof acting === 'string' || !reaches(acting, wanted)) return
      // Each part of what was reached is the key's own, or is not bounded by it.
      if (project !== undefined) expect('project' in wanted && wanted.project).toBe(project)
      if (user !== undefined && !impersonate) expect('user' in wanted && wanted.user).toBe(user)
      if (impersonate) expect('user' in wanted && wanted.user).toBe(named)
      if (wanted.on === 'memory') expect([project, user, impersonate]).toEqual([undefined, undefined, false])
      if (wanted.on === 'project') expect([user, impersonate]).toEqual([undefined, false])
    })
    fc.assert(property, { numRuns: 5_000 })
  })
})
