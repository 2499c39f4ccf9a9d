import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EngineInterrupted, type MemoryEvent, type UserMemory, VarveError } from '../../packages/varve/src/index.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { recordedThreads } from '../fixtures/memory/threads.ts'

const threads = recordedThreads()
const kills = process.env['VARVE_FAULTS'] === 'full' ? 200 : 6

/** Makes numbers below 1, the same in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

/** Returns the threads started since then that have not ended. */
function living(from: number) {
  return threads.slice(from).filter(({ worker }) => worker.threadId !== -1)
}

// requirement: P1.9
test(`each thread is killed ${kills} times under load: nothing acknowledged is lost, and every later call is answered`, async () => {
  const first = threads.length
  const memory = await openForTest({ store: newStore(), engine: 'threads' })
  const ada = memory.for('ada')
  const next = random(7)
  const acknowledged = new Set<string>()
  const errors = new Map<string, number>()
  let sent = 0
  const load = async (): Promise<void> => {
    const works = [
      () => append(ada, `m${(sent += 1)}`, acknowledged),
      () => ada.recall('barge green', { limit: 5 }),
      () => ada.messages('talk', { limit: 20 }),
      () => ada.context({ session: 'talk', query: 'barge', maxTokens: 300 }),
      () => ada.distil('talk'),
    ]
    const outcomes = await Promise.allSettled(works.map((work) => work()))
    for (const outcome of outcomes) if (outcome.status === 'rejected') tally(errors, outcome.reason)
  }
  await append(ada, 'first', acknowledged)
  for (let killed = 0; killed < 3 * kills; killed += 1) {
    const running = load()
    for (let turns = Math.floor(next() * 40); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve))
    const alive = living(first)
    await alive[Math.floor(next() * alive.length)]?.worker.terminate()
    await running
    expect((await ada.messages('talk', { limit: 1 })).length).toBe(1)
    await append(ada, `after ${killed}`, acknowledged)
  }
  const stored = new Set((await ada.messages('talk', { limit: 10_000 })).map(({ externalId }) => externalId))
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([])
  expect([...errors.keys()].filter((code) => code !== 'ENGINE_INTERRUPTED')).toEqual([])
  expect(memory.counters().threadsRestarted).toBeGreaterThan(0)
  expect((await ada.recall('barge green', { limit: 5 })).hits).toHaveLength(5)
}, 600_000)

async function append(ada: UserMemory, id: string, acknowledged: Set<string>): Promise<void> {
  await ada.append('talk', { role: 'user', id, content: `barge ${id} is green` })
  acknowledged.add(id)
}

function tally(errors: Map<string, number>, error: unknown): void {
  const code = VarveError.is(error) ? error.code : String(error)
  errors.set(code, (errors.get(code) ?? 0) + 1)
}

test('a call whose thread dies is told so by an error of its own, and doctor, an event and a counter tell of it', async () => {
  const first = threads.length
  const memory = await openForTest({ store: newStore(), engine: 'threads' })
  const ada = memory.for('ada')
  await ada.append('talk', { role: 'user', content: 'the ferry leaves at nine' })
  const heard: MemoryEvent[] = []
  const listening = (async () => {
    for await (const event of memory.events()) heard.push(event)
  })()
  const writer = living(first).find(({ role }) => role === 'writes')
  const under = rejection(ada.append('talk', { role: 'user', content: 'x'.repeat(500_000) }))
  await writer?.worker.terminate()
  const error = await under
  expect(error).toBeInstanceOf(EngineInterrupted)
  expect(error).toMatchObject({ code: 'ENGINE_INTERRUPTED', isRetryable: true, thread: 'writes' })
  // An unacknowledged message may be stored, or not.
  expect((await ada.messages('talk'))[0]).toMatchObject({ content: 'the ferry leaves at nine' })
  expect(memory.counters().threadsRestarted).toBe(1)
  const { checks } = await memory.doctor()
  expect(checks.find(({ name }) => name === 'engine')?.detail).toMatch(/1 ended by itself and was started anew/)
  await memory.close()
  await listening
  expect(heard.some((event) => event.type === 'warning' && event.code === 'ENGINE_INTERRUPTED')).toBe(true)
})

test('close() after a thread died ends all threads and gives back every file', async () => {
  const descriptors = (): number => readdirSync('/proc/self/fd').length
  const rounds: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const first = threads.length
    const memory = await openForTest({ store: newStore(), engine: 'threads' })
    const ada = memory.for('ada')
    await ada.append('talk', { role: 'user', content: 'the ferry leaves at nine' })
    await ada.context({ query: 'ferry', maxTokens: 200 })
    const alive = living(first)
    expect(alive).toHaveLength(2)
    await alive[round % 2]?.worker.terminate()
    await memory.close()
    expect(living(first)).toEqual([])
    rounds.push(descriptors())
  }
  expect(rounds.at(-1)).toBeLessThanOrEqual((rounds[0] ?? 0) + 1)
})

test('a thread that dies while the memory is closed is told by close(), once all others were ended', async () => {
  const first = threads.length
  const memory = await openForTest({ store: newStore(), engine: 'threads' })
  const ada = memory.for('ada')
  await ada.append('talk', { role: 'user', content: 'the ferry leaves at nine' })
  await ada.context({ query: 'ferry', maxTokens: 200 })
  // An append waits for the notes of what was shown: with none left, the next one is sent at once.
  await ada.append('talk', { role: 'user', content: 'and at ten' })
  const writer = living(first).find(({ role }) => role === 'writes')
  const under = rejection(ada.append('talk', { role: 'user', content: 'x'.repeat(900_000) }))
  const closed = Promise.allSettled([memory.close()])
  await writer?.worker.terminate()
  expect(await under).toBeInstanceOf(EngineInterrupted)
  await closed
  expect(living(first)).toEqual([])
})
