import { type MessageInput, openMemory } from '../../packages/varve/src/index.ts'
import { logBytes, openServer, schemaOf, serverCpuMs, storedBytes } from '../server/server.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { inFlight } from '../shared/flight.ts'
import { type Cost, measuring, sum } from '../shared/usage.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'
import { type Filled, type ScaleStore, scaleUser } from './tasks.ts'

const batchSize = 1_000
const batchesAtOnce = { large: 4, small: 64 }
/** Batches under this size are small: their commits are what takes time. */
const largeBatch = 200
/** The batches that are made at a time, with the clock stopped. */
const batchesMade = 40

interface Batch {
  readonly user: string
  readonly session: string
  readonly messages: readonly MessageInput[]
}

/** Fills a store by appends of many messages each, as an importer does. */
export async function fillTask({ place, messages, users }: ScaleStore): Promise<Filled> {
  await using server = await openServer(place)
  const memory = await openMemory({ store: place, upkeep: 'manual', isolation: 'silent', embeddingModel: false })
  const before = { log: await logBytes(server), cpu: await serverCpuMs(server) }
  const costs: Cost[] = []
  for (const made of inGroups(batches(messages, users), batchesMade)) {
    const cost = measuring()
    await inFlight(made, messages / users < largeBatch ? batchesAtOnce.small : batchesAtOnce.large, ({ user, session, messages: said }) =>
      memory.for(user).append(session, [...said]),
    )
    costs.push(cost())
  }
  await memory.close()
  const after = { log: await logBytes(server), cpu: await serverCpuMs(server) }
  const { all, indexes } = await storedBytes(server, schemaOf(place))
  return {
    ...sum(costs),
    ...(before.cpu === undefined || after.cpu === undefined ? {} : { serverCpuMs: after.cpu - before.cpu }),
    logBytes: after.log - before.log,
    storedBytes: all,
    indexBytes: indexes,
  }
}

function* batches(messages: number, users: number): Generator<Batch> {
  const vocabulary = makeVocabulary()
  const each = Math.floor(messages / users)
  for (let user = 0; user < users; user += 1) {
    const dialogue = new Dialogue(user, vocabulary)
    for (let done = 0; done < each; done += batchSize)
      yield { user: scaleUser(user), session: `session-${done / batchSize}`, messages: dialogue.messages(Math.min(batchSize, each - done)) }
  }
}

function* inGroups<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
  let group: Item[] = []
  for (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
