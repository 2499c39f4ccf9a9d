import { describe, expect, it } from 'vitest'
import { openMemory, type Memory } from '../../packages/varve/src/memory/memory.ts'
import { postgresAddress } from '../../packages/varve/src/storage/postgres/address.ts'
import { onConnection, openPool } from '../../packages/varve/src/storage/postgres/connections.ts'
import { ask, hasPostgres, postgresUrl, storeIn, withParameters } from '../fixtures/postgres/server.ts'
import { type Cut, CutProxy } from './support/cut-proxy.ts'
import { type Random, seeded } from './support/disk.ts'
import { codeOf } from './support/say.ts'
import { counted, scaled, summarise } from './support/scale.ts'
import { keyOf, textOf } from './support/text.ts'

const cuts = scaled(12, 500)
/** Short, so that swallowed packets are noticed soon. The driver waits as long once more. */
const timeoutMs = '1000'
const lanes = 3
const mostTries = 30
/** Places within the bytes of an append at which the rest of it is swallowed, and their distance. */
const halves = 8
const bytesApart = 150

describe.skipIf(!hasPostgres)('a connection that is cut in mid-transaction', () => {
  it('leaves no lock on the server, where half of a step was swallowed', { timeout: 240_000 }, async () => {
    const direct = storeIn(await postgresUrl())
    await (await openMemory({ store: direct, engine: 'inline', upkeep: 'manual' })).close()
    const address = new URL(withParameters(direct, { varve_timeout_ms: timeoutMs }))
    await using proxy = await CutProxy.before(Number(address.port))
    address.port = String(proxy.port)
    await using memory = await openMemory({ store: address.toString(), engine: 'inline', upkeep: 'manual' })
    const ada = memory.for('ada')
    await ada.append('talk', { id: 'warm', role: 'user', content: textOf('warm') })
    for (let place = 1; place <= halves; place += 1) {
      proxy.cutAt({ at: 'byte', way: 'to server', bytes: place * bytesApart, how: 'swallow' })
      await ada.append('talk', { id: `m${place}`, role: 'user', content: textOf(`m${place}`) })
    }
    expect(proxy.cuts).toBeGreaterThan(halves / 2)
    expect(await ada.messages('talk', { limit: 100 })).toHaveLength(halves + 1)
    const stuck = "select count(*)::int as stuck from pg_stat_activity where state = 'active' and wait_event = 'ClientRead'"
    await expect.poll(() => ask(direct, stuck), { timeout: 20_000, interval: 100 }).toEqual([{ stuck: 0 }])
  })

  it('is not given to the next question, where its answer never came', async () => {
    const address = new URL(withParameters(await postgresUrl(), { varve_timeout_ms: '200' }))
    await using proxy = await CutProxy.before(Number(address.port))
    address.port = String(proxy.port)
    const connections = await openPool(postgresAddress(address.toString()))
    const asked = () => onConnection(connections, (client) => client.query<{ pid: number }>('select pg_backend_pid() as pid'))
    const first = await asked()
    expect((await asked()).rows).toEqual(first.rows)
    proxy.cutAt({ at: 'byte', way: 'to server', bytes: 1, how: 'swallow' })
    await expect(asked()).rejects.toThrow('Query read timeout')
    expect((await asked()).rows).not.toEqual(first.rows)
    await connections.pool.end()
  })

  it('loses no acknowledged message and doubles none', { timeout: scaled(240_000, 3_600_000) }, async () => {
    const direct = storeIn(await postgresUrl())
    // The store is made without haste.
    await (await openMemory({ store: direct, engine: 'inline', upkeep: 'manual' })).close()
    const address = new URL(withParameters(direct, { varve_timeout_ms: timeoutMs }))
    await using proxy = await CutProxy.before(Number(address.port))
    address.port = String(proxy.port)
    await using memory = await openMemory({ store: address.toString(), engine: 'inline', upkeep: 'manual' })
    const random = seeded(11)
    const told: Told = { acknowledged: [], refused: [], unsure: 0, retryable: 0, errors: [] }
    await memory.for('ada').append('lane-0', { id: 'warm', role: 'user', content: textOf('warm') })
    for (let round = 0; proxy.cuts < cuts && round < cuts * 3; round += 1) {
      proxy.cutAt(cutOf(round, random))
      await Promise.all(Array.from({ length: lanes }, (_, lane) => appended(memory, lane, round, told)))
    }
    proxy.cutAt(undefined)
    await using sound = await openMemory({ store: direct, engine: 'inline', upkeep: 'manual' })
    const found: string[] = []
    for (let lane = 0; lane < lanes; lane += 1) {
      const messages = await sound.for('ada').messages(`lane-${lane}`, { limit: 10_000 })
      expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, at) => at + 1))
      found.push(...messages.map(({ content }) => keyOf(content) ?? 'changed'))
    }
    const lost = told.acknowledged.filter((key) => !found.includes(key))
    const twice = found.filter((key, at) => found.indexOf(key) !== at)
    const stored = told.refused.filter((key) => found.includes(key))
    summarise(
      `PostgreSQL, ${counted(proxy.cuts)} connections cut: ${counted(told.acknowledged.length)} acknowledged, ` +
        `${told.retryable} calls failed retryably, ${told.unsure} of them unsure, ${lost.length} lost, ${twice.length} doubled`,
    )
    expect(told.errors).toEqual([])
    expect(lost).toEqual([])
    expect(twice).toEqual([])
    // Where the error says that nothing was stored, nothing was.
    expect(stored).toEqual([])
    expect(proxy.cuts).toBe(cuts)
  })
})

interface Told {
  readonly acknowledged: string[]
  /** Keys of messages that an error said were not stored, and that nobody tried again. */
  readonly refused: string[]
  unsure: number
  retryable: number
  readonly errors: string[]
}

/** The places of cuts, in turns: both ways, both kinds, at any byte, and around the commit. */
function cutOf(round: number, random: Random): Cut {
  const how = round % 4 === 0 ? 'swallow' : 'reset'
  if (round % 5 === 1) return { at: 'answer to commit', how: round % 2 === 0 ? 'swallow' : 'reset' }
  if (round % 5 === 3) return { at: 'commit', how }
  const way = random() < 0.5 ? 'to server' : 'to client'
  return { at: 'byte', way, bytes: 1 + Math.floor(random() * 6_000), how }
}

/** Appends a message without an id once, and one with an id until it is acknowledged. */
async function appended(memory: Memory, lane: number, round: number, told: Told): Promise<void> {
  const ada = memory.for('ada')
  const session = `lane-${lane}`
  const plain = `r${round}l${lane}-plain`
  try {
    await ada.append(session, { role: 'user', content: textOf(plain) })
    told.acknowledged.push(plain)
  } catch (error) {
    if (!isSure(error, told)) return again()
    told.refused.push(plain)
  }
  return again()

  async function again(): Promise<void> {
    const key = `r${round}l${lane}-known`
    for (let tries = 0; tries < mostTries; tries += 1) {
      try {
        await ada.append(session, { id: key, role: 'user', content: textOf(key) })
        told.acknowledged.push(key)
        return
      } catch (error) {
        isSure(error, told)
      }
    }
    told.errors.push(`${key} was never acknowledged`)
  }
}

/** Whether an error says that nothing was stored. Notes an error that a caller could not try again. */
function isSure(error: unknown, told: Told): boolean {
  if (error instanceof Error && 'isRetryable' in error && error.isRetryable === true) told.retryable += 1
  else told.errors.push(codeOf(error))
  const isUnsure = error instanceof Error && 'mayBeStored' in error && error.mayBeStored === true
  if (isUnsure) told.unsure += 1
  return !isUnsure
}
