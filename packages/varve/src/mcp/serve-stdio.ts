import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { McpMeans } from './mcp-means.ts'
import { mcpServer } from './mcp-server.ts'

/** The streams of a connection, and what ends it. */
export interface StdioOptions {
  readonly stdin: Readable
  readonly stdout: Writable
  /** Ends the connection, as the end of stdin does. */
  readonly signal: AbortSignal
  /** Told when the input is not a message of the protocol. */
  readonly onFault: () => void
}

/** Tells when it has closed: by itself at the end of stdin, or with its connection. */
class EndingTransport extends StdioServerTransport {
  readonly #ended: AbortController

  constructor(stdin: Readable, stdout: Writable, ended: AbortController) {
    super(stdin, stdout)
    this.#ended = ended
  }

  override async close(): Promise<void> {
    await super.close()
    this.#ended.abort()
  }
}

/** Serves one client over stdin and stdout. Resolves when the connection has ended. */
export async function serveOnStdio(means: McpMeans, { stdin, stdout, signal, onFault }: StdioOptions): Promise<void> {
  const ended = new AbortController()
  const transport = new EndingTransport(stdin, stdout, ended)
  const connection = serveStdio(() => mcpServer(means), { transport, onerror: onFault })
  const stop = (): void => void connection.close().finally(() => ended.abort())
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  if (!ended.signal.aborted) await once(ended.signal, 'abort')
  signal.removeEventListener('abort', stop)
  await connection.close()
}
