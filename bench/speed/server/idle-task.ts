import { measuring } from '../../shared/usage.ts'
import { DelayingProxy } from '../../server/delaying-proxy.ts'
import { openServer, serverCpuMs, through } from '../../server/server.ts'
import { productFrom, withoutVectors } from '../product.ts'
import type { Idled, Store } from '../tasks.ts'

/** An instance that has just been used holds its connections for some seconds. */
const settlingMs = 12_000

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Leaves an instance with background upkeep alone, and counts what it asks the server all the same. */
export async function idleTask(store: Store, seconds: number): Promise<Idled> {
  const { openMemory } = await productFrom(store.from)
  await using proxy = await DelayingProxy.start(store.place, { delayMs: 0 })
  await using memory = await openMemory({
    ...{ store: through(store.place, proxy.port), upkeep: 'background', isolation: 'silent' },
    ...withoutVectors,
  })
  await memory.for('somebody').recall('what was said about it')
  await wait(settlingMs)
  await using server = await openServer(store.place)
  const before = { statements: proxy.passed.statements, cpu: await serverCpuMs(server) }
  const cost = measuring()
  let connections = 0
  for (let second = 0; second < seconds; second += 1) {
    await wait(1_000)
    connections += proxy.connections
  }
  const { cpuMs } = cost()
  const after = { statements: proxy.passed.statements, cpu: await serverCpuMs(server) }
  return {
    statementsPerSecond: (after.statements - before.statements) / seconds,
    connections: connections / seconds,
    cpuMsPerSecond: cpuMs / seconds,
    ...(before.cpu === undefined || after.cpu === undefined ? {} : { serverCpuMsPerSecond: (after.cpu - before.cpu) / seconds }),
  }
}
