import type { UserMemory } from '../../packages/varve/src/index.ts'
import { type Cost, measuring, residentMb } from '../shared/usage.ts'
import { productFrom, withoutVectors } from './product.ts'
import { makeQuestions, type Question } from './questions.ts'
import { type RecalledAt, type Store, userOf } from './tasks.ts'

/** The questions before the measured ones. */
export const warmUp = 60

/**
 * Opens a filled store, and asks. The partitions take turns; each is asked once before the warm questions are measured.
 *
 * With given questions, the first ones warm up, and VARVE_EMBEDDINGS names the maker of their vectors; else it searches
 * by words alone.
 */
export async function recallTask(store: Store, questions: number, given?: readonly Question[]): Promise<RecalledAt> {
  const { openMemory } = await productFrom(store.from)
  const opening = measuring()
  const memory = await openMemory({ store: store.place, upkeep: 'manual', ...(given === undefined ? withoutVectors : {}) })
  const open = opening()
  const openMb = residentMb()
  const asked = given ?? makeQuestions(store, questions + warmUp)
  const ask = async ({ user, text }: Question): Promise<Cost> => {
    const handle: UserMemory = memory.for(user)
    const cost = measuring()
    // Questions about made-up talk are hardly about anything. Their hits are read all the same.
    const { hits, degraded } = await handle.recall(text, { minConfidence: 0 })
    const spent = cost()
    if (hits.length === 0 || degraded.length > 0) throw new RangeError(`a question found ${hits.length} messages: ${degraded.join('; ')}`)
    return spent
  }
  const [opener = { user: userOf(0), text: '' }] = asked
  const first = await ask(opener)
  for (let partition = 1; partition < store.partitions; partition += 1)
    await ask({ ...opener, user: userOf(partition), text: 'what did they say about it' })
  for (const question of asked.slice(0, warmUp)) await ask(question)
  const warm: Cost[] = []
  for (const question of asked.slice(warmUp)) warm.push(await ask(question))
  const resident = residentMb()
  const tokens = (await memory.upkeep.status()).embedding?.tokens ?? 0
  await memory.close()
  return { open, first, warm, openMb, residentMb: resident, tokens: tokens / (store.partitions > 1 ? asked.length + 1 : asked.length) }
}
