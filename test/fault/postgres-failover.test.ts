import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { freePort } from '../../scripts/postgres-server.ts'
import { ask, hasOwnPostgres, ownPostgres, withParameters } from '../fixtures/postgres/server.ts'
import { standbyOf } from '../fixtures/postgres/standby.ts'
import { codeOf } from './support/say.ts'
import { counted, summarise } from './support/scale.ts'
import { keyOf, textOf } from './support/text.ts'

const writers = 4
const loadMs = 1_500

describe.skipIf(!hasOwnPostgres)('a server that is lost, and its standby promoted', () => {
  it('loses nothing acknowledged, and the calls go on there by themselves', async () => {
    const primary = await ownPostgres()
    const standby = await standbyOf(primary, await freePort())
    await ask(primary.url, "alter system set synchronous_standby_names = '*'")
    await ask(primary.url, 'select pg_reload_conf()')
    const both = `postgres://varve@127.0.0.1:${new URL(standby.url).port},127.0.0.1:${primary.port}/postgres`
    const store = withParameters(both, { varve_timeout_ms: '3000' })
    // The standby stands first in the list: it takes no writes yet.
    await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual' })
    const acknowledged: string[] = []
    const codes = new Map<string, number>()
    const fatal: string[] = []
    const ending = new AbortController()
    const write = async (lane: number): Promise<void> => {
      for (let at = 0; !ending.signal.aborted;) {
        const key = `w${lane}-${at}`
        try {
          await memory.for(`user-${lane}`).append('talk', { id: key, role: 'user', content: textOf(key) })
          acknowledged.push(key)
          at += 1
        } catch (error) {
          codes.set(codeOf(error), (codes.get(codeOf(error)) ?? 0) + 1)
          if (!(error instanceof Error && 'isRetryable' in error && error.isRetryable === true)) return void fatal.push(codeOf(error))
          await sleep(20)
        }
      }
    }
    const load = Promise.all(Array.from({ length: writers }, (_, lane) => write(lane)))
    await sleep(loadMs)
    await primary.restart('immediate')
    await sleep(loadMs)
    const before = acknowledged.length
    process.kill(primary.pid, 'SIGQUIT')
    await sleep(loadMs)
    const since = performance.now()
    await standby.promote()
    const atPromotion = acknowledged.length
    await expect.poll(() => acknowledged.length, { timeout: 30_000, interval: 10 }).toBeGreaterThan(atPromotion)
    const recoveryMs = performance.now() - since
    await sleep(loadMs)
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
      `PostgreSQL, failover to a standby: ${counted(before)} acknowledged before, ${counted(acknowledged.length)} in all, ` +
        `${lost.length} lost, ${found.length - held.size} doubled, errors ${JSON.stringify(Object.fromEntries(codes))}, ` +
        `written again ${recoveryMs.toFixed(0)} ms after the promotion began`,
    )
    expect(fatal).toEqual([])
    expect(lost).toEqual([])
    expect(found).toHaveLength(held.size)
  })
})
