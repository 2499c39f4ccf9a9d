import { shown } from '../errors/shown.ts'
import { reasonToRefuse } from '../scope/name.ts'
import { calls } from './calls.ts'
import { type ConnectOptions, type ServerConnection, connectionOf } from './connection.ts'
import { eventsOf } from './events.ts'
import { methodsOf } from './handle.ts'
import type { EventsOptions, RemoteMemory, RemoteProjectMemory, RemoteUserMemory } from './remote-memory.ts'
import { invalidScope } from './remote-error.ts'
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
  const memory = handlesOf(connection, '/v1', [calls.memory])
  const project = (name: string): RemoteProjectMemory =>
    handlesOf(connection, `/v1/projects/${encodeURIComponent(validName('project', name))}`, [calls.shared, calls.project])
  const create = Reflect.get(memory.projects, 'create')
  return Object.assign(memory, {
    for: (scope: unknown) => userAt(connection, scope),
    project,
    projects: { ...memory.projects, create: async (name: string, given?: object) => project(await create(name, given)) },
    events: eventsOf(connection, eventsBase),
    close,
    [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]: close,
  })
}

/** Makes the handles of an owner from the lines of its calls. */
function handlesOf(connection: ServerConnection, base: string, tables: readonly Readonly<Record<string, string>>[]) {
  // The methods are those of the table: the types come from the library's handles, and a test compares the two.
  const made = Object.create(Object.prototype)
  for (const table of tables)
    for (const [property, lines] of Object.entries(table)) {
      const methods = methodsOf(connection, base, property, lines)
      if (property === '') Object.assign(made, methods)
      else made[property] = { ...made[property], ...methods }
    }
  return made
}

function userAt(connection: ServerConnection, received: unknown): RemoteUserMemory {
  const { project, user } = scopeOf(received)
  const base = `/v1/projects/${encodeURIComponent(project)}/users/${user === undefined ? '~' : encodeURIComponent(user)}`
  const scope = user === undefined ? { project } : { project, user }
  return Object.assign(handlesOf(connection, base, [calls.shared, calls.user]), { scope, shouldCompact })
}

/** Reads the scope of a handle, with the library's rules. */
function scopeOf(received: unknown): { readonly project: string; readonly user?: string } {
  if (typeof received === 'string') return { project: 'default', user: validName('user', received) }
  if (received === null || typeof received !== 'object' || Array.isArray(received))
    throw invalidScope('user', shown(received), 'must be a name or { project, user }')
  const unknown = Object.keys(received).find((key) => key !== 'project' && key !== 'user')
  if (unknown !== undefined)
    throw invalidScope('user', shown(received), `has an unknown key ${JSON.stringify(unknown)}; known are project and user`)
  const project = validName('project', 'project' in received ? received.project : 'default')
  return 'user' in received ? { project, user: validName('user', received.user) } : { project }
}

/** The path of whose events are asked for: a project's, or a user's. */
function eventsBase({ project = 'default', user }: EventsOptions): string {
  const base = `/v1/projects/${encodeURIComponent(validName('project', project))}`
  return user === undefined ? base : `${base}/users/${encodeURIComponent(validName('user', user))}`
}

function validName(field: string, received: unknown): string {
  const reason = reasonToRefuse(received)
  if (reason !== undefined) throw invalidScope(field, shown(received), reason)
  // A name that is not refused is a text.
  return String(received)
}
