import { describe, expect, it } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import type { ScriptedAnswer, ScriptedModelServer } from '../../packages/varve/src/testing/index.ts'
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

const longest = scaled(120_000, 1_800_000)

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

interface Counting {
  readonly server: ScriptedModelServer
  /** The requests about each session's words. */
  readonly asked: ReadonlyMap<string, number>
}

/** The key by which the server knows the process that will be killed. */
const doomed = 'doomed'

/** Serves a model that counts what it is asked. `answer` has the last word on an answer. */
async function counting(answer: (name: string, key: string | undefined) => Partial<ScriptedAnswer>): Promise<Counting> {
  const asked = new Map<string, number>()
  const server = await serve((request) => {
    const name = /u\d+x\d+/.exec(request.prompt)?.[0] ?? 'none'
    asked.set(name, (asked.get(name) ?? 0) + 1)
    return { ...copied(request), ...answer(name, request.authorization) }
  })
  return { server, asked }
}

function start(store: string, server: ScriptedModelServer, aheadMs: number, key = 'living'): Child<DistilLine> {
  return new Child<DistilLine>('distil-child.ts', { store, aheadMs, bank: false } satisfies DistilArguments, {
    environment: {
      VARVE_MODEL_URL: server.url,
      VARVE_MODEL: 'scripted',
      VARVE_MODEL_KEY: key,
      VARVE_MODEL_WINDOW: '32768',
      VARVE_EMBEDDINGS: 'off',
    },
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
  it('read every session once, whatever their clocks say', { timeout: longest }, async () => {
    const store = storeIn(await postgresUrl())
    await fill(store)
    const { server, asked } = await counting(() => ({ delayMs: 15 }))
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

  it('lose none when one is killed in a call: its session is read once more when the lease has run out', { timeout: longest }, async () => {
    const store = storeIn(await postgresUrl())
    await fill(store)
    const held = Promise.withResolvers<string>()
    let calls = 0
    // The model hangs on a call of that process, once a quarter of all is read: the kill finds it with a session.
    const { server, asked } = await counting((name, key) => {
      calls += 1
      const hangs = key?.includes(doomed) === true && calls > sessions / 4
      if (hangs) held.resolve(name)
      return { delayMs: 25, hangs }
    })
    const [killed, ...living] = skews.map((skew, at) => start(store, server, skew, at === 0 ? doomed : undefined))
    const name = await held.promise
    killed?.kill()
    expect(await killed?.ended).toMatchObject({ signal: 'SIGKILL' })
    for (const child of living) {
      expect(await child.line(({ type }) => type === 'done')).toMatchObject({ errors: [] })
      expect(await child.ended).toMatchObject({ code: 0 })
    }
    // The killed one holds that session still: all others were read, each once.
    expect(await ask(store, 'select count(*)::int as held from work where lease_until > 0')).toEqual([{ held: 1 }])
    expect(await gistsIn(store)).toEqual(all.filter((one) => one !== name))
    expect([...asked].filter(([, count]) => count > 1)).toEqual([])
    expect([...asked.keys()].toSorted()).toEqual(all)
    // The lease of the killed one has run out by this process's clock, which is the store's.
    const later = start(withParameters(store, { varve_clock: 'caller' }), server, 10 * minute)
    expect(await later.line(({ type }) => type === 'done')).toMatchObject({ distilled: 1, errors: [] })
    await later.ended
    const twice = [...asked].filter(([, count]) => count > 1)
    summarise(
      `PostgreSQL, ${processes} processes, one killed in a call: ${counted(sessions)} sessions, ${server.count} calls, ` +
        `${twice.length} asked twice`,
    )
    expect(twice).toEqual([[name, 2]])
    expect(server.count).toBe(sessions + 1)
    expect(await gistsIn(store)).toEqual(all)
  })
})
