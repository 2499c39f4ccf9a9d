import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { uuidv7 } from '../../ids/uuid.ts'
import { type Memory, openMemory } from '../../memory/memory.ts'
import type { AuditNote } from '../../observe/audit-entry.ts'
import type { DoorStore } from '../../operations/door-store.ts'
import { auditBatch, type AuditDeed, AuditLog, auditWaitMs, mostAuditWaiting } from './audit-log.ts'

const request = uuidv7()
const deed = (given: Partial<AuditDeed> = {}): AuditDeed => ({ act: 'read', operation: 'recall', status: 200, request, ...given })

describe('the audit of a server', () => {
  let memory: Memory
  let log: AuditLog
  /** The sizes of the writes. */
  let writes: number[]
  let store: DoorStore

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, logger: { warn: () => undefined } })
    const own = memory.doorStore()
    writes = []
    const noteAudit = (notes: readonly AuditNote[]): Promise<void> => (writes.push(notes.length), own.noteAudit(notes))
    store = { ...own, noteAudit }
    log = new AuditLog(store)
  })

  afterEach(async () => {
    vi.useRealTimers()
    await log.close()
    await memory.close()
  })

  test('stores many entries in one write, after a quarter of a second', async () => {
    for (const status of [200, 201, 204]) expect(await log.note(deed({ status }))).toBe(true)
    await vi.advanceTimersByTimeAsync(auditWaitMs - 1)
    expect(writes).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(writes).toEqual([3])
    await log.flush()
    expect((await memory.audit.list()).map(({ status }) => status)).toEqual([204, 201, 200])
  })

  test('stores a full batch at once', async () => {
    for (let one = 0; one < auditBatch; one += 1) await log.note(deed())
    expect(writes).toEqual([auditBatch])
    await log.flush()
    expect(await memory.audit.list({ limit: 1_000 })).toHaveLength(auditBatch)
  })

  test.each(['share', 'forget', 'keys'] as const)('has stored what is a %s, and what came before it, when it answers', async (act) => {
    const receipt = uuidv7()
    await log.note(deed({ operation: 'first' }))
    expect(await log.note(deed({ act, operation: 'second', items: [receipt] }))).toBe(true)
    expect((await memory.audit.list()).map(({ operation, items }) => [operation, items])).toEqual([
      ['second', [receipt]],
      ['first', []],
    ])
  })

  test('keeps the order of deeds that come while it writes', async () => {
    const noted = Array.from({ length: 50 }, (_, place) => log.note(deed({ act: place % 3 === 0 ? 'forget' : 'read', status: place })))
    await Promise.all(noted)
    await log.flush()
    expect((await memory.audit.list()).map(({ status }) => status).toReversed()).toEqual(noted.map((_, place) => place))
  })

  test('stores what waits when it is closed', async () => {
    await log.note(deed())
    await log.close()
    expect(await memory.audit.list()).toHaveLength(1)
  })

  test('a store that fails holds nothing up; entries wait within a bound, and are stored later', async () => {
    let [isDown, tries] = [true, 0]
    const before = memory.counters().warnings
    const failing = new AuditLog({
      ...store,
      noteAudit: (notes) => ((tries += 1), isDown ? Promise.reject(new Error('full')) : store.noteAudit(notes)),
    })
    expect(await failing.note(deed({ act: 'forget', status: 1 }))).toBe(false)
    for (let one = 1; one < mostAuditWaiting; one += 1) await failing.note(deed())
    expect(await failing.note(deed({ status: 2 }))).toBe(false)
    expect(failing.lost).toBe(1)
    expect(memory.counters().warnings).toBeGreaterThan(before)
    expect(tries).toBe(1)
    isDown = false
    await failing.close()
    expect(writes.reduce((sum, count) => sum + count, 0)).toBe(mostAuditWaiting)
    expect(await memory.audit.list({ limit: 10_000 })).toHaveLength(mostAuditWaiting)
    expect((await memory.audit.list({ limit: 10_000 })).at(-1)?.status).toBe(1)
  })

  test('a failed write is tried again by itself', async () => {
    let fails = 1
    const failing = new AuditLog({
      ...store,
      noteAudit: (notes) => (fails-- > 0 ? Promise.reject(new Error('busy')) : store.noteAudit(notes)),
    })
    await failing.note(deed())
    await vi.advanceTimersByTimeAsync(auditWaitMs)
    expect(writes).toEqual([])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(writes).toEqual([1])
    await failing.close()
  })
})
