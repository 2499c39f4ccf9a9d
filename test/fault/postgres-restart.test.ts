import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { postgresAddress } from '../../packages/varve/src/storage/postgres/address.ts'
import { openPool, take } from '../../packages/varve/src/storage/postgres/connections.ts'
import { commitOutcome, numberColumns, type Numbered } from '../../packages/varve/src/storage/postgres/outcome.ts'
import { ask, hasOwnPostgres, ownPostgres, storeIn } from '../fixtures/postgres/server.ts'
import { codeOf } from './support/say.ts'
import { counted, scaled, summarise } from './support/scale.ts'
import { keyOf, textOf } from './support/text.ts'

const restarts = scaled(4, 40)
const writers = 4

/** A server is back within a second or so; a call that meets its end tries again for some seconds. */
const loadMs = 400
const mostRecoveryMs = 30_000

/** Far less than all attempts to ask for an outcome take. */
const longestAskMs = 5_000

describe.skipIf(!hasOwnPostgres)('a server that restarts under load', () => {
  it('loses nothing acknowledged; calls fail retryably, and go on by themselves', { timeout: scaled(240_000, 1_800_000) }, async () => {
    const server = await ownPostgres({ isDurable: true })
    const store = storeIn(server.url, { varve_timeout_ms: '5000' })
    await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual' })
    const acknowledged: string[] = []
    const codes = new Map<string, number>()
    const fatal: string[] = []
    const ending = new AbortController()
    const write = async (lane: number): Promise<void> => {
      for (let at = 0; !ending.signal.aborted; at += 1) {
        const key = `w${lane}-${at}`
        for (let stored = false; !stored;) {
          try {
            await memory.for(`user-${lane}`).append('talk', { id: key, role: 'user', content: textOf(key) })
            acknowledged.push(key)
            stored = true
          } catch (error) {
            codes.set(codeOf(error), (codes.get(codeOf(error)) ?? 0) + 1)
            if (error instanceof Error && 'isRetryable' in error && error.isRetryable === true) await sleep(20)
            else return void fatal.push(codeOf(error))
          }
        }
      }
    }
    const load = Promise.all(Array.from({ length: writers }, (_, lane) => write(lane)))
    let longestMs = 0
    for (let round = 0; round < restarts; round += 1) {
      await sleep(loadMs)
      await server.restart(round % 2 === 0 ? 'immediate' : 'fast')
      const [since, before] = [performance.now(), acknowledged.length]
      while (acknowledged.length === before && performance.now() - since < mostRecoveryMs) await sleep(10)
      longestMs = Math.max(longestMs, performance.now() - since)
    }
    ending.abort()
    await load
    const found: string[] = []
    for (let lane = 0; lane < writers; lane += 1) {
      const messages = await memory.for(`user-${lane}`).messages('talk', { limit: 10_000 })
      found.push(...messages.map(({ content }) => keyOf(content) ?? 'changed'))
    }
    const held = new Set(found)
    const lost = acknowledged.filter((key) => !held.has(key))
    summarise(
      `PostgreSQL, ${restarts} restarts under load: ${counted(acknowledged.length)} acknowledged, ${lost.length} lost, ` +
        `${found.length - held.size} doubled, errors ${JSON.stringify(Object.fromEntries(codes))}, ` +
        `recovery ${longestMs.toFixed(0)} ms at most`,
    )
    expect(fatal).toEqual([])
    expect(lost).toEqual([])
    expect(found).toHaveLength(held.size)
    expect([...codes.keys()].filter((code) => code !== 'STORE_UNREACHABLE' && code !== 'STORE_BUSY')).toEqual([])
    expect(longestMs).toBeLessThan(mostRecoveryMs)
  })

  it('does not take another transaction for one that a crash took away', async () => {
    const server = await ownPostgres({ isDurable: true })
    const connections = await openPool(postgresAddress(server.url))
    const client = await take(connections)
    await client.query('begin')
    const { rows } = await client.query<Numbered & Record<string, string>>(`select ${numberColumns}`)
    const [own] = rows
    client.on('error', () => undefined)
    // It wrote nothing to the log: after the crash its number is given to another.
    await server.restart('immediate')
    client.release(true)
    // Until then the number is of the future. The server says no more than once that nobody knows.
    const since = performance.now()
    expect(await commitOutcome(connections, own ?? { number: '3', life: '' })).toBeUndefined()
    expect(performance.now() - since).toBeLessThan(longestAskMs)
    let number = 0
    for (let at = 0; at < 50 && number < Number(own?.number); at += 1)
      number = Number((await ask(server.url, 'select pg_current_xact_id()::text as number'))[0]?.['number'])
    expect(number).toBeGreaterThanOrEqual(Number(own?.number))
    expect(await ask(server.url, `select pg_xact_status('${own?.number}'::xid8) as status`)).toEqual([{ status: 'committed' }])
    expect(await commitOutcome(connections, own ?? { number: '3', life: '' })).toBeUndefined()
    await connections.pool.end()
  })
})
