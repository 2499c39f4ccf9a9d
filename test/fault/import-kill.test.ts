import { beforeAll, describe, expect, test } from 'vitest'
import type { UserMemory, WaitingImport } from '../../packages/varve/src/index.ts'
import { OtherProcess } from '../e2e/other-process.ts'
import { differences, everythingOf } from '../fixtures/memory/everything.ts'
import { newStore } from '../fixtures/memory/open.ts'
import { clock, expectNothingLeft, type Exports, exportsToImport, openToImport, trust } from '../fixtures/memory/to-import.ts'
import { problemsOf } from './support/inspect.ts'
import { scaled, summarise } from './support/scale.ts'

let given: Exports
beforeAll(async () => {
  given = await exportsToImport()
})

type Seen = Pick<WaitingImport, 'state' | 'lines' | 'applied'> | undefined

/** Kills another process as soon as the import that it works on is seen in a state; it may have ended before. */
async function killedWhen(isThere: (seen: Seen) => boolean, ada: UserMemory, other: OtherProcess, work: Promise<unknown>): Promise<Seen> {
  const ended = work.then(
    () => true,
    () => true,
  )
  for (;;) {
    const [seen] = await ada.imports.list()
    if (isThere(seen) || (await Promise.race([ended, Promise.resolve(false)]))) {
      await other.kill()
      return (await ada.imports.list())[0]
    }
  }
}

const moments: readonly (readonly [string, (seen: Seen) => boolean])[] = [
  ['its lines come', (seen) => seen?.state === 'coming'],
  ['some of its lines came', (seen) => (seen?.lines ?? 0) >= 200],
  ['it is accepted', (seen) => seen?.state === 'applying'],
  ['a third is applied', (seen) => (seen?.applied ?? 0) >= 100],
  ['most is applied', (seen) => (seen?.applied ?? 0) >= 300],
]

describe('an import whose process is killed', () => {
  test.each(scaled(moments.slice(1, 4), moments))('when %s is finished by the next, as if nothing had been', async (_, isThere) => {
    for (let round = 0; round < scaled(1, 10); round += 1) {
      const store = newStore()
      const { ada } = await openToImport(store)
      const other = await OtherProcess.start(store)
      const left = await killedWhen(isThere, ada, other, other.call(['import'], given.text, { trust }))
      // A page is found when the import is done.
      expect(problemsOf(store).filter((what) => what !== 'a page that is not found by what it says')).toEqual([])
      const again = await openToImport(store)
      expect(await again.memory.doctor()).toMatchObject({ ok: true })
      await again.ada.import(given.text, { trust })
      expect(differences(given.whole, await everythingOf(again.ada, clock)), JSON.stringify(left)).toEqual([])
      await expectNothingLeft(store, again.ada)
      summarise(`an import killed as ${left === undefined ? 'it was done' : `${left.state} ${left.lines} ${left.applied}`}`)
    }
  })

  test.each(moments.slice(scaled(4, 2)))('when %s is discarded: what was applied is whole', async (_, isThere) => {
    const store = newStore()
    const { ada } = await openToImport(store)
    const other = await OtherProcess.start(store)
    const left = await killedWhen(isThere, ada, other, other.call(['import'], given.text, { trust }))
    const again = await openToImport(store)
    if (left !== undefined) await again.ada.imports.discard((await again.ada.imports.list())[0]?.id ?? '')
    await expectNothingLeft(store, again.ada)
    expect(await again.memory.upkeep.run({ all: true })).toMatchObject({ settled: true })
    await again.ada.import(given.text, { trust })
    expect(await Array.fromAsync(again.ada.timeline())).toHaveLength(100)
    await expectNothingLeft(store, again.ada)
  })
})

test('a discard whose process is killed is finished by the next', async () => {
  for (let round = 0; round < scaled(2, 30); round += 1) {
    const store = newStore()
    const { memory, ada } = await openToImport(store)
    const other = await OtherProcess.start(store)
    const { id } = await ada.import(given.text)
    await killedWhen((seen) => seen?.state !== 'waiting', ada, other, other.call(['imports', 'discard'], id))
    const left = await ada.imports.list()
    if (left.length > 0) expect(await ada.imports.discard(id)).toMatchObject({ counts: { import: 1 }, physical: 'done' })
    await expectNothingLeft(store, ada)
    await memory.upkeep.run()
    const receipts = await memory.receipts.list()
    expect(receipts.map(({ counts }) => counts)).toEqual([{ import: 1 }])
    // A process that is killed while it erases bytes holds their lease for a minute more: until then they are pending.
    expect(['done', 'pending']).toContain(receipts[0]?.physical)
    expect(await Array.fromAsync(ada.timeline())).toEqual([])
  }
})
