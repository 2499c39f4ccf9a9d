import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/index.ts'
import { EventFeeds } from '../../packages/varve/src/server/events/event-feeds.ts'
import { ask } from '../fixtures/postgres/server.ts'

const url = process.env['VARVE_TEST_POSTGRES']
const schema = `listen_${randomUUID().slice(0, 8)}`

function addressOf(parameters: Readonly<Record<string, string>> = {}): string {
  const address = new URL(url ?? '')
  for (const [name, value] of Object.entries({ varve_schema: schema, ...parameters })) address.searchParams.set(name, value)
  return address.toString()
}

async function opened(
  engine: 'inline' | 'threads',
  parameters: Readonly<Record<string, string>> = { varve_listen: 'on' },
): Promise<Memory> {
  const memory = await openMemory({ store: addressOf(parameters), engine, upkeep: 'manual', embeddingModel: false, isolation: 'silent' })
  onTestFinished(() => memory.close())
  return memory
}

const append = (memory: Memory) =>
  memory.for({ project: 'acme', user: 'ada' }).append(randomUUID(), { role: 'user', content: 'I sold the barge.' })

/** Counts what a memory hears. */
function hearing(memory: Memory): { count: number } {
  const heard = { count: 0 }
  onTestFinished(
    memory.onHeard(() => {
      heard.count += 1
    }),
  )
  return heard
}

/**
 * Appends until a stream told of it. A look finds nothing while an older transaction runs anywhere in the server: those of
 * other tests. Then the next notice makes the stream look again.
 */
async function appendUntil(told: Promise<string>, memory: Memory): Promise<string> {
  let text = ''
  for (let appended = 0; appended < 50 && text === ''; appended += 1) {
    await append(memory)
    text = await Promise.race([told, pause(200, '')])
  }
  return text
}

/** Reads a stream of the project's events until it tells of an append. */
async function toldOfAppend(memory: Memory, lookMs: number): Promise<() => Promise<string>> {
  const feeds = new EventFeeds(memory, { lookMs, keepAliveMs: 60_000 })
  onTestFinished(() => feeds.close())
  const reader = { project: 'acme', withContent: false, isAdmin: false, mayReadWords: () => false }
  const { body } = await feeds.serve(new Request('http://127.0.0.1/events'), reader)
  const chunks = body?.pipeThrough(new TextDecoderStream())
  return async () => {
    for await (const chunk of chunks ?? []) if (chunk.includes('event: appended')) return chunk
    return ''
  }
}

describe.skipIf(url === undefined)('instances that listen', () => {
  let channel: string
  const listeners = async (): Promise<readonly unknown[]> => {
    const mine = `where application_name = 'varve listens' and query = 'listen "${channel}"'`
    return (await ask(url ?? '', `select pid from pg_stat_activity ${mine}`)).map(({ pid }) => pid)
  }
  const whenListening = (count: number): Promise<readonly unknown[]> =>
    vi.waitFor(
      async () => {
        const pids = await listeners()
        expect(pids).toHaveLength(count)
        return pids
      },
      { timeout: 10_000, interval: 50 },
    )

  beforeAll(async () => {
    await (await openMemory({ store: addressOf(), engine: 'inline', upkeep: 'manual', embeddingModel: false })).close()
    const [row] = await ask(addressOf(), "select value from meta where key = 'store_id'")
    channel = `varve_${String(row?.['value'])}`
  })
  afterAll(async () => {
    await ask(url ?? '', `drop schema ${schema} cascade`)
  })

  test('without the parameter nobody does, and nobody hears', async () => {
    const [one, other] = [await opened('inline'), await opened('inline', {})]
    await whenListening(1)
    const heard = hearing(one)
    await append(other)
    expect(await listeners()).toHaveLength(1)
    expect(heard.count).toBe(0)
  })

  test.each(['inline', 'threads'] as const)('hear of another’s write at once, and not of their own (%s)', async (engine) => {
    const [one, other] = [await opened(engine), await opened('inline')]
    await whenListening(2)
    const told = await toldOfAppend(one, 600_000)
    const [heardByOne, heardByOther] = [hearing(one), hearing(other)]
    expect(await appendUntil(told(), other)).toContain('event: appended')
    expect(heardByOne.count).toBeGreaterThan(0)
    expect(heardByOther.count).toBe(0)
  })

  test('close their connection, and let the process end', async () => {
    const varve = new URL('../../packages/varve/src/index.ts', import.meta.url).href
    const code = `import { openMemory } from '${varve}'
      const memory = await openMemory({ store: process.env.STORE, engine: 'inline', upkeep: 'manual', embeddingModel: false })
      await memory.for('ada').append('talk', { role: 'user', content: 'I sold the barge.' })
      await memory.close()
      console.log('closed')`
    const env = { ...process.env, STORE: addressOf({ varve_listen: 'on' }) }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env })
    expect(stdout).toBe('closed\n')
  }, 60_000)

  test('see a change whose notice was lost with the connection, and listen again', async () => {
    const [one, other] = [await opened('inline'), await opened('inline')]
    const pids = await whenListening(2)
    const told = await toldOfAppend(one, 20)
    await ask(url ?? '', `select pg_terminate_backend(pid) from unnest(array[${pids.join()}]) as pid`)
    await append(other)
    expect(await told()).toContain('event: appended')
    const again = await whenListening(2)
    expect(again.filter((pid) => pids.includes(pid))).toEqual([])
    const anew = await toldOfAppend(one, 600_000)
    expect(await appendUntil(anew(), other)).toContain('event: appended')
  })
})
