import { Dialogue } from '../../shared/dialogue.ts'
import { measuring } from '../../shared/usage.ts'
import { productFrom } from '../product.ts'
import { type Store, userOf } from '../tasks.ts'
import type { Embedded } from './tasks.ts'

/** Messages embedded before the measured ones, so that the model is loaded and its code compiled. */
const warmUp = 128

/** Embeds so many messages of a new store in one run of upkeep. */
export async function embedTask(store: Store, messages: number): Promise<Embedded> {
  const { openMemory } = await productFrom(store.from)
  const memory = await openMemory({ store: store.place, upkeep: 'manual' })
  const tokens = async (): Promise<number> => (await memory.upkeep.status()).embedding?.tokens ?? 0
  const dialogue = new Dialogue(0)
  const ada = memory.for(userOf(0))
  await ada.append('before', dialogue.messages(warmUp))
  await memory.upkeep.run()
  for (let left = messages; left > 0; left -= 500) await ada.append('talk', dialogue.messages(Math.min(500, left)))
  const before = await tokens()
  const cost = measuring()
  const { embedded, settled } = await memory.upkeep.run({ kinds: ['embeddings'], maxSeconds: 3_600 })
  const spent = cost()
  if (!settled || embedded < messages) throw new RangeError(`only ${embedded} of ${messages} messages were embedded`)
  const made = (await tokens()) - before
  await memory.close()
  return { ...spent, tokens: made, messages }
}
