import { writeFileSync } from 'node:fs'
import { quality } from '../talk/quality.ts'
import { openServer, serverCpuMs } from '../server/server.ts'
import { percentile } from '../shared/statistics.ts'
import { usageOf } from './endpoint.ts'
import type { OnServer, ServerShare } from './on-server-list.ts'
import { serverSystemNamed } from './on-server-list.ts'
import type { Opened } from './system.ts'
import { readTalks, type Talk } from './talks.ts'

// Started by on-server.ts only. The figures go to a file: some systems print to the standard output.
const [name = '', data = '', folder = '', endpoint = '', server = '', conversations = '', out = ''] = process.argv.slice(2)
const limit = 10
const warmUp = 50

await using watched = await openServer(server)
const talks = readTalks(data).slice(0, Number(conversations))
const databaseBytes = (): Promise<number> => watched.number('bytes', 'select pg_database_size(current_database())::float8 as bytes')
const emptyBytes = await databaseBytes()
const opened = await (await serverSystemNamed(name).load())({ folder, endpoint, server })
writeFileSync(out, JSON.stringify(await measured(opened, talks)))
// Some systems keep timers or sockets open.
process.exit(0)

async function measured(system: Opened, asked: readonly Talk[]): Promise<OnServer> {
  const turns = asked.flatMap(({ partition, turns: said }) => said.map((turn) => ({ partition, turn })))
  const begun = await usageOf(endpoint)
  for (const { partition, turn } of turns.slice(0, warmUp)) await system.append(partition, turn)
  await system.settle?.()
  const append = await costOf(
    turns.slice(warmUp),
    ({ partition, turn }) => system.append(partition, turn),
    () => system.settle?.(),
  )
  const questions = asked.flatMap(({ place, partition, questions: some }) => some.map((question) => ({ place, partition, question })))
  for (const { partition, question } of questions.slice(0, warmUp)) await system.recall(partition, question.text, limit)
  const answers: { conversation: number; category: string; evidence: number; found: number[] }[] = []
  const recall = await costOf(questions, async ({ place, partition, question: { text, category, evidence } }) => {
    const ids = (await system.recall(partition, text, limit)).slice(0, limit)
    const found = evidence.map((id) => ids.indexOf(id)).filter((rank) => rank >= 0)
    answers.push({ conversation: place, category, evidence: evidence.length, found })
  })
  await system.close?.()
  return {
    ...{
      turns: turns.length,
      questions: questions.length,
      append,
      recall,
      storedBytes: (await databaseBytes()) - emptyBytes,
      quality: quality(answers),
    },
    refused: (await usageOf(endpoint)).refused - begun.refused,
  }
}

async function costOf<Item>(
  items: readonly Item[],
  call: (item: Item) => Promise<unknown>,
  settle?: () => Promise<void> | undefined,
): Promise<ServerShare> {
  const before = { endpoint: await usageOf(endpoint), server: await serverCpuMs(watched), own: process.cpuUsage() }
  const taken: number[] = []
  for (const item of items) {
    const began = performance.now()
    await call(item)
    taken.push(performance.now() - began)
  }
  await settle?.()
  const { user, system } = process.cpuUsage(before.own)
  const ofServer = ((await serverCpuMs(watched)) ?? Number.NaN) - (before.server ?? Number.NaN)
  const ofEndpoint = (await usageOf(endpoint)).cpuMs - before.endpoint.cpuMs
  const count = items.length
  return { p50Ms: percentile(taken, 0.5), own: (user + system) / 1_000 / count, endpoint: ofEndpoint / count, server: ofServer / count }
}
