import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { serve } from '../fixtures/distil/open.ts'
import { derivedProblems } from '../fixtures/distil/inspect.ts'
import { hour, talk } from '../fixtures/distil/talk.ts'
import { copied, isDigest } from '../fixtures/distil/writer.ts'
import type { DistilArguments, DistilLine } from './children/distil-child.ts'
import { Child } from './support/child.ts'
import { seeded } from './support/disk.ts'
import { temporaryFolder } from './support/folder.ts'
import { scaled, summarise } from './support/scale.ts'

const kills = scaled(3, 50)
const sessionsPerRound = 6
/** A process is killed after this many calls and milliseconds at most: between two commits, or in one. */
const mostCalls = 10
const longestMs = 40

/** Each process's clock is later than the one before it: its leases have run out, and now and then a day is over. */
const roundMs = 7 * hour

describe('kill -9 while layers are written', () => {
  // requirement: P1.15
  it('leaves no half item and no double, and all is made in the end', { timeout: scaled(150_000, 1_800_000) }, async () => {
    const folder = temporaryFolder()
    onTestFinished(() => folder[Symbol.dispose]())
    const store = folder.file('store.db')
    const random = seeded(7)
    const server = await serve(copied)
    const environment = { VARVE_MODEL_URL: server.url, VARVE_MODEL: 'scripted', VARVE_MODEL_WINDOW: '32768', VARVE_EMBEDDINGS: 'off' }
    const problems: string[] = []
    let sessions = 0
    let midWork = 0
    let round = 0
    const clock = { now: (): number => Date.now() + round * roundMs }
    const writing = await openMemory({ store, upkeep: 'manual', languageModel: false, clock })
    await writing.project('default').settings.set({ bank: { maxTokens: 200 } })
    for (; round < kills; round += 1) {
      for (let at = 0; at < sessionsPerRound; at += 1)
        await writing.for('ada').append(`talk-${(sessions += 1)}`, talk(`r${round}x${at}`, at === 0 ? 45 : 3))
      const child = new Child<DistilLine>(
        'distil-child.ts',
        { store, aheadMs: round * roundMs + hour, bank: true } satisfies DistilArguments,
        { environment },
      )
      if ((await child.line(({ type }) => type === 'opened')) === undefined)
        problems.push(`round ${round} does not open: ${(await child.ended).stderr}`)
      const until = server.count + 1 + Math.floor(random() * mostCalls)
      while (server.count < until && !child.lines.some(({ type }) => type === 'done')) await sleep(5)
      await sleep(random() * longestMs)
      if (!child.lines.some(({ type }) => type === 'done')) midWork += 1
      child.kill()
      await child.ended
      problems.push(...derivedProblems(store).map((problem) => `round ${round}: ${problem}`))
      if (problems.length > 0) break
    }
    await writing.close()
    const last = new Child<DistilLine>(
      'distil-child.ts',
      { store, aheadMs: kills * roundMs + 48 * hour, bank: true } satisfies DistilArguments,
      { environment },
    )
    expect(await last.line(({ type }) => type === 'done')).toMatchObject({ errors: [] })
    await last.ended
    problems.push(...derivedProblems(store))
    await using memory = await openMemory({
      store,
      upkeep: 'manual',
      languageModel: false,
      layers: { gists: true, bank: true },
      clock: { now: () => Date.now() + kills * roundMs + 48 * hour },
    })
    const ada = memory.for('ada')
    const [gists, leaves, stats] = [
      await ada.gists.list({ limit: 10_000 }),
      await ada.bank.entries({ granularity: 'conversation', limit: 10_000 }),
      await ada.bank.stats(),
    ]
    summarise(
      `kill -9 while distilling: ${kills} kills, ${midWork} at work, ${sessions} sessions, ${server.count} calls, ` +
        `${server.requests.filter(isDigest).length} for digests, ${problems.length} problems`,
    )
    expect(problems).toEqual([])
    expect(midWork).toBeGreaterThan(0)
    expect(gists.filter(({ provisional }) => !provisional)).toHaveLength(sessions)
    expect(new Set(leaves.map(({ session }) => session)).size).toBe(sessions)
    expect(stats.entries.day).toBeGreaterThan(0)
    expect(await ada.gists.pending()).toBe(0)
  })
})
