import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { toWire } from '../errors/wire.ts'
import { classify } from '../storage/sqlite/classify.ts'
import type { Connection } from '../storage/sqlite/connection.ts'
import { openConnection } from '../storage/sqlite/open-connection.ts'
import { storeKey } from '../storage/sqlite/store-key.ts'
import type { ThreadOptions } from './options.ts'
import { type Service, serve } from './rpc.ts'

// Only engine.ts starts this file, with this shape.
const options = workerData as ThreadOptions

/** Each role's rooms are loaded only where they are used: a thread that reads has no need of the language detector's. */
async function start(): Promise<Service> {
  if (!options.roles.includes('write')) {
    const connection = openConnection(options.file)
    return options.roles.includes('read') ? reading(() => connection) : distilling(() => connection)
  }
  const { startWriter } = await import('./start-writer.ts')
  const { writer, service } = startWriter(options)
  const own = (): Connection => writer.connection
  return { ...(options.roles.includes('read') ? { ...await distilling(own), ...await reading(own) } : {}), ...methods(service) }
}

async function distilling(connection: () => Connection): Promise<Service> {
  const { DistilService } = await import('./distil-service.ts')
  return methods(new DistilService(connection, options.file, storeKey(connection())))
}

async function reading(connection: () => Connection): Promise<Service> {
  const { ReadService } = await import('./read-service.ts')
  return methods(new ReadService(connection, options.file, storeKey(connection()), options.segmentBytes))
}

/** The methods of a service object, bound to it. */
function methods(service: object): Service {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(service)).filter((name) => name !== 'constructor')
  return Object.fromEntries(names.map((name) => [name, (...args: never[]) => Reflect.apply(Reflect.get(service, name), service, args)]))
}

async function begin(port: MessagePort): Promise<void> {
  try {
    serve(port, await start())
    port.postMessage({ id: 0, result: 'ready' })
  } catch (error) {
    port.postMessage({ id: 0, error: toWire(classify(error, options.file, 'open')) })
  }
}

// A reader loads its modules while the writer makes or migrates the store, and opens it when it is told to.
parentPort?.once('message', () => parentPort !== null && void begin(parentPort))
if (options.roles.includes('read') && !options.roles.includes('write')) await import('./read-service.ts')
