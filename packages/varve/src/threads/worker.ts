import { parentPort, workerData } from 'node:worker_threads'
import { toWire } from '../errors/wire.ts'
import { type MigrateOptions, migrate, refuseNewer } from '../storage/sqlite/migrate.ts'
import type { Connection } from '../storage/sqlite/connection.ts'
import { openConnection } from '../storage/sqlite/open-connection.ts'
import { Writer } from '../storage/sqlite/writer.ts'
import { ReadService } from './read-service.ts'
import { type Service, serve } from './rpc.ts'
import { WriteService } from './write-service.ts'

/** What a thread is started with. A store in memory has one thread that writes and reads, since nobody else sees it. */
export interface ThreadOptions {
  readonly file: string
  readonly roles: readonly ('write' | 'read')[]
  readonly segmentBytes: number
  readonly migrate: MigrateOptions
}

// Only engine.ts starts this file, with this shape.
const options = workerData as ThreadOptions

function start(): Service {
  if (options.roles.includes('write')) refuseNewer(options.file)
  const connection = openConnection(options.file)
  const writer = options.roles.includes('write') ? startWriter(connection) : undefined
  const key = keyOf(connection)
  const reader = options.roles.includes('read')
    ? new ReadService(() => writer?.connection ?? connection, options.file, key, options.segmentBytes)
    : undefined
  return { ...methods(reader), ...(writer === undefined ? {} : methods(new WriteService(writer, options.file, key))) }
}

function startWriter(connection: Connection): Writer {
  try {
    migrate(connection, options.migrate)
  } catch (error) {
    connection.close()
    throw error
  }
  return new Writer(options.file, connection, () => openConnection(options.file))
}

function keyOf(connection: Connection): string {
  return String(connection.prepare("SELECT value FROM meta WHERE key = 'store_key'").pluck().get())
}

/** The methods of a service object, bound to it. */
function methods(service: object | undefined): Service {
  if (service === undefined) return {}
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(service)).filter((name) => name !== 'constructor')
  return Object.fromEntries(names.map((name) => [name, (...args: never[]) => Reflect.apply(Reflect.get(service, name), service, args)]))
}

const port = parentPort
if (port !== null) {
  try {
    serve(port, start())
    port.postMessage({ id: 0, result: 'ready' })
  } catch (error) {
    port.postMessage({ id: 0, error: toWire(error) })
  }
}
