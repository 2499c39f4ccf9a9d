import { Dialogue } from '../shared/dialogue.ts'
import { measuring } from '../shared/usage.ts'
import { productFrom, withoutVectors } from './product.ts'
import { type Loaded, type Store, userOf } from './tasks.ts'

const smallMessages = 200
const rounds = 40

/**
 * Measures the cost of loading a cold segment in a process that has answered others before. Questions to a small
 * partition load and compile the code.
 *
 * Then it takes the first question to the large partition, less the same one again. With vectors, those of the small
 * partition are real, and the question's vector is known before, so that neither includes its making.
 */
export async function loadTask(store: Store, vectors = false): Promise<Loaded> {
  const { openMemory } = await productFrom(store.from)
  const memory = await openMemory({ store: store.place, upkeep: 'manual', ...(vectors ? {} : withoutVectors) })
  const dialogue = new Dialogue(0xc01d)
  const said = dialogue.messages(smallMessages)
  const [small, large] = [memory.for('somebody-else'), memory.for(userOf(0))]
  await small.append('small', said)
  if (vectors) await memory.upkeep.run({ kinds: ['embeddings'] })
  for (let round = 0; round < rounds; round += 1) await small.recall(dialogue.question(said[round] ?? { role: 'user' }))
  // Without a name: a question is embedded without the names of a partition's speakers, so its vector would differ.
  const question = dialogue.question({ ...(said[rounds] ?? { role: 'user' }), name: '' })
  await small.recall(question)
  const ask = async () => {
    const cost = measuring()
    const { degraded } = await large.recall(question)
    const spent = cost()
    if (degraded.length > 0) throw new RangeError(`the question was not answered: ${degraded.join('; ')}`)
    return spent
  }
  const first = await ask()
  const again = await ask()
  await memory.close()
  return { first, again }
}
