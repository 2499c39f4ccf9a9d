import { setTimeout } from 'node:timers/promises'
import { Dialogue } from '../../shared/dialogue.ts'
import { measuring } from '../../shared/usage.ts'
import { productFrom } from '../product.ts'
import { type Store, userOf } from '../tasks.ts'
import type { Settled } from './tasks.ts'

const warmUp = 64
/** Milliseconds between looks at the embedding backlog. */
const lookMs = 250

/**
 * Appends one message a call while they are embedded in the background, and waits for all vectors. Measures a message's
 * cost for the whole process.
 */
export async function settleTask(store: Store, appends: number): Promise<Settled> {
  const { openMemory } = await productFrom(store.from)
  const memory = await openMemory({ store: store.place, upkeep: 'background' })
  const ada = memory.for(userOf(0))
  const dialogue = new Dialogue(0)
  const settle = async (): Promise<void> => {
    while ((await memory.upkeep.status()).backlog.embeddings > 0) await setTimeout(lookMs)
  }
  await ada.append('before', dialogue.messages(warmUp))
  await settle()
  const messages = dialogue.messages(appends)
  const cost = measuring()
  for (const message of messages) await ada.append('talk', message)
  const { wallMs: appendedMs } = cost()
  await settle()
  const spent = cost()
  await memory.close()
  return { ...spent, appends, appendedMs }
}
