import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { type Connections, isElsewhere } from './connections.ts'

/** The first and the longest pause before a lost connection is made anew: milliseconds. */
const firstPauseMs = 500
const longestPauseMs = 30_000

/** How the instances of a store tell each other of their writes. */
export interface Notice {
  readonly channel: string
  /** This instance, which does not listen to itself. */
  readonly sender: string
}

/** The statement of a commit that tells others of it. PostgreSQL sends it when the commit is done, and joins equal ones. */
export const noticeText = 'select pg_notify($1, $2)'

export function noticeOf(store: string, instance: string): Notice {
  return { channel: `varve_${store}`, sender: instance }
}

/**
 * Hears of other instances' writes, on a connection of its own. Nothing rests on it: whoever waits for a change looks by
 * itself too. A lost connection is made anew. Behind a pooler, whose sessions are not ours, it ends.
 */
export class Listener {
  readonly #connections: Connections
  readonly #notice: Notice
  readonly #heard: () => void
  readonly #ending = new AbortController()
  #client: Client | undefined
  #isPooled = false
  #hasListened = false
  #pauseMs = firstPauseMs
  #running: Promise<void> | undefined

  constructor(connections: Connections, notice: Notice, heard: () => void) {
    this.#connections = connections
    this.#notice = notice
    this.#heard = heard
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async close(): Promise<void> {
    this.#ending.abort()
    if (this.#client !== undefined) hold(this.#client, 'ref')
    await Promise.allSettled([this.#client?.end(), this.#running])
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted && !this.#isPooled) {
      // Until it is there again, polling finds what is not told.
      await Promise.allSettled([this.#listen()])
      if (signal.aborted || this.#isPooled) return
      await Promise.allSettled([pause(this.#pauseMs, undefined, { signal, ref: false })])
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
    }
  }

  /** Listens until the connection is lost. */
  async #listen(): Promise<void> {
    const client = this.#connections.apart()
    this.#client = client
    const lost = Promise.withResolvers<void>()
    client.on('error', () => lost.resolve())
    client.on('end', () => lost.resolve())
    client.on('notification', ({ payload }) => {
      if (payload !== this.#notice.sender) this.#heard()
    })
    try {
      await client.connect()
      hold(client, 'unref')
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      this.#isPooled = isElsewhere(client, rows[0]?.pid)
      if (this.#isPooled) return
      await client.query(`listen ${client.escapeIdentifier(this.#notice.channel)}`)
      this.#pauseMs = firstPauseMs
      // What was written while the connection was lost was not told.
      if (this.#hasListened) this.#heard()
      this.#hasListened = true
      await lost.promise
    } finally {
      await Promise.allSettled([client.end()])
    }
  }
}

/** A quiet connection does not keep the process alive; one that is being closed does, or nobody would wait for its end. */
function hold(client: Client, how: 'ref' | 'unref'): void {
  const method: unknown = Reflect.get(client, how)
  if (typeof method === 'function') Reflect.apply(method, client, [])
}
