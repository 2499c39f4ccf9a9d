import { describe, expect, it, onTestFinished } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import type { ScriptedModelServer } from '../../packages/varve/src/testing/index.ts'
import { serve } from '../fixtures/distil/open.ts'
import { derivedProblems } from '../fixtures/distil/inspect.ts'
import { minute, settled, talk } from '../fixtures/distil/talk.ts'
import { copied } from '../fixtures/distil/writer.ts'
import type { DistilArguments, DistilLine } from './children/distil-child.ts'
import { Child } from './support/child.ts'
import { temporaryFolder } from './support/folder.ts'
import { counted, scaled, summarise } from './support/scale.ts'

const users = scaled(4, 40)
const perUser = 5
const sessions = users * perUser

const nameOf = (user: number, session: number): string => `u${user}x${session}`

async function fill(store: string): Promise<void> {
  await using memory = await openMemory({ store, upkeep: 'manual', layers: { gists: true } })
  for (let user = 0; user < users; user += 1) {
    for (let session = 0; session < perUser; session += 1)
      await memory.for(`user-${user}`).append(`talk-${session}`, talk(nameOf(user, session), 3))
  }
}

function start(store: string, server: ScriptedModelServer, aheadMs: number): Child<DistilLine> {
  return new Child<DistilLine>('distil-child.ts', { store, aheadMs, bank: false } satisfies DistilArguments, {
    environment: { VARVE_MODEL_URL: server.url, VARVE_MODEL: 'scripted', VARVE_MODEL_WINDOW: '32768', VARVE_EMBEDDINGS: 'off' },
  })
}

/** Counts the requests about each session's words. */
function askedOf(server: ScriptedModelServer): Map<string, number> {
  const asked = new Map<string, number>()
  for (const { prompt } of server.requests) {
    const name = /u\d+x\d+/.exec(prompt)?.[0] ?? 'none'
    asked.set(name, (asked.get(name) ?? 0) + 1)
  }
  return asked
}

async function gistsOf(memory: Memory): Promise<string[]> {
  const found: string[] = []
  for (let user = 0; user < users; user += 1) {
    for (const gist of await memory.for(`user-${user}`).gists.list())
      if (!gist.provisional) found.push(/u\d+x\d+/.exec(gist.text)?.[0] ?? 'none')
  }
  return found.toSorted()
}

const all = Array.from({ length: users }, (_, user) => Array.from({ length: perUser }, (__, session) => nameOf(user, session)))
  .flat()
  .toSorted()

describe('two processes that distil one store', () => {
  // requirement: GIST-17
  it('read every session once', { timeout: scaled(120_000, 600_000) }, async () => {
    const folder = temporaryFolder()
    onTestFinished(() => folder[Symbol.dispose]())
    const store = folder.file('store.db')
    await fill(store)
    const server = await serve((request) => ({ ...copied(request), delayMs: 15 }))
    const children = [start(store, server, settled), start(store, server, settled)]
    const lines = await Promise.all(children.map((child) => child.line(({ type }) => type === 'done')))
    for (const child of children) expect(await child.ended).toMatchObject({ code: 0, stderr: '' })
    const done = lines.flatMap((line) => (line?.type === 'done' ? [line] : []))
    const asked = askedOf(server)
    summarise(
      `two processes: ${counted(sessions)} sessions read, ${done.map(({ distilled }) => distilled).join(' and ')} each, ` +
        `${server.count} calls`,
    )
    expect(done.flatMap(({ errors }) => errors)).toEqual([])
    expect([...asked.keys()].toSorted()).toEqual(all)
    expect([...asked.values()].every((count) => count === 1)).toBe(true)
    expect(done.every(({ distilled }) => distilled > 0)).toBe(true)
    expect(derivedProblems(store)).toEqual([])
    await using memory = await openMemory({ store, upkeep: 'manual', languageModel: false, clock: { now: () => Date.now() + settled } })
    expect(await gistsOf(memory)).toEqual(all)
  })

  it(
    'lose none when one of them is killed: what it held is read when its lease has run out',
    { timeout: scaled(120_000, 600_000) },
    async () => {
      const folder = temporaryFolder()
      onTestFinished(() => folder[Symbol.dispose]())
      const store = folder.file('store.db')
      await fill(store)
      const server = await serve((request) => ({ ...copied(request), delayMs: 25 }))
      const children = [start(store, server, settled), start(store, server, settled)]
      await expect.poll(() => server.count, { timeout: 60_000 }).toBeGreaterThan(sessions / 4)
      children[0]?.kill()
      expect(await children[0]?.ended).toMatchObject({ signal: 'SIGKILL' })
      expect(await children[1]?.line(({ type }) => type === 'done')).toMatchObject({ errors: [] })
      await children[1]?.ended
      expect(derivedProblems(store)).toEqual([])
      const later = start(store, server, settled + 10 * minute)
      await later.line(({ type }) => type === 'done')
      await later.ended
      const asked = askedOf(server)
      const twice = [...asked.values()].filter((count) => count > 1)
      summarise(`two processes, one killed: ${counted(sessions)} sessions, ${server.count} calls, ${twice.length} asked twice`)
      expect([...asked.keys()].toSorted()).toEqual(all)
      // The session that was being read when its process was killed.
      expect(twice.length).toBeLessThanOrEqual(1)
      await using memory = await openMemory({ store, upkeep: 'manual', languageModel: false, clock: { now: () => Date.now() + settled } })
      expect(await gistsOf(memory)).toEqual(all)
      expect(derivedProblems(store)).toEqual([])
    },
  )
})
