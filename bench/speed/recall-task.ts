import type { UserMemory } from '../../packages/varve/src/index.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { type Cost, measuring, residentMb } from '../shared/usage.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'
import { productFrom } from './product.ts'
import { type RecalledAt, type Store, userOf } from './tasks.ts'

const warmUp = 60
/** Messages of each partition that questions are about: its oldest, as the import made them up. */
const askedAbout = 500

interface Question {
  readonly user: string
  readonly text: string
}

/** Opens a filled store, and asks. The partitions take turns; each is asked once before the warm questions are measured. */
export async function recallTask(store: Store, questions: number): Promise<RecalledAt> {
  const { openMemory } = await productFrom(store.from)
  const opening = measuring()
  const memory = await openMemory({ store: store.file, upkeep: 'manual' })
  const open = opening()
  const openMb = residentMb()
  const asked = makeQuestions(store, questions + warmUp)
  const ask = async ({ user, text }: Question): Promise<Cost> => {
    const handle: UserMemory = memory.for(user)
    const cost = measuring()
    const { hits, degraded } = await handle.recall(text)
    const spent = cost()
    if (hits.length === 0 || degraded.length > 0) throw new RangeError(`a question found ${hits.length} messages: ${degraded.join('; ')}`)
    return spent
  }
  const [opener = { user: userOf(0), text: '' }] = asked
  const first = await ask(opener)
  for (let partition = 1; partition < store.partitions; partition += 1) await ask({ ...opener, user: userOf(partition), text: 'what did they say about it' })
  for (const question of asked.slice(0, warmUp)) await ask(question)
  const warm: Cost[] = []
  for (const question of asked.slice(warmUp)) warm.push(await ask(question))
  const resident = residentMb()
  await memory.close()
  return { open, first, warm, openMb, residentMb: resident }
}

function makeQuestions(store: Store, count: number): Question[] {
  const vocabulary = makeVocabulary()
  const shown = Math.min(store.partitions, count)
  const each = Math.ceil(count / shown)
  const perPartition = Array.from({ length: shown }, (_, partition) => {
    const dialogue = new Dialogue(partition, vocabulary)
    const said = dialogue.messages(Math.min(askedAbout, store.messages / store.partitions))
    return Array.from({ length: each }, (_place, index) => ({ user: userOf(partition), text: dialogue.question(said[(index * 97) % said.length] ?? {role: 'user'}) }))
  })
  return Array.from({ length: count }, (_, index) => perPartition[index % shown]?.[Math.floor(index / shown)] ?? { user: userOf(0), text: '' })
}
