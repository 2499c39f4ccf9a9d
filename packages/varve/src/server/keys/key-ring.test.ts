import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Memory, openMemory } from '../../memory/memory.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { newKeyText } from '../../keys/key-text.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { KeyRing, keyKeptMs } from './key-ring.ts'

const quiet = { upkeep: 'manual', embeddingModel: false, logger: { warn: () => undefined } } as const

describe.each(['memory:', 'a file'])('keys of callers on %s', (where) => {
  let folder: string
  let clock: ManualClock
  let memory: Memory
  let ring: KeyRing
  let elapsed: number

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'varve-keys-'))
    clock = new ManualClock()
    memory = await openMemory({ ...quiet, clock, store: where === 'memory:' ? where : join(folder, 'varve.db') })
    elapsed = 0
    ring = new KeyRing(memory.doorStore(), () => elapsed)
  })

  afterEach(async () => {
    await ring.close()
    await memory.close()
    rmSync(folder, { recursive: true })
  })

  test('a key is known by its whole text alone', async () => {
    const { key, id } = await memory.keys.create({ project: 'acme', user: 'ada', access: 'read' })
    expect(await ring.verify(key)).toMatchObject({ id, project: 'acme', user: 'ada', access: 'read' })
    const forged = [newKeyText(id), key.slice(0, -1), `${key}A`, `Bearer ${key}`, '', undefined, 7, '🔑'.repeat(41), 'x'.repeat(10_000_000)]
    for (const text of forged) expect(await ring.verify(text)).toBeUndefined()
  })

  test('a key with the id of another is not known', async () => {
    const [one, other] = [await memory.keys.create({ project: 'acme' }), await memory.keys.create({ project: 'other' })]
    const id = other.key.slice(0, 38)
    expect(await ring.verify(`${id}${one.key.slice(38)}`)).toBeUndefined()
  })

  test('the store is asked as often for an unknown id as for a known one, so that no time tells them apart', async () => {
    const { id } = await memory.keys.create({ project: 'acme' })
    const store = memory.doorStore()
    const asked: string[] = []
    const keyNow: typeof store.keyNow = (one) => {
      asked.push(one)
      return store.keyNow(one)
    }
    const counting = new KeyRing({ ...store, keyNow }, () => elapsed)
    const unknown = uuidv7(clock.now())
    for (const of of [id, unknown]) {
      for (let time = 0; time < 3; time += 1) expect(await counting.verify(newKeyText(of))).toBeUndefined()
      elapsed += keyKeptMs
      await counting.verify(newKeyText(of))
    }
    expect(asked).toEqual([id, id, unknown, unknown])
    await counting.close()
  })

  test('a key of another store is not known', async () => {
    const stranger = await openMemory({ ...quiet, clock, store: 'memory:' })
    const { key } = await stranger.keys.create({ project: 'acme' })
    await stranger.close()
    expect(await ring.verify(key)).toBeUndefined()
  })

  test('an expired key is refused from that time on, by the store’s clock', async () => {
    const { key } = await memory.keys.create({ project: 'acme', expiresAt: clock.now() + 1_000 })
    clock.advance(999)
    expect(await ring.verify(key)).toBeDefined()
    clock.advance(1)
    // It is still kept in memory.
    expect(await ring.verify(key)).toBeUndefined()
  })

  test('a revoked key is refused at once, also when it was just used', async () => {
    const { key, id } = await memory.keys.create({ project: 'acme' })
    expect(await ring.verify(key)).toBeDefined()
    await memory.keys.revoke(id)
    expect(await ring.verify(key)).toBeUndefined()
  })

  test('the keys of a deleted project are refused at once', async () => {
    await memory.projects.create('acme')
    const { key } = await memory.keys.create({ project: 'acme' })
    expect(await ring.verify(key)).toBeDefined()
    await memory.projects.delete('acme')
    expect(await ring.verify(key)).toBeUndefined()
    expect(await memory.keys.list()).toHaveLength(0)
  })

  test('a key that is revoked while it is read is not kept', async () => {
    const { key, id } = await memory.keys.create({ project: 'acme' })
    const store = memory.doorStore()
    const slow = new KeyRing(
      {
        ...store,
        keyNow: async (of) => {
          const read = await store.keyNow(of)
          if (read.found?.key.revokedAt === undefined) await memory.keys.revoke(id)
          return read
        },
      },
      () => elapsed,
    )
    await slow.verify(key)
    expect(await slow.verify(key)).toBeUndefined()
    await slow.close()
  })

  test('a use is noted once a minute, and holds no request up', async () => {
    const { key } = await memory.keys.create({ project: 'acme' })
    const store = memory.doorStore()
    const uses: number[] = []
    const held = Promise.withResolvers<void>()
    const counting = new KeyRing({
      ...store,
      noteUse: async (id) => {
        uses.push(clock.now())
        await held.promise
        await store.noteUse(id)
      },
    })
    for (const ms of [0, 1, 59_998, 1, 1, 1]) {
      clock.advance(ms)
      expect(await counting.verify(key)).toBeDefined()
    }
    held.resolve()
    await counting.close()
    expect(uses).toEqual([Date.UTC(2026, 0, 5, 9), Date.UTC(2026, 0, 5, 9) + 60_001])
    expect((await memory.keys.list())[0]?.usedAt).toBe(clock.now())
  })

  test('a use that cannot be noted is warned of, and the key is known', async () => {
    const { key } = await memory.keys.create({ project: 'acme' })
    const failing = new KeyRing({ ...memory.doorStore(), noteUse: () => Promise.reject(new Error('full')) })
    const before = memory.counters().warnings
    expect(await failing.verify(key)).toBeDefined()
    await failing.close()
    expect(memory.counters().warnings).toBe(before + 1)
  })

  test('a key is read anew after a second', async () => {
    const { key } = await memory.keys.create({ project: 'acme' })
    const store = memory.doorStore()
    let reads = 0
    const counting = new KeyRing({ ...store, keyNow: (id) => ((reads += 1), store.keyNow(id)) }, () => elapsed)
    for (const ms of [0, keyKeptMs - 1, 1]) {
      elapsed += ms
      await counting.verify(key)
    }
    expect(reads).toBe(2)
    await counting.close()
  })
})

test('a key that another opening of the file revoked is refused within a second', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'varve-keys-'))
  const store = join(folder, 'varve.db')
  const [here, there] = [await openMemory({ ...quiet, store }), await openMemory({ ...quiet, store })]
  let elapsed = 0
  const ring = new KeyRing(here.doorStore(), () => elapsed)
  const { key, id } = await there.keys.create({ project: 'acme' })
  expect(await ring.verify(key)).toBeDefined()
  await there.keys.revoke(id)
  elapsed += keyKeptMs
  expect(await ring.verify(key)).toBeUndefined()
  await ring.close()
  await Promise.all([here.close(), there.close()])
  rmSync(folder, { recursive: true })
})
