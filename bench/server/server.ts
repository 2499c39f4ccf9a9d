import { readFileSync, readdirSync } from 'node:fs'
import { type Driver, loadDriver } from '../../packages/varve/src/storage/postgres/driver.ts'

/** The server itself, beside the connections of Varve. */
export interface Server extends AsyncDisposable {
  /** With a name, the statement is prepared once. */
  rows(sql: string, values?: readonly unknown[], name?: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Returns the first row's number under a name. */
  number(name: string, sql: string, values?: readonly unknown[]): Promise<number>
}

/** Opens a connection of a bench's own. Varve's parameters of the address are left out. */
export async function openServer(address: string): Promise<Server> {
  const { Pool }: Driver = await loadDriver()
  const pool = new Pool({ connectionString: plainAddress(address), max: 1, application_name: 'varve-bench' })
  // An idle connection that breaks leaves the pool; the next question tells.
  pool.on('error', () => undefined)
  const rows: Server['rows'] = async (text, values = [], name) =>
    (await pool.query({ text, values: [...values], ...(name === undefined ? {} : { name }) })).rows
  return {
    rows,
    number: async (name, sql, values) => Number((await rows(sql, values))[0]?.[name]),
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

export function isServer(place: string): boolean {
  return /^postgres(?:ql)?:/i.test(place)
}

/** Returns the address of a store in a schema of its own. */
export function inSchema(address: string, schema: string): string {
  const url = new URL(address)
  url.searchParams.set('varve_schema', schema)
  return url.toString()
}

export function schemaOf(address: string): string {
  return new URL(address).searchParams.get('varve_schema') ?? 'public'
}

/** Returns the same address through a port of this machine. */
export function through(address: string, port: number): string {
  const url = new URL(address)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.toString()
}

function plainAddress(address: string): string {
  const url = new URL(address)
  for (const name of url.searchParams.keys().toArray()) if (name.startsWith('varve_')) url.searchParams.delete(name)
  return url.toString()
}

/** Drops the schema of a store. Only benches call this, with schemas that they made. */
export async function dropStore(address: string): Promise<void> {
  const schema = schemaOf(address)
  if (!schema.startsWith('varve_bench')) throw new RangeError(`${schema} is no schema of a bench`)
  await using server = await openServer(address)
  await server.rows(`drop schema if exists "${schema}" cascade`)
}

/** Bytes of a schema's tables, with their indexes and long values. */
export interface StoredBytes {
  readonly all: number
  readonly indexes: number
}

export async function storedBytes(server: Server, schema: string): Promise<StoredBytes> {
  const of = `from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r'`
  return {
    all: await server.number('bytes', `select coalesce(sum(pg_total_relation_size(c.oid)), 0) as bytes ${of}`, [schema]),
    indexes: await server.number('bytes', `select coalesce(sum(pg_indexes_size(c.oid)), 0) as bytes ${of}`, [schema]),
  }
}

/** Returns the bytes of write-ahead log so far. */
export function logBytes(server: Server): Promise<number> {
  return server.number('bytes', `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as bytes`)
}

const clockTicksPerSecond = 100

/** Returns the processor time of the server so far, in ms; undefined where its processes cannot be seen. */
export async function serverCpuMs(server: Server): Promise<number | undefined> {
  try {
    const postmaster = await server.number('pid', `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`)
    // Processes that have ended count in the times of the one that started them.
    const own = timesOf(postmaster)
    const children = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (timesOf(Number(name), postmaster) ?? []) : []))
    if (own === undefined) return undefined
    return ((own.self + own.ended + children.reduce((sum, { self }) => sum + self, 0)) * 1_000) / clockTicksPerSecond
  } catch {
    return undefined
  }
}

/** Reads the ticks of a process; undefined for one that is gone, or whose parent is another. */
function timesOf(pid: number, parent?: number): { readonly self: number; readonly ended: number } | undefined {
  try {
    // After the name, which stands in brackets: the state, the parent, …; times are the 12th to the 15th.
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = after.split(' ').map(Number)
    if (parent !== undefined && fields[1] !== parent) return undefined
    const at = (place: number): number => fields[place] ?? 0
    return { self: at(11) + at(12), ended: at(13) + at(14) }
  } catch {
    return undefined
  }
}
