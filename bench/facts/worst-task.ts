import type { FactInput, UserMemory } from '../../packages/varve/src/index.ts'
import { entityKey } from '../../packages/varve/src/facts/keys.ts'
import { partitionId, projectName } from '../../packages/varve/src/scope/partition.ts'
import { mergeName } from '../../packages/varve/src/storage/known/entities.ts'
import { findKnown, savePartition } from '../../packages/varve/src/storage/partitions.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { Writer } from '../../packages/varve/src/storage/sqlite/writer.ts'
import { inFlight } from '../shared/flight.ts'
import { openFilled } from './open.ts'
import type { Timed } from './tasks.ts'
import { timed } from './timing.ts'

const likes = 20_000
const moves = 2_000
const names = 5_000
const chained = 1_000
const atOnce = 64
const fewest = 3

/** Measures extreme histories, which no real user has. Each is stored by the API for a user of its own, and then asked about. */
export async function worstTask({ file, calls }: { file: string; calls: number }): Promise<{ timed: readonly Timed[] }> {
  await using memory = await openFilled(file)
  const few = Math.max(1, Math.min(calls, 20))
  const found: Timed[] = []
  const collector = memory.for('collector')
  await tell(
    collector,
    Array.from({ length: likes }, (_, place) => ({ predicate: 'likes', object: `tile ${place}` })),
  )
  found.push(...(await asked('20,000 likes of one', collector, few, { predicate: 'likes', object: 'tile 7' })))
  const mover = memory.for('mover')
  for (let place = 0; place < moves; place += 1) await mover.facts.add({ predicate: 'lives in', object: `pier ${place}` })
  found.push(...(await asked('2,000 homes of one', mover, few, { predicate: 'lives in', object: 'pier 7' })))
  const host = memory.for('host')
  await tell(
    host,
    Array.from({ length: names }, (_, place) => ({ subject: `Guest ${place}`, predicate: 'likes', object: `dish ${place % 50}` })),
  )
  await mergeAll(file)
  found.push(...(await asked('5,000 names of one', host, fewest, { subject: 'Guest 0', predicate: 'likes', object: 'dish 7' })))
  for (const isCircle of [false, true]) found.push(...(await rested(memory.for(isCircle ? 'circle' : 'chain'), isCircle, few)))
  return { timed: found }
}

/** Merges names by the product's own program, in one commit. */
async function mergeAll(file: string): Promise<void> {
  const writer = new Writer(file, openConnection(file), () => openConnection(file))
  await writer.write(mergeGuests)
  writer.close()
}

function* mergeGuests(): Program<void> {
  const owner = yield* findKnown(partitionId(projectName('default'), { kind: 'user', name: 'host' }))
  if (owner === undefined) throw new RangeError('nothing is known of the guests')
  for (let place = 1; place < names; place += 1) yield* mergeName(owner.id, entityKey(`Guest ${place}`), entityKey('Guest 0'))
  yield* savePartition({ ...owner, epoch: owner.epoch + 1 })
}

async function tell(handle: UserMemory, facts: readonly FactInput[]): Promise<void> {
  await inFlight(facts, atOnce, (fact) => handle.facts.add(fact))
}

async function asked(name: string, handle: UserMemory, calls: number, { subject = 'I', predicate, object }: FactInput): Promise<Timed[]> {
  const ask = <Answer>(what: string, call: () => Promise<Answer>): Promise<Timed> => timed(`${name}: ${what}`, calls, call, undefined, 2)
  return [
    await ask('query by subject', () => handle.facts.query({ subject })),
    await ask('query by subject and predicate', () => handle.facts.query({ subject, predicate })),
    await ask('query by all three', () => handle.facts.query({ subject, predicate, object })),
    await ask('history', () => handle.facts.history({ subject, predicate })),
    await ask('add', () => handle.facts.add({ subject, predicate, object })),
    await ask('around', () => handle.facts.around(subject)),
    await ask('recall', () => handle.facts.recall(object)),
    await ask('profile', () => handle.profile()),
  ]
}

/** Stores facts that each rest on the one before, and perhaps the first on the last. */
async function rested(handle: UserMemory, isCircle: boolean, calls: number): Promise<Timed[]> {
  const first = await handle.facts.add({ predicate: 'decided to', object: 'step 0' })
  let last = first.id
  for (let place = 1; place < chained; place += 1)
    last = (await handle.facts.add({ predicate: 'decided to', object: `step ${place}`, dependsOn: [last] })).id
  if (isCircle) await handle.facts.add({ predicate: 'decided to', object: 'step 0', dependsOn: [last] })
  return [
    await timed(
      `${isCircle ? 'a circle' : 'a chain'} of 1,000 grounds: query by subject`,
      calls,
      () => handle.facts.query({ subject: 'I', limit: 10_000 }),
      undefined,
      2,
    ),
  ]
}
