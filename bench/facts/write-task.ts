import type { UserMemory } from '../../packages/varve/src/index.ts'
import { user } from './fill-task.ts'
import { madeUp } from './made-up.ts'
import { openFilled } from './open.ts'
import type { FactStore, Timed } from './tasks.ts'
import { timed } from './timing.ts'

/** Times adding, correcting and retracting on a full store. Each call waits until the one before is durable. */
export async function writeTask({ store, calls }: { store: FactStore; calls: number }): Promise<{ timed: readonly Timed[] }> {
  await using memory = await openFilled(store.file)
  const ada = memory.for(user)
  // New statements of the same kind as the stored ones.
  const more = madeUp(4 * calls + 2_000, 23)
  const ids: string[] = []
  const add = await timed('add', Math.max(1_000, calls), async (place) => {
    const { subject, predicate, object } = more[place] ?? { subject: '', predicate: 'likes', object: `thing ${place}` }
    const { id } = await ada.facts.add({ ...(subject === '' ? {} : { subject }), predicate, object })
    ids.push(id)
    return id
  })
  const standing = [...new Set(ids)]
  return {
    timed: [
      add,
      await edited('correct', ada, calls, standing.slice(0, calls + 60)),
      await edited('retract', ada, calls, standing.slice(calls + 60, 2 * calls + 120)),
    ],
  }
}

function edited(what: 'correct' | 'retract', ada: UserMemory, calls: number, ids: readonly string[]): Promise<Timed> {
  return timed(what, Math.min(calls, ids.length - 50), (place) => {
    const id = ids[place] ?? ''
    return what === 'correct' ? ada.facts.correct(id, { object: `put right ${place}` }) : ada.facts.retract(id)
  })
}
