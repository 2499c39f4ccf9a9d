import { connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

/** Counts the times that a client sent something after the server had answered. */
class CountingProxy {
  turns = 0
  readonly #server: Server

  constructor(target: URL) {
    this.#server = createServer((client) => {
      const server = connect(Number(target.port), target.hostname)
      let isAnswered = true
      client.on('data', (chunk: Buffer) => {
        this.turns += Number(isAnswered)
        isAnswered = false
        server.write(chunk)
      })
      server.on('data', (chunk: Buffer) => {
        isAnswered = true
        client.write(chunk)
      })
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const)
        one.on('error', () => other.destroy()).on('close', () => other.destroy())
    })
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}

describe.skipIf(url === undefined)('upkeep over a network', () => {
  let store: string
  beforeAll(async () => {
    store = await takeStore()
  })
  afterAll(() => giveStore(store))

  test(`reads a session of 24 messages in at most ${mostToRead} round trips, and finds nothing in ${mostToLook}`, async () => {
    const proxy = new CountingProxy(new URL(store))
    const far = new URL(store)
    ;[far.hostname, far.port] = ['127.0.0.1', String(await proxy.listen())]
    const memory = await openMemory({ store: far.toString(), upkeep: 'manual', isolation: 'silent', embeddingModel: false })
    const users = ['ada', 'bob', 'eva'] as const
    for (const user of users) await memory.for(user).append('talk', talk)
    const read = (user: string) => memory.upkeep.run({ all: true, kinds: ['layers'], project: 'default', user, session: 'talk' })
    // The first ones open connections.
    for (const user of ['ada', 'bob']) expect(await read(user)).toMatchObject({ distilled: 1 })
    const counted = async (distilled: number): Promise<number> => {
      const before = proxy.turns
      expect(await read('eva')).toMatchObject({ distilled, settled: true, waiting: { sessions: 0 } })
      return proxy.turns - before
    }
    expect(await counted(1)).toBeLessThanOrEqual(mostToRead)
    expect((await memory.for('eva').facts.list()).length).toBeGreaterThan(10)
    expect(await counted(0)).toBeLessThanOrEqual(mostToLook)
    await memory.close()
    await proxy.close()
  })
})
