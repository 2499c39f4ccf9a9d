import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { InvalidOption, type Memory, openMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'

const quiet = { upkeep: 'manual', embeddingModel: false, isolation: 'silent', logger: { warn: () => undefined } } as const

async function opened(use: (memory: Memory, clock: ManualClock) => Promise<void>): Promise<void> {
  const clock = new ManualClock()
  await using memory = await openMemory({ ...quiet, store: 'memory:', clock })
  await use(memory, clock)
}

test('a key is shown once, with what it may do, and listed without its text', () =>
  opened(async (memory, clock) => {
    const expiresAt = clock.now() + 86_400_000
    const rights = { name: 'gate', project: 'acme', user: '~', access: 'read', origins: ['tool'], perMinute: 30 } as const
    const { key, ...made } = await memory.keys.create({ ...rights, expiresAt: new Date(expiresAt).toISOString() })
    expect(key).toMatch(/^varve_[0-9a-f]{32}_[\w-]{43}$/)
    expect(key).toContain(made.id.replaceAll('-', ''))
    expect(made).toEqual({ ...rights, id: made.id, impersonate: false, createdAt: clock.now(), expiresAt })
    const plain = await memory.keys.create()
    expect(plain).toMatchObject({ access: 'write', impersonate: false })
    expect(await memory.keys.list({ project: 'acme' })).toEqual([made])
    const listed: unknown[] = []
    for await (const one of memory.keys.list({ limit: 1 })) listed.push(one)
    expect(listed).toHaveLength(2)
    expect(JSON.stringify(listed)).not.toContain(key.slice(39))
  }))

test('a key is revoked once, and an unknown one is not found', () =>
  opened(async (memory, clock) => {
    const { id } = await memory.keys.create({ project: 'acme', user: 'ada', name: 'hers' })
    await expect(memory.keys.revoke(id, { project: 'other' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const revoked = await memory.keys.revoke(id, { project: 'acme' })
    expect(revoked).toEqual({ id, project: 'acme', access: 'write', impersonate: false, createdAt: clock.now(), revokedAt: clock.now() })
    clock.advance(5)
    expect(await memory.keys.revoke(id)).toEqual(revoked)
    for (const unknown of ['x', '', id.replace('0', '1')])
      await expect(memory.keys.revoke(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }))

test('rights that do not go together make no key', () =>
  opened(async (memory, clock) => {
    const unset: { project?: string; user?: string; expiresAt?: string } = {}
    const unfit: readonly object[] = [
      ...[{ user: 'ada' }, { project: 'acme', user: 'ada', impersonate: true }, { project: 'acme', user: 'ada', access: 'admin' }],
      ...[{ impersonate: true, access: 'admin' }, { access: 'owner' }, { origins: [] }, { origins: ['human'] }, { perMinute: 0 }],
      ...[{ expiresAt: clock.now() }, { expiresAt: 'soon' }, { name: '' }, { name: 'x'.repeat(257) }, { name: 'a\0' }, { owner: 'ada' }],
      // A variable that is not set must not widen a key.
      ...[{ project: unset.project }, { project: 'acme', user: unset.user }, { expiresAt: unset.expiresAt }, { origins: undefined }],
    ]
    for (const options of [...unfit, { project: '..' }])
      await expect(memory.keys.create(options), JSON.stringify(options)).rejects.toMatchObject({
        code: expect.stringMatching(/^(OPTION|SCOPE)_INVALID$/),
      })
    expect(await memory.keys.list()).toEqual([])
  }))

test('a deleted project takes its keys and its part of the audit with it', () =>
  opened(async (memory, clock) => {
    await memory.project('acme').settings.set({})
    await memory.keys.create({ project: 'acme', name: 'the gate of the harbour' })
    const { id } = await memory.keys.create({ project: 'other' })
    const note = { at: clock.now(), act: 'read', operation: 'users', status: 200, request: id } as const
    await memory.doorStore().noteAudit([{ ...note, project: 'acme' }, note])
    expect(await memory.audit.list({ project: 'acme' })).toHaveLength(1)
    await memory.projects.delete('acme')
    expect((await memory.keys.list()).map((key) => key.id)).toEqual([id])
    expect(await memory.audit.list()).toHaveLength(1)
  }))

test('the audit is asked for a user of a project, never for a name alone', () =>
  opened(async (memory) => {
    await expect(memory.audit.list({ user: 'ada' })).rejects.toThrow(InvalidOption)
    const wrong: object = { act: 'peek' }
    await expect(memory.audit.list(wrong)).rejects.toThrow(InvalidOption)
    expect(await memory.audit.list({ project: 'acme', user: 'ada', from: '2026-01-01', to: '2026-01-02' })).toEqual([])
  }))

test('the files hold the hash of a key alone, and a revoked one leaves no name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'varve-keys-'))
  const memory = await openMemory({ ...quiet, store: join(folder, 'varve.db') })
  const { key, id } = await memory.keys.create({ project: 'acme', user: 'ada-of-the-harbour', name: 'the-gate-of-the-harbour' })
  const holds = (bytes: Buffer): boolean => readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(bytes))
  const secret = key.slice(39)
  expect(holds(createHash('sha256').update(key).digest())).toBe(true)
  expect(holds(Buffer.from(secret))).toBe(false)
  expect(holds(Buffer.from(secret, 'base64url'))).toBe(false)
  await memory.keys.revoke(id)
  expect(JSON.stringify(await memory.keys.list())).not.toMatch(/harbour/)
  await memory.close()
  expect(holds(Buffer.from('of-the-harbour'))).toBe(false)
  rmSync(folder, { recursive: true })
})
