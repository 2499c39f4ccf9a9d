import { isPlain } from '../scope/plain.ts'
import { type CallSpec, specs } from './call-table.ts'
import { type ConnectOptions, type ServerConnection, connectionOf } from './connection.ts'
import { eventsAt } from './events.ts'
import { methodOf } from './handle.ts'
import type { EventsOptions, RemoteMemory, RemoteProjectMemory, RemoteUserMemory } from './remote-memory.ts'
import { invalidScope, refuseName } from './remote-error.ts'
import { shouldCompact } from './should-compact.ts'

/**
 * Gives a memory at a server of Varve: the same handles and methods as the library's. Nothing is sent until a call is made.
 * InvalidConfiguration for an option that cannot be used.
 *
 * @example const memory = connect({ url: 'http://127.0.0.1:8737', key: process.env.VARVE_KEY })
 */
export function connect(options: ConnectOptions): RemoteMemory {
  const connection = connectionOf(options)
  const { closing, open } = connection
  const close = async (): Promise<void> => {
    closing.abort()
    await Promise.allSettled(open)
  }
  const memory = handlesOf(connection, '/v1', specs.memory)
  const project = (name: unknown): RemoteProjectMemory => handlesOf(connection, pathOf(name), specs.shared, specs.project)
  const { projects } = memory
  const { create } = projects
  projects.create = async (name: unknown, given?: object) => project(await create(name, given))
  return Object.assign(memory, {
    for: (scope: unknown) => userAt(connection, scope),
    project,
    events: (given: EventsOptions = {}) => {
      const { project: of = 'default', user } = given
      return eventsAt(connection, pathOf(of) + (user === undefined ? '' : `/users/${segmentOf('user', user)}`), given)
    },
    close,
    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: close,
  })
}

/** Makes the handles of an owner from its calls. */
function handlesOf(connection: ServerConnection, base: string, ...tables: readonly (readonly CallSpec[])[]) {
  // The methods are those of the table: the types come from the library's handles, and a test compares the two.
  const made = Object({})
  for (const spec of tables.flat()) {
    const { property, method } = spec
    const handle = property === '' ? made : (made[property] ??= {})
    handle[method] = methodOf(connection, base, spec)
  }
  return made
}

/** Makes the handles of a user. Reads the scope with the library's rules. */
function userAt(connection: ServerConnection, received: unknown): RemoteUserMemory {
  const given = typeof received === 'string' ? { user: received } : received
  if (!isPlain(given)) throw invalidScope('user', received, 'must be a name or a plain { project, user }')
  const scope: Readonly<Record<string, unknown>> = { project: 'default', ...given }
  const { project, user, ...others } = scope
  for (const key of Object.keys(others))
    throw invalidScope('user', received, `has an unknown key ${JSON.stringify(key)}; known are project and user`)
  const base = `${pathOf(project)}/users/${'user' in scope ? segmentOf('user', user) : '~'}`
  return Object.assign(handlesOf(connection, base, specs.shared, specs.user), { scope, shouldCompact })
}

function pathOf(project: unknown): string {
  return `/v1/projects/${segmentOf('project', project)}`
}

function segmentOf(field: string, received: unknown): string {
  refuseName(field, received)
  return encodeURIComponent(received)
}
