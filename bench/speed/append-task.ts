import { dirname } from 'node:path'
import type { MessageInput } from '../../packages/varve/src/index.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { inFlight } from '../shared/flight.ts'
import { measuring } from '../shared/usage.ts'
import { percentile } from '../shared/statistics.ts'
import { isServer } from '../server/server.ts'
import { syncCost } from './disk.ts'
import { commitCost } from './server/commit-cost.ts'
import { productFrom, withoutVectors } from './product.ts'
import { type Appended, type AppendedAt, type Store, userOf } from './tasks.ts'

/** Messages a session, as in LoCoMo. */
const turns = 22
/** Appends before the measured ones: compiled code and a log that is overwritten, as in a process that has run for some seconds. */
const warmUp = 2_000

/** Appends one message a call to a filled store, with several numbers of calls at once. */
export async function appendTask(store: Store, appends: number, atOnce: readonly number[]): Promise<Appended> {
  const sync = isServer(store.place) ? await commitCost(store.place) : syncCost(dirname(store.place))
  const { openMemory } = await productFrom(store.from)
  const memory = await openMemory({ store: store.place, upkeep: 'manual', ...withoutVectors })
  const ada = memory.for(userOf(0))
  const dialogue = new Dialogue(0x5eed)
  let said = 0
  const append = (message: MessageInput): Promise<unknown> => {
    said += 1
    return ada.append(`talk-${Math.floor(said / turns)}`, message)
  }
  await inFlight(dialogue.messages(warmUp), 1, append)
  const lanes: AppendedAt[] = []
  for (const at of atOnce) {
    const count = appends * (at > 1 ? 2 : 1)
    const messages = dialogue.messages(count)
    const taken: number[] = []
    const cost = measuring()
    await inFlight(messages, at, async (message) => {
      const begun = performance.now()
      await append(message)
      taken.push(performance.now() - begun)
    })
    lanes.push({ atOnce: at, appends: count, ...cost(), p50Ms: percentile(taken, 0.5) })
  }
  await memory.close()
  return { sync, lanes }
}
