import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StoreBusy } from '../../packages/varve/src/index.ts'
import { listeningLogger, newStore, openForTest, rejection } from '../fixtures/memory/open.ts'

const sentence =
  'Remember that the zeppelin museum in Friedrichshafen closes its upper gallery every second Thursday of November, except ' +
  'for members of the club.'
/** Below the five seconds that a write waits for a lock. A busy machine may take seconds for a call, so the quickest of some counts. */
const soonMs = 4_500
/** Far below two such waits. */
const oneWaitMs = 8_000

/** Holds the store's write lock, as another process in the middle of a transaction does. */
function holdWriteLock(store: string): () => void {
  const other = new Database(store)
  other.exec('BEGIN IMMEDIATE')
  onTestFinished(() => void other.close())
  return () => void other.close()
}

/** Gives the real milliseconds until a call is answered. */
async function timed(call: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await call()
  return performance.now() - before
}

async function opened(engine: 'inline' | 'threads') {
  const store = newStore()
  const logger = listeningLogger()
  const memory = await openForTest({ store, engine, logger, embeddingModel: false })
  const ada = memory.for('ada')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await ada.append('past', { role: 'user', content: sentence })
  expect((await ada.recall('zeppelin')).hits).toHaveLength(1)
  expect(await ada.append('past', { role: 'user', content: 'yes' })).toMatchObject({ skipped: [] })
  return { store, memory, ada, warnings: logger.warnings, notes: async () => (await ada.previewForget({ all: true })).context }
}

for (const engine of ['inline', 'threads'] as const) {
  test(`${engine}: recalls do not wait for notes on a locked store, and the notes are written later`, async () => {
    const { store, ada, memory, warnings, notes } = await opened(engine)
    expect(await notes()).toBe(1)
    const release = holdWriteLock(store)
    const rounds: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const ms = await timed(async () => {
        expect((await ada.recall('zeppelin museum')).hits).not.toEqual([])
        await vi.advanceTimersByTimeAsync(1_000)
        expect((await ada.recall('zeppelin museum')).degraded).toEqual([])
        // Waits for the note that is under way.
        await ada.contexts.list()
      })
      rounds.push(ms)
    }
    expect(Math.min(...rounds)).toBeLessThan(soonMs)
    expect(await notes()).toBe(1)
    release()
    await vi.advanceTimersByTimeAsync(1_000)
    await ada.contexts.list()
    expect(await notes()).toBeGreaterThan(1)
    expect(warnings).toEqual([])
    await memory.close()
    expect(warnings).toEqual([])
  })

  test(`${engine}: a memory that closes on a locked store does not wait for its notes, and warns`, async () => {
    const { store, ada, memory, warnings } = await opened(engine)
    await ada.recall('zeppelin museum')
    await ada.context({ query: 'zeppelin' })
    holdWriteLock(store)
    expect(await timed(() => memory.close())).toBeLessThan(soonMs)
    expect(warnings.join('\n')).toMatch(/was not noted/)
  })

  test(`${engine}: an append after a recall waits for a lock once, and knows the echo when it is sent again`, async () => {
    const { store, ada } = await opened(engine)
    await ada.recall('zeppelin museum')
    const release = holdWriteLock(store)
    const echo = { role: 'assistant', content: sentence } as const
    const ms = await timed(async () => expect(await rejection(ada.append('now', echo))).toBeInstanceOf(StoreBusy))
    expect(ms).toBeLessThan(oneWaitMs)
    release()
    await ada.append('now', echo)
    expect((await ada.messages('now')).at(-1)).toHaveProperty('recalled')
  })
}

test('contexts that were shown on a locked store are noted later, in their order', async () => {
  const { store, ada } = await opened('inline')
  const release = holdWriteLock(store)
  const shown: string[] = []
  for (let round = 0; round < 3; round += 1) shown.unshift((await ada.context({ query: 'zeppelin', session: 'now' })).id)
  expect([...(await ada.contexts.list())]).toEqual([])
  release()
  await vi.advanceTimersByTimeAsync(1_000)
  expect((await ada.contexts.list()).map(({ id }) => id)).toEqual(shown)
})
