import { expect, test } from 'vitest'
import { Sayings } from '../../packages/varve/src/privacy/sayings.ts'
import { userOf } from '../../packages/varve/src/testing/store/check.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import { execute } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const settled = 11 * 60_000
const talks = 25
const deeds = [
  'I repaired the anchor with my uncle in the harbour of Piran.',
  'We bought a brass barometer from a widow near the old lighthouse.',
  'My sister teaches navigation by compass at the evening school.',
  'I row a dinghy across the lagoon before breakfast each summer.',
  'We sold the diesel engine to a mechanic for a crate of wine.',
  'My grandfather carved a figurehead shaped like a sleeping otter.',
  'I cook lentil stew in the galley when rain keeps guests inside.',
  'We sleep in a hammock that my aunt wove from flax twine.',
]

test('words that are forgotten at any step of the pooling are in none of its sentences', { timeout: 120_000 }, async () => {
  const file = newStore()
  const clock = new ManualClock(Date.UTC(2026, 0, 5, 10))
  const memory = await openForTest({ store: file, clock, embeddingModel: false, languageModel: false, isolation: 'silent' })
  const ada = memory.for('ada')
  for (let place = 0; place < talks; place += 1)
    await ada.append(`talk ${place}`, { role: 'user', content: deeds[place] ?? 'I coiled a rope.' })
  clock.advance(settled)
  await memory.upkeep.run()
  const connection = openConnection(file)
  try {
    const partition = userOf('default', 'ada')
    const sessionsIn = (sayings: Sayings): readonly string[] =>
      execute(connection, sayings.of(partition)).persons.flatMap(({ sentences }) => sentences.map(({ session }) => session))
    /** Pools, and forgets a session after so many reads. Returns the number of reads. */
    const poolWhile = async (sayings: Sayings, forgotten: string, after: number): Promise<number> => {
      let reads = 0
      const read = async <Result>(program: Program<Result>): Promise<Result> => {
        const result = execute(connection, program)
        reads += 1
        if (reads === after) await ada.forget({ session: forgotten })
        return result
      }
      await sayings.pool({ read }, partition)
      return reads
    }
    const whole = new Sayings()
    const reads = await poolWhile(whole, '', 0)
    const chosen = sessionsIn(whole)
    expect(chosen.length).toBeGreaterThan(reads)
    for (let after = 1; after <= reads; after += 1) {
      const sayings = new Sayings()
      const forgotten = chosen[after] ?? ''
      await poolWhile(sayings, forgotten, after)
      expect(sessionsIn(sayings)).not.toContain(forgotten)
      expect(sessionsIn(whole)).toEqual([])
    }
  } finally {
    connection.close()
  }
})
