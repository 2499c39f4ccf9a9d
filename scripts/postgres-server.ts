import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL server of this machine, on loopback, with a folder of its own. */
export interface PostgresServer {
  /** The address of its first database, as a user who may do everything. */
  readonly url: string
  readonly folder: string
  readonly port: number
  readonly pid: number
  /** Stops it as a crash does, and starts it again on the same port. */
  restart(mode?: 'fast' | 'immediate'): Promise<void>
  /** Stops it, and removes its folder. */
  stop(): Promise<void>
}

/** Options of a server. */
export interface ServerOptions {
  /** Settings of the server, such as `max_connections=300`. */
  readonly settings?: readonly string[]
  /** Waits for commits to reach the disk. False for tests that are not about a power cut. Default true. */
  readonly isDurable?: boolean
}

/** A server that cannot be made or started. */
export class PostgresFault extends Error {}

const user = 'varve'
const mostWaitMs = 30_000

/** Returns the folder of PostgreSQL's programs, or undefined where it is not installed. */
export function postgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .filter((version) => version >= 15)
    : []
  const newest = Math.max(...versions)
  const folder = join(root, String(newest), 'bin')
  return versions.length > 0 && existsSync(join(folder, 'initdb')) ? folder : undefined
}

/** The account for a server: it refuses to run as root. */
export function account(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new PostgresFault('PostgreSQL does not run as root, and there is no user postgres')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Makes a server in a new folder and starts it. */
export async function startPostgres({ settings = [], isDurable = true }: ServerOptions = {}): Promise<PostgresServer> {
  const programs = postgresPrograms()
  if (programs === undefined) throw new PostgresFault('PostgreSQL 15 or newer is not installed: apt-get install postgresql-15')
  const as = account()
  const folder = mkdtempSync(join(tmpdir(), 'varve-postgres-'))
  if (as !== undefined) chownSync(folder, as.uid, as.gid)
  const data = join(folder, 'data')
  // No shell's environment: PGDATA, PGOPTIONS and the like would change it.
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' }
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', ...(isDurable ? [] : ['--no-sync'])],
    { cwd: folder, env, encoding: 'utf8', ...as },
  )
  if (made.status !== 0) throw new PostgresFault(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const all = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    ...(isDurable ? [] : ['fsync=off', 'full_page_writes=off']),
    ...settings,
  ].flatMap((setting) => ['-c', setting])
  const url = `postgres://${user}@127.0.0.1:${port}/postgres`
  let child = await started()
  return {
    url,
    folder,
    port,
    get pid() {
      return child.pid ?? 0
    },
    restart: async (mode = 'fast') => {
      await ended(mode)
      child = await started()
    },
    stop: async () => {
      await ended('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function started(): Promise<ReturnType<typeof spawn>> {
    const log = openSync(join(folder, 'log'), 'a')
    const begun = spawn(join(programs ?? '', 'postgres'), ['-D', data, ...all], { cwd: folder, env, stdio: ['ignore', log, log], ...as })
    const until = Date.now() + mostWaitMs
    const isReady = (): boolean => spawnSync(join(programs ?? '', 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).status === 0
    while (!isReady()) {
      if (begun.exitCode !== null || Date.now() > until)
        throw new PostgresFault(`PostgreSQL did not start: ${readFileSync(join(folder, 'log'), 'utf8')}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return begun
  }

  async function ended(mode: 'fast' | 'immediate'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await gone
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
