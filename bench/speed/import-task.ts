import { existsSync, statSync } from 'node:fs'
import { type MessageInput, openMemory } from '../../packages/varve/src/index.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { inFlight } from '../shared/flight.ts'
import { type Cost, measuring, peakMb, sum } from '../shared/usage.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'
import { type Imported, type Store, userOf } from './tasks.ts'

const batchSize = 500
/** As many as the importers have on their way. */
const batchesAtOnce = 4
/** Batches that are made up at a time, with the clock stopped. */
const batchesMade = 40

interface Batch {
  readonly user: string
  readonly session: string
  readonly messages: MessageInput[]
}

/** Fills a store in batches, each a session, and says what it cost and what it takes on disk. */
export async function importTask(store: Store): Promise<Imported> {
  const memory = await openMemory({ store: store.file, upkeep: 'manual' })
  const costs: Cost[] = []
  let made: Batch[] = []
  const send = async (): Promise<void> => {
    const cost = measuring()
    await inFlight(made, batchesAtOnce, ({ user, session, messages }) => memory.for(user).append(session, messages))
    costs.push(cost())
    made = []
  }
  for (const batch of batches(store)) {
    made.push(batch)
    if (made.length === batchesMade) await send()
  }
  await send()
  const closing = measuring()
  await memory.close()
  costs.push(closing())
  return { ...sum(costs), peakMb: peakMb(), bytesPerMessage: bytesOf(store.file) / store.messages }
}

function* batches(store: Store): Generator<Batch> {
  const vocabulary = makeVocabulary()
  const each = store.messages / store.partitions
  for (let partition = 0; partition < store.partitions; partition += 1) {
    const dialogue = new Dialogue(partition, vocabulary)
    for (let done = 0; done < each; done += batchSize) {
      const session = `session-${done / batchSize + 1}`
      const messages = dialogue.messages(Math.min(batchSize, each - done)).map((message, place) => ({ ...message, id: `D${done / batchSize + 1}:${place + 1}` }))
      yield { user: userOf(partition), session, messages }
    }
  }
}

/** The store's files, as they are after closing. */
function bytesOf(file: string): number {
  return [file, `${file}-wal`, `${file}-shm`].reduce((bytes, path) => bytes + (existsSync(path) ? statSync(path).size : 0), 0)
}
