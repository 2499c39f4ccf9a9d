import { Dialogue } from '../shared/dialogue.ts'
import { measuring } from '../shared/usage.ts'
import { productFrom, withoutVectors } from './product.ts'
import { type Loaded, type Store, userOf } from './tasks.ts'

const smallMessages = 200
const rounds = 40

/**
 * What a cold segment costs a process that has answered before, for others: questions to a small partition come first, so that the
 * code is loaded and compiled, then the first one to the large partition, less the same one again. With vectors, those of the
 * small partition are real, and the question's is known before, so that its making is in neither.
 */
export async function loadTask(store: Store, vectors = false): Promise<Loaded> {
  const { openMemory } = await productFrom(store.from)
  const memory = await openMemory({ store: store.file, upkeep: 'manual', ...(vectors ? {} : withoutVectors) })
  const dialogue = new Dialogue(0xc01d)
  const said = dialogue.messages(smallMessages)
  const [small, large] = [memory.for('somebody-else'), memory.for(userOf(0))]
  await small.append('small', said)
  if (vectors) await memory.upkeep.run({ kinds: ['embeddings'] })
  for (let round = 0; round < rounds; round += 1) await small.recall(dialogue.question(said[round] ?? { role: 'user' }))
  // Without a name: a question is embedded without those of a partition's speakers, so it would be another one in each.
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
