import { type Memory, openMemory } from '../../packages/varve/src/index.ts'
import { openServer, type Server, serverCpuMs } from '../server/server.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { percentile } from '../shared/statistics.ts'
import { measuring, residentMb } from '../shared/usage.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'
import { commitCost } from '../speed/server/commit-cost.ts'
import { type CallCost, type ScaleStore, scaleUser, type Used } from './tasks.ts'

/** Calls of a user who is not measured: they load and compile the code. */
const warmUp = 150

/** Appends to a filled store and asks it, in a process that has done so before with somebody else's memory. */
export async function useTask({ place, users }: ScaleStore, appends: number, asked: number): Promise<Used> {
  const commit = await commitCost(place)
  await using server = await openServer(place)
  await using memory = await openMemory({ store: place, upkeep: 'manual', isolation: 'silent', embeddingModel: false })
  const dialogue = new Dialogue(0xa5ce, makeVocabulary())
  const questions = dialogue.messages(warmUp).map((message) => dialogue.question({ ...message, name: '' }))
  const ask = (user: number | 'nobody', at: number) =>
    memory.for(user === 'nobody' ? user : scaleUser(user)).recall(questions[at % questions.length] ?? '', { minConfidence: 0 })
  for (const [at, message] of dialogue.messages(warmUp).entries()) {
    await memory.for('nobody').append('warm-up', message)
    await ask('nobody', at)
  }
  const some = spread(users, Math.min(users, asked))
  const said = dialogue.messages(appends)
  const append = await costOf(server, said, (message, at) => memory.for(scaleUser(some[at % some.length] ?? 0)).append('lately', message))
  const cold = await costOf(server, some, ask)
  const again = Array.from({ length: asked }, (_, at) => some[at % some.length] ?? 0)
  const warm = await costOf(server, again, (user, at) => ask(user, at + 1))
  return { commitMs: commit.wallMs, append, cold, warm, ...(await heldBy(memory)), segmentUsers: some.length, residentMb: residentMb() }
}

async function costOf<Item>(server: Server, items: readonly Item[], call: (item: Item, at: number) => Promise<unknown>): Promise<CallCost> {
  const before = await serverCpuMs(server)
  const taken: number[] = []
  const cost = measuring()
  for (const [at, item] of items.entries()) {
    const begun = performance.now()
    await call(item, at)
    taken.push(performance.now() - begun)
  }
  const { cpuMs } = cost()
  const after = await serverCpuMs(server)
  const calls = items.length
  return {
    ...{ calls, p50Ms: percentile(taken, 0.5), cpuMs: cpuMs / calls },
    ...(before === undefined || after === undefined ? {} : { serverCpuMs: (after - before) / calls }),
  }
}

/** Users in equal distances, so that those filled first and last are among them. */
function spread(users: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => Math.floor((at * users) / count))
}

const mb = 1024 * 1024

/** Reads the memory of segments from the words of `doctor`. */
async function heldBy(memory: Memory): Promise<{ readonly segmentBytes: number }> {
  const { checks } = await memory.doctor()
  const told = checks.find(({ name }) => name === 'index')?.detail ?? ''
  const [, size] = /^([\d.]+) MB/.exec(told) ?? []
  if (size === undefined) throw new RangeError(`doctor tells no memory of segments: ${told}`)
  return { segmentBytes: Number(size) * mb }
}
