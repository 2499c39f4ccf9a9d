import { describe, expect, it } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import type { ScriptedModelServer } from '../../packages/varve/src/testing/index.ts'
import { serve } from '../fixtures/distil/open.ts'
import { minute, talk } from '../fixtures/distil/talk.ts'
import { copied } from '../fixtures/distil/writer.ts'
import { ask, hasPostgres, postgresUrl, storeIn, withParameters } from '../fixtures/postgres/server.ts'
import type { DistilArguments, DistilLine } from './children/distil-child.ts'
import { Child } from './support/child.ts'
import { counted, scaled, summarise } from './support/scale.ts'

const processes = 4
const users = scaled(16, 400)
const perUser = 5
const sessions = users * perUser

/** The sessions were recorded so long ago, by the server's clock, that they are settled. */
const recordedAgo = 20 * minute

/** How far the clocks of the processes are from the server's. */
const skews = [5 * minute, -5 * minute, 0, 2 * minute]

const nameOf = (user: number, session: number): string => `u${user}x${session}`
const all = Array.from({ length: users }, (_, user) => Array.from({ length: perUser }, (__, session) => nameOf(user, session)))
  .flat()
  .toSorted()

/** Fills a store as it was twenty minutes ago. */
async function fill(store: string): Promise<void> {
  await using memory = await openMemory({
    store: withParameters(store, { varve_clock: 'caller' }),
    engine: 'inline',
    upkeep: 'manual',
    layers: { gists: true },
    clock: { now: () => Date.now() - recordedAgo },
  })
  for (let user = 0; user < users; user += 1) {
    const ada = memory.for(`user-${user}`)
    await Promise.all(Array.from({ length: perUser }, (_, session) => ada.append(`talk-${session}`, talk(nameOf(user, session), 3))))
  }
}

/** Counts the requests about each session's words. */
async function counting(delayMs: number): Promise<{ server: ScriptedModelServer; asked: Map<string, number> }> {
  const asked = new Map<string, number>()
  const server = await serve((request) => {
    const name = /u\d+x\d+/.exec(request.prompt)?.[0] ?? 'none'
    asked.set(name, (asked.get(name) ?? 0) + 1)
    return { ...copied(request), delayMs }
  })
  return { server, asked }
}

function start(store: string, server: ScriptedModelServer, aheadMs: number): Child<DistilLine> {
  return new Child<DistilLine>('distil-child.ts', { store, aheadMs, bank: false } satisfies DistilArguments, {
    environment: { VARVE_MODEL_URL: server.url, VARVE_MODEL: 'scripted', VARVE_MODEL_WINDOW: '32768', VARVE_EMBEDDINGS: 'off' },
  })
}

async function gistsOf(memory: Memory): Promise<string[]> {
  const found: string[] = []
  for (let user = 0; user < users; user += 1) {
    for (const gist of await memory.for(`user-${user}`).gists.list())
      if (!gist.provisional) found.push(/u\d+x\d+/.exec(gist.text)?.[0] ?? 'none')
  }
  return found.toSorted()
}

async function gistsIn(store: string): Promise<string[]> {
  await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual', languageModel: false })
  return await gistsOf(memory)
}

describe.skipIf(!hasPostgres)('four processes that distil one store on PostgreSQL', () => {
  it('read every session once, whatever their clocks say', { timeout: scaled(120_000, 1_800_000) }, async () => {
    const store = storeIn(await postgresUrl())
    await fill(store)
    const { server, asked } = await counting(15)
    const since = performance.now()
    const children = skews.map((skew) => start(store, server, skew))
    const lines = await Promise.all(children.map((child) => child.line(({ type }) => type === 'done')))
    for (const child of children) expect(await child.ended).toMatchObject({ code: 0, stderr: '' })
    const seconds = (performance.now() - since) / 1_000
    const done = lines.flatMap((line) => (line?.type === 'done' ? [line] : []))
    summarise(
      `PostgreSQL, ${processes} processes with clocks up to 5 minutes apart from the server's: ${counted(sessions)} sessions read, ` +
        `${done.map(({ distilled }) => distilled).join(' + ')}, ${server.count} calls, ${seconds.toFixed(1)} s`,
    )
    expect(done.flatMap(({ errors }) => errors)).toEqual([])
    expect([...asked.keys()].toSorted()).toEqual(all)
    expect([...asked].filter(([, count]) => count > 1)).toEqual([])
    expect(done.every(({ distilled }) => distilled > 0)).toBe(true)
    expect(await gistsIn(store)).toEqual(all)
    expect(await ask(store, 'select count(*)::int as held from work where lease_until > 0')).toEqual([{ held: 0 }])
  })

  it('lose none when one is killed: what it held is read when its lease has run out', { timeout: scaled(120_000, 1_800_000) }, async () => {
    const store = storeIn(await postgresUrl())
    await fill(store)
    const { server, asked } = await counting(25)
    const children = skews.map((skew) => start(store, server, skew))
    await expect.poll(() => server.count, { timeout: 600_000, interval: 20 }).toBeGreaterThan(sessions / 4)
    children[0]?.kill()
    expect(await children[0]?.ended).toMatchObject({ signal: 'SIGKILL' })
    for (const child of children.slice(1)) {
      expect(await child.line(({ type }) => type === 'done')).toMatchObject({ errors: [] })
      expect(await child.ended).toMatchObject({ code: 0 })
    }
    const before = await gistsIn(store)
    // The lease of the killed one has run out by this process's clock, which is the store's.
    const later = start(withParameters(store, { varve_clock: 'caller' }), server, 10 * minute)
    expect(await later.line(({ type }) => type === 'done')).toMatchObject({ errors: [] })
    await later.ended
    const twice = [...asked].filter(([, count]) => count > 1)
    summarise(
      `PostgreSQL, ${processes} processes, one killed: ${counted(sessions)} sessions, ${server.count} calls, ` +
        `${sessions - before.length} read after a lease had run out, ${twice.length} asked twice`,
    )
    expect([...asked.keys()].toSorted()).toEqual(all)
    // The session that was being read when its process was killed.
    expect(twice.length).toBeLessThanOrEqual(1)
    expect(twice.every(([, count]) => count === 2)).toBe(true)
    expect(await gistsIn(store)).toEqual(all)
  })
})
