import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { partitionId, projectName } from '../../packages/varve/src/scope/partition.ts'
import { changesAfter } from '../../packages/varve/src/storage/journal/changes.ts'
import { erasedSince, type ErasureMark } from '../../packages/varve/src/storage/journal/erased-since.ts'
import { noteIn } from '../../packages/varve/src/storage/journal/note.ts'
import { ensurePartition, findPartition } from '../../packages/varve/src/storage/partitions.ts'
import { postgresStores } from './postgres-store.ts'
import type { StoreUnderTest } from '../../packages/varve/src/testing/index.ts'

const url = process.env['VARVE_TEST_POSTGRES']
const project = projectName('acme')
const userOf = (name: string) => partitionId(project, { kind: 'user', name })
const [ada, bo] = [userOf('ada'), userOf('bo')]

const waits = { timeout: 60_000, interval: 20 }

/** Notes a change of a user, and does not end before it is told to. */
function noting(store: StoreUnderTest, owner: typeof ada, kind: 'facts' | 'forgotten') {
  const noted = Promise.withResolvers<void>()
  const told = { end: false }
  const ended = store.write(function* () {
    yield* noteIn(owner, { kind, at: 0, ref: new Uint8Array(16).fill(owner === ada ? 1 : 2) })
    noted.resolve()
    while (!told.end) yield* findPartition(owner)
  })
  return { noted: noted.promise, end: () => ((told.end = true), ended) }
}

describe.skipIf(url === undefined)('where transactions end in another order than they begin', () => {
  let store: StoreUnderTest
  const changes = (after?: string) => store.read(() => changesAfter({ project }, { limit: 100, after }, 'key'))

  beforeAll(async () => {
    store = await postgresStores().open('journal')
    for (const owner of [ada, bo]) await store.write(() => ensurePartition(owner, 0))
  })
  afterAll(() => store.close())

  test('a reader of changes misses none, and is told of each once', async () => {
    const { place } = await changes()
    const first = noting(store, ada, 'facts')
    await first.noted
    await noting(store, bo, 'facts').end()
    const told = await changes(place)
    await first.end()
    const users = told.changes.map(({ user }) => user)
    let after = told.place
    // Other transactions of the server hold the reader up: it is told when they have ended.
    await vi.waitFor(async () => {
      const more = await changes(after)
      expect(more.missed).toBe(false)
      after = more.place
      users.push(...more.changes.map(({ user }) => user))
      expect(users.toSorted()).toEqual(['ada', 'bo'])
    }, waits)
    expect((await changes(after)).changes).toEqual([])
  })

  test('whoever asks what was erased since is told of every erasure when it is done, and once', async () => {
    let mark: ErasureMark = await store.read(() => erasedSince(undefined))
    const first = noting(store, ada, 'forgotten')
    await first.noted
    const look = async (): Promise<number> => {
      const since = await store.read(() => erasedSince(mark))
      mark = since
      expect(since.isAll).toBe(false)
      return since.projects.reduce((sum, { erasures }) => sum + erasures, 0)
    }
    expect(await look()).toBe(0)
    // The first one runs still: it began before, and the place of the mark waits for it.
    await noting(store, bo, 'forgotten').end()
    expect([await look(), await look()]).toEqual([1, 0])
    expect(mark.ahead).toHaveLength(1)
    // Whoever begins to look now is not told of it either.
    const later = await store.read(() => erasedSince(undefined))
    expect((await store.read(() => erasedSince(later))).projects).toEqual([])
    await first.end()
    expect([await look(), await look()]).toEqual([1, 0])
    expect((await store.read(() => erasedSince(later))).projects).toEqual([{ project: 'acme', erasures: 1 }])
    // Other transactions of the server hold the place up until they have ended.
    await vi.waitFor(async () => {
      expect(await look()).toBe(0)
      expect(mark.ahead).toEqual([])
    }, waits)
  })
})
