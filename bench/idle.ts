import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DelayingProxy } from './server/delaying-proxy.ts'
import { dropStore, inSchema, isServer, openServer, serverCpuMs, through } from './server/server.ts'
import { readArguments, stop, wholeNumber } from './shared/arguments.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { figure } from './shared/table.ts'

const about = `What instances without work cost a PostgreSQL server. Each opens the same store with background upkeep, asks one
question, and is left alone. A proxy counts their connections and statements. They run in few processes, each engine in its
process's thread.`

const options = readArguments('idle', about, {
  store: { value: 'address', text: 'postgres://…: the server.' },
  instances: { value: 'n', text: 'Instances.', default: '200' },
  processes: { value: 'n', text: 'Processes that they run in.', default: '4' },
  settle: { value: 'seconds', text: 'How long they are left alone before they are watched.', default: '120' },
  seconds: { value: 'seconds', text: 'How long they are watched.', default: '120' },
})
if (!isServer(options.store)) stop('--store must be postgres://…')
const instances = wholeNumber('instances', options.instances, 1, 10_000)
const processes = wholeNumber('processes', options.processes, 1, 64)
const settleSeconds = wholeNumber('settle', options.settle, 0, 3_600)
const seconds = wholeNumber('seconds', options.seconds, 1, 3_600)

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Starts a process with its share of the instances; resolves when all of them are open. */
async function started(address: string, share: number): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'idle-child.ts'), [address, `${share}`])
  const [told]: unknown[] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (told !== 'open') throw new RangeError('an instance could not be opened: the server may take too few connections')
  return child
}

/** What they cost while they are watched. */
async function watched(proxy: DelayingProxy, address: string): Promise<Readonly<Record<string, number>>> {
  await using server = await openServer(address)
  const before = { statements: proxy.passed.statements, cpuMs: await serverCpuMs(server) }
  const held: number[] = []
  for (let second = 0; second < seconds; second += 1) {
    await wait(1_000)
    held.push(proxy.connections)
  }
  const cpuMs = await serverCpuMs(server)
  const perSecond = (proxy.passed.statements - before.statements) / seconds
  return {
    'statements/s of all': perSecond,
    'statements/s of one': perSecond / instances,
    'connections of all, mean': held.reduce((sum, one) => sum + one, 0) / held.length,
    'connections of all, most': Math.max(...held),
    ...(cpuMs === undefined || before.cpuMs === undefined ? {} : { 'CPU-ms/s of the server': (cpuMs - before.cpuMs) / seconds }),
  }
}

const here = setting()
console.log(`${settingLine(here)}\n`)
const address = inSchema(options.store, 'varve_bench_idle')
await dropStore(address)
await using proxy = await DelayingProxy.start(address, { delayMs: 0 })
const children: ChildProcess[] = []
try {
  for (let place = 0; place < processes; place += 1) {
    const share = Math.floor((instances * (place + 1)) / processes) - Math.floor((instances * place) / processes)
    children.push(await started(through(address, proxy.port), share))
  }
  console.log(`${instances} instances in ${processes} processes; connections after the last was opened: ${proxy.connections}`)
  await wait(settleSeconds * 1_000)
  const found = await watched(proxy, address)
  for (const [name, value] of Object.entries(found)) console.log(`${name.padEnd(26)} ${figure(value)}`)
  writeResults('idle', { setting: here, options: { ...options, store: 'postgres' }, found })
} finally {
  for (const child of children) child.disconnect()
  await Promise.all(children.map(async (child) => child.exitCode ?? once(child, 'exit')))
  await dropStore(address)
}
