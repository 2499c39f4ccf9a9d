import { existsSync, statSync } from 'node:fs'
import type { MessageInput } from '../../packages/varve/src/index.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { inFlight } from '../shared/flight.ts'
import { type Cost, measuring, peakMb, sum } from '../shared/usage.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'
import { isServer, openServer, schemaOf, storedBytes } from '../server/server.ts'
import { productFrom, withoutVectors } from './product.ts'
import { type Imported, type Store, userOf } from './tasks.ts'

const batchSize = 500
/** The batches at once, as many as the importers run. */
const batchesAtOnce = 4
/** The batches that are made at a time, with the clock stopped. */
const batchesMade = 40
/** The first messages, which are counted apart: they load the detector of languages and run uncompiled code. */
const firstMessages = 2_000

interface Batch {
  readonly user: string
  readonly session: string
  readonly messages: MessageInput[]
}

/** Fills a store in batches, each a session. Returns the cost and the bytes on disk. */
export async function importTask(store: Store): Promise<Imported> {
  const { openMemory } = await productFrom(store.from)
  const memory = await openMemory({ store: store.place, upkeep: 'manual', ...withoutVectors })
  const send = async (made: readonly Batch[]): Promise<Cost> => {
    const cost = measuring()
    await inFlight(made, batchesAtOnce, ({ user, session, messages }) => memory.for(user).append(session, messages))
    return cost()
  }
  const source = batches(store)
  const begin = next(source, Math.ceil(firstMessages / Math.min(batchSize, store.messages / store.partitions)))
  const first = await send(begin)
  const costs: Cost[] = []
  for (let made = next(source, batchesMade); made.length > 0; made = next(source, batchesMade)) costs.push(await send(made))
  const closing = measuring()
  await memory.close()
  costs.push(closing())
  const messages = begin.reduce((count, batch) => count + batch.messages.length, 0)
  return { ...sum(costs), first: { ...first, messages }, peakMb: peakMb(), bytesPerMessage: (await bytesAt(store.place)) / store.messages }
}

/** Takes so many batches from the source; `take` would end the source. */
function next(source: Iterator<Batch>, count: number): Batch[] {
  const made: Batch[] = []
  while (made.length < count) {
    const { value, done } = source.next()
    if (done === true) break
    made.push(value)
  }
  return made
}

function* batches(store: Store): Generator<Batch> {
  const vocabulary = makeVocabulary()
  const each = store.messages / store.partitions
  for (let partition = 0; partition < store.partitions; partition += 1) {
    const dialogue = new Dialogue(partition, vocabulary)
    for (let done = 0; done < each; done += batchSize) {
      const number = done / batchSize + 1
      const messages = dialogue
        .messages(Math.min(batchSize, each - done))
        .map((message, place) => ({ ...message, id: `D${number}:${place + 1}` }))
      yield { user: userOf(partition), session: `session-${number}`, messages }
    }
  }
}

async function bytesAt(place: string): Promise<number> {
  if (!isServer(place)) return bytesOf(place)
  await using server = await openServer(place)
  return (await storedBytes(server, schemaOf(place))).all
}

/** Returns the bytes of the store's files after closing. */
export function bytesOf(file: string): number {
  return [file, `${file}-wal`, `${file}-shm`].reduce((bytes, path) => bytes + (existsSync(path) ? statSync(path).size : 0), 0)
}
