import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { NotFound } from '../errors/not-found.ts'
import type { ImportedBatch, ImportHandle } from './importer.ts'
import { Tally } from './reasons.ts'
import type { TrackedSession } from './sessions.ts'
import { ImportWriter, maxAppends, maxBatchMessages, maxOnWayMessages, maxPendingMessages } from './writer.ts'

const sessionIn = (handle: ImportHandle, id: string): TrackedSession => ({
  key: id,
  handle,
  id,
  name: `About ${id}`,
  toldName: undefined,
  keepsName: false,
  place: 0,
  lastAt: undefined,
  messages: 0,
})

/** Makes a store that takes the given number of event-loop turns a call, and logs the order of calls. */
function slowStore(turnsOf: (call: number) => number, failingCall = Infinity) {
  const log: string[] = []
  let calls = 0
  let onWay = 0
  let most = 0
  const handle: ImportHandle = {
    sessions: {
      async get(id) {
        throw new NotFound({ kind: 'session', id })
      },
      async ensure(id, { name }) {
        log.push(`${id} is ${name}`)
      },
    },
    async append(id, messages): Promise<ImportedBatch> {
      calls += 1
      const call = calls
      onWay += 1
      most = Math.max(most, onWay)
      for (let turn = 0; turn < turnsOf(call); turn += 1) await nextTurn()
      onWay -= 1
      if (call === failingCall) throw new Error('no space')
      log.push(`${id}: ${messages[0]?.id}`)
      return { messages: messages.map(() => ({ duplicate: false })), duplicates: [] }
    },
  }
  return { log, handle, calls: () => calls, most: () => most }
}

async function add(writer: ImportWriter, to: TrackedSession, from: number, count: number): Promise<void> {
  for (let id = from; id < from + count; id += 1) await writer.add(to, { role: 'user', content: 'x', id: String(id), at: 0 })
}

it('keeps the order within a session when an earlier append is slower, and names it once after its first messages', async () => {
  const { log, handle } = slowStore((call) => (call === 1 ? 30 : 1))
  const writer = new ImportWriter(new Tally())
  const [a, b] = [sessionIn(handle, 'a'), sessionIn(handle, 'b')]
  await add(writer, a, 0, maxBatchMessages * 2)
  await add(writer, b, 0, 1)
  await writer.flush()
  expect(log.filter((line) => line.startsWith('a'))).toEqual(['a: 0', 'a is About a', `a: ${maxBatchMessages}`])
  expect(log.indexOf('b: 0')).toBeLessThan(log.indexOf('a: 0'))
  expect(writer.stored).toBe(maxBatchMessages * 2 + 1)
})

it('sends nothing more after a failure, and throws it when nothing is on its way', async () => {
  const { log, handle, calls } = slowStore((call) => (call === 1 ? 10 : 30), 1)
  const writer = new ImportWriter(new Tally())
  const [a, b] = [sessionIn(handle, 'a'), sessionIn(handle, 'b')]
  await add(writer, b, 0, maxBatchMessages - 1)
  await add(writer, a, 0, maxBatchMessages * 2)
  await add(writer, b, maxBatchMessages, 1)
  await expect(writer.flush()).rejects.toThrow('no space')
  expect(calls()).toBe(2)
  expect(log).toContain('b: 0')
  expect(log.some((line) => line.startsWith('a:'))).toBe(false)
  await expect(add(writer, a, 0, maxBatchMessages)).rejects.toThrow('no space')
})

it('holds a bounded number of messages and appends over many sessions', async () => {
  const { log, handle, most } = slowStore(() => 1)
  const writer = new ImportWriter(new Tally())
  const sessions = Array.from({ length: 1_000 }, (_none, index) => sessionIn(handle, `s${index}`))
  for (let id = 0; id < maxPendingMessages; id += 1) await add(writer, sessions[id % 1_000] ?? sessionIn(handle, 'none'), id, 1)
  expect(log.filter((line) => line.includes(':')).length).toBeGreaterThanOrEqual(1_000 - maxAppends)
  await writer.flush()
  expect(writer.stored).toBe(maxPendingMessages)
  expect(most()).toBe(maxAppends)
})

it('has many small appends on their way together, and of large ones no more than they may hold in all', async () => {
  const large = slowStore(() => 5)
  const writer = new ImportWriter(new Tally())
  for (let id = 0; id < 12; id += 1) await add(writer, sessionIn(large.handle, `s${id}`), 0, maxBatchMessages)
  await writer.flush()
  expect(large.most()).toBe(maxOnWayMessages / maxBatchMessages)
  expect(writer.stored).toBe(12 * maxBatchMessages)
  expect(maxAppends).toBeGreaterThan(large.most())
})
