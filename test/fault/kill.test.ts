import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import type { LoadArguments, LoadLine } from './children/load-child.ts'
import { Child } from './support/child.ts'
import { seeded } from './support/disk.ts'
import { embeddedTexts, embedRest } from './support/embed-rest.ts'
import { faultModel } from './support/embedding-model.ts'
import { temporaryFolder } from './support/folder.ts'
import { Ledger } from './support/ledger.ts'
import { counted, scaled, summarise } from './support/scale.ts'

/** The number of kills under load, and of stores that share them: a look at a store takes longer as it grows. */
const kills = scaled(8, 2_000)
const stores = scaled(2, 20)
const lanes = 2

/** One of this many processes is killed while it opens the store; these are not counted. */
const openingEvery = scaled(5, 10)
const longestLoadMs = scaled(600, 250)
const longestOpeningMs = 900

/**
 * The milliseconds that each process's clock is ahead of the one before it. So it need not wait for texts that the dead
 * process had claimed.
 */
const pastTheLeaseMs = 150_000

interface Killed {
  readonly kills: number
  readonly whileOpening: number
  readonly acknowledged: number
  /** Texts that were embedded before the last look, which embeds the rest. */
  readonly embedded: number
  readonly lost: readonly string[]
  readonly problems: readonly string[]
}

describe('kill -9', () => {
  // requirement: P1.1
  it('at random moments under write load loses nothing that was acknowledged', { timeout: scaled(180_000, 7_200_000) }, async () => {
    const waiting = Array.from({ length: stores }, (_, place) => place)
    const done: Killed[] = []
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) done.push(await killMany(place))
      }),
    )
    const sum = (pick: (killed: Killed) => number): number => done.reduce((total, killed) => total + pick(killed), 0)
    const lost = done.flatMap((killed) => killed.lost)
    summarise(
      `kill -9: ${counted(sum((killed) => killed.kills))} kills under load and ${sum((killed) => killed.whileOpening)} while ` +
        `opening, ${counted(sum((killed) => killed.acknowledged))} acknowledged, ${counted(sum((killed) => killed.embedded))} ` +
        `embedded meanwhile, ${lost.length} lost`,
    )
    expect(lost).toEqual([])
    expect(done.flatMap((killed) => killed.problems)).toEqual([])
    expect(sum((killed) => killed.kills)).toBe(kills)
    expect(sum((killed) => killed.acknowledged)).toBeGreaterThan(kills * 2)
    expect(sum((killed) => killed.embedded)).toBeGreaterThan(0)
  })
})

/** Runs processes one after the other on one store: each recovers the store that the one before it left, and then is killed. */
async function killMany(place: number): Promise<Killed> {
  using folder = temporaryFolder()
  const store = folder.file('store.db')
  const random = seeded(place + 1)
  const ledger = new Ledger()
  const lost: string[] = []
  const problems: string[] = []
  let killed = 0
  let whileOpening = 0
  let run = 0
  for (; killed < kills / stores; run += 1) {
    const child = new Child<LoadLine>('load-child.ts', { store, run, ahead: run * pastTheLeaseMs } satisfies LoadArguments)
    const opening = run % openingEvery === openingEvery - 1
    if (opening) {
      await sleep(random() * longestOpeningMs)
      whileOpening += 1
    } else {
      if ((await child.line(({ type }) => type === 'loading')) === undefined)
        problems.push(`run ${run} does not open: ${(await child.ended).stderr}`)
      const look = ledger.look(store)
      lost.push(...look.lost)
      problems.push(...look.problems)
      await sleep(random() * longestLoadMs)
      killed += 1
      // On a busy machine no process before this one may have lived until its first text was embedded.
      if (killed === kills / stores) await embeddingBegun(store)
    }
    child.kill()
    const { signal, stderr } = await child.ended
    if (signal !== 'SIGKILL') problems.push(`run ${run} ended by itself: ${stderr}`)
    ledger.hear(child.lines)
    if (lost.length + problems.length > 0) break
  }
  const model = faultModel()
  await using memory = await openMemory({
    store,
    upkeep: 'manual',
    clock: { now: () => Date.now() + run * pastTheLeaseMs },
    embeddingModel: model,
  })
  const last = ledger.lookAgain(await allOf(memory))
  problems.push(...last.problems)
  const embedded = embeddedTexts(store).size
  problems.push(...(await embedRest(memory, store, model)))
  return { kills: killed, whileOpening, acknowledged: ledger.acknowledged, embedded, lost: [...lost, ...last.lost], problems }
}

/** Waits until a text of the store is embedded, for half a minute at most. */
async function embeddingBegun(store: string): Promise<void> {
  for (let look = 0; look < 300 && embeddedTexts(store).size === 0; look += 1) await sleep(100)
}

/** Returns every message as a caller reads them; in sessions without erasures, seq has no gap. */
async function allOf(memory: Memory): Promise<string[]> {
  const ada = memory.for('ada')
  const contents: string[] = []
  for (const session of await ada.sessions.list()) {
    for (let before = Number.MAX_SAFE_INTEGER, first = false; !first;) {
      const page = await ada.messages(session.id, { limit: 10_000, before })
      contents.push(...page.map(({ content }) => content))
      if (session.id !== 'edited') expect(page.map(({ seq }) => seq)).toEqual(page.map((_, at) => (page[0]?.seq ?? 0) + at))
      before = page[0]?.seq ?? 1
      first = page.length < 10_000
    }
  }
  return contents
}
