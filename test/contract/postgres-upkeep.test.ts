import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DelayingProxy } from '../../bench/server/delaying-proxy.ts'
import { openMemory } from '../../packages/varve/src/index.ts'
import { giveStore, takeStore } from '../fixtures/postgres/schemas.ts'

const url = process.env['VARVE_TEST_POSTGRES']

/** The round trips of upkeep of a session, and of upkeep that finds nothing to do: 35 and 3, and 3 that tell the time. */
const mostToRead = 40
const mostToLook = 8

const talk = Array.from({ length: 24 }, (_, at) => ({
  role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: at % 2 === 0 ? `I live in Kiel. I work at Harbour ${at}. My sister Mira likes barge ${at}.` : 'Noted.',
}))

describe.skipIf(url === undefined)('upkeep over a network', () => {
  let store: string
  beforeAll(async () => {
    store = await takeStore()
  })
  afterAll(() => giveStore(store))

  test(`reads a session of 24 messages in at most ${mostToRead} round trips, and finds nothing in ${mostToLook}`, async () => {
    await using proxy = await DelayingProxy.start(store, { delayMs: 0 })
    const far = new URL(store)
    ;[far.hostname, far.port] = ['127.0.0.1', String(proxy.port)]
    const memory = await openMemory({ store: far.toString(), upkeep: 'manual', isolation: 'silent', embeddingModel: false })
    const users = ['ada', 'bob', 'eva'] as const
    for (const user of users) await memory.for(user).append('talk', talk)
    const read = (user: string) => memory.upkeep.run({ all: true, kinds: ['layers'], project: 'default', user, session: 'talk' })
    // The first ones open connections.
    for (const user of ['ada', 'bob']) expect(await read(user)).toMatchObject({ distilled: 1 })
    const counted = async (distilled: number): Promise<number> => {
      const before = proxy.passed.turns
      expect(await read('eva')).toMatchObject({ distilled, settled: true, waiting: { sessions: 0 } })
      return proxy.passed.turns - before
    }
    expect(await counted(1)).toBeLessThanOrEqual(mostToRead)
    expect((await memory.for('eva').facts.list()).length).toBeGreaterThan(10)
    expect(await counted(0)).toBeLessThanOrEqual(mostToLook)
    await memory.close()
  })
})
