/** Where a PostgreSQL store is, and how it is reached. */
export interface PostgresAddress {
  /**
   * The addresses that the driver connects to, without Varve's own parameters: one a server, in the order in which they are
   * tried. The first one that takes writes serves.
   */
  readonly urls: readonly [string, ...string[]]
  /** The address as it may be shown: without user, password and parameters. */
  readonly shown: string
  /** The schema of Varve's tables; undefined for the first one of the server's search path. */
  readonly schema: string | undefined
  /** The most connections of each of the engine's threads. */
  readonly connections: number
  /** The longest that one statement, or one transaction between two statements, may take: milliseconds. */
  readonly timeoutMs: number
  /** True when the caller's clock is the store's: for tests of time. */
  readonly isCallersClock: boolean
  /** True to tell other instances of each write, and to hear of theirs, on one more connection. */
  readonly listens: boolean
  /** True to search the old messages of partitions over the bound with the server's extension pgvector. */
  readonly searchesFar: boolean
}

/** A parameter of an address that cannot be used. */
export class AddressFault extends Error {}

const usualConnections = 8
const mostConnections = 1_000
const usualTimeoutMs = 30_000
const leastTimeoutMs = 100
const mostTimeoutMs = 3_600_000

/** Names that PostgreSQL takes without quotes. Everything else could be meant to end a quotation. */
const plainName = /^[a-z_][a-z0-9_]{0,62}$/

/** Parameters that Varve reads itself, and takes out of the address. */
const own = ['varve_schema', 'varve_connections', 'varve_timeout_ms', 'varve_clock', 'varve_listen', 'varve_vectors'] as const

/** Reads the address of a PostgreSQL store. AddressFault for a parameter that cannot be used. */
export function postgresAddress(place: string): PostgresAddress {
  const { url, hosts } = readUrl(place)
  const given = Object.fromEntries(own.map((name) => [name, url.searchParams.get(name) ?? undefined]))
  for (const name of own) url.searchParams.delete(name)
  const unknown = [...url.searchParams.keys()].find((name) => name.startsWith('varve_'))
  if (unknown !== undefined) throw new AddressFault(`has a parameter that Varve does not know; known are ${own.join(', ')}`)
  const { varve_schema: schema, varve_clock: clock, varve_listen: listen, varve_vectors: vectors } = given
  if (schema !== undefined && !plainName.test(schema))
    throw new AddressFault('varve_schema must be a name of lower-case letters, digits and _, of at most 63 characters')
  if (clock !== undefined && clock !== 'caller') throw new AddressFault('varve_clock can only be caller')
  if (listen !== undefined && listen !== 'on') throw new AddressFault('varve_listen can only be on')
  if (vectors !== undefined && vectors !== 'pgvector') throw new AddressFault('varve_vectors can only be pgvector')
  return {
    urls: [url.toString(), ...hosts.slice(1).map((host) => elsewhere(url, host))],
    shown: shownAddress(url, hosts),
    schema,
    connections: whole('varve_connections', given['varve_connections'], [1, mostConnections]) ?? usualConnections,
    timeoutMs: whole('varve_timeout_ms', given['varve_timeout_ms'], [leastTimeoutMs, mostTimeoutMs]) ?? usualTimeoutMs,
    isCallersClock: clock !== undefined,
    listens: listen !== undefined,
    searchesFar: vectors !== undefined,
  }
}

/** Gives the address of a store as it may stand in errors and logs. */
export function shownPlace(place: string): string {
  try {
    const { url, hosts } = readUrl(place)
    return shownAddress(url, hosts)
  } catch {
    return 'postgres:'
  }
}

interface ReadUrl {
  /** The address of the first server. */
  readonly url: URL
  /** The servers of a list, each with its port; empty where the address names none. */
  readonly hosts: readonly string[]
}

/** An address of several servers, as libpq writes it, is none to a URL's parser: postgres://user@host1:5432,host2:5433/db. */
const listed = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+,[^@/?#]+)(.*)$/i

function readUrl(place: string): ReadUrl {
  const [, before = '', list, after = ''] = listed.exec(place) ?? []
  const hosts = list?.split(',') ?? []
  const first = list === undefined ? place : `${before}${hosts[0]}${after}`
  const url = URL.canParse(first) ? new URL(first) : undefined
  if (url !== undefined && (url.host !== '' || url.searchParams.has('host')) && hosts.every((host) => URL.canParse(`${before}${host}/`)))
    return { url, hosts }
  throw new AddressFault('is no address of a server; write postgres://user:password@host:5432/database, with % for special signs')
}

/** The same address at another server: its own port, or the usual one. */
function elsewhere(url: URL, host: string): string {
  const other = new URL(url)
  const { hostname, port } = new URL(`postgres://${host}/`)
  other.hostname = hostname
  other.port = port
  return other.toString()
}

function shownAddress({ protocol, host, pathname, searchParams }: URL, hosts: readonly string[]): string {
  return `${protocol}//${hosts.length > 0 ? hosts.join(',') : host === '' ? (searchParams.get('host') ?? '') : host}${pathname}`
}

function whole(name: string, text: string | undefined, [least, most]: readonly [number, number]): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new AddressFault(`${name} must be a whole number from ${least} to ${most}`)
}
