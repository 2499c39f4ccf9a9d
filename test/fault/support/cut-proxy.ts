import { connect, createServer, type Server, type Socket } from 'node:net'

/** How a connection is cut: its packets are swallowed and both ends stay open, or both ends are reset. */
export type CutHow = 'swallow' | 'reset'

/** The direction whose bytes are counted. */
export type CutWay = 'to server' | 'to client'

/** The next cut: at the n-th byte of a way, or exactly between a commit and its answer. */
export type Cut =
  | { readonly at: 'byte'; readonly way: CutWay; readonly bytes: number; readonly how: CutHow }
  | { readonly at: 'answer to commit'; readonly how: CutHow }
  | { readonly at: 'commit'; readonly how: CutHow }

/** A proxy on loopback that cuts one connection when it is told to. Bytes count from then on, over all connections. */
export class CutProxy implements AsyncDisposable {
  /** The number of connections that were cut. */
  cuts = 0
  port = 0
  readonly #target: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #next: Cut | undefined
  #seen = 0

  private constructor(target: number) {
    this.#target = target
    this.#server = createServer((client) => this.#join(client))
  }

  static async before(port: number): Promise<CutProxy> {
    const proxy = new CutProxy(port)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    const address = proxy.#server.address()
    proxy.port = typeof address === 'object' && address !== null ? address.port : 0
    return proxy
  }

  /** Cuts once; a cut that has not come by the next call is dropped. */
  cutAt(cut: Cut | undefined): void {
    this.#next = cut
    this.#seen = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #join(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1')
    const line = { client, server, isCut: false, hasCommit: false }
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      // A reset of either end is what this proxy is for.
      socket.on('error', () => undefined)
      socket.on('close', () => this.#sockets.delete(socket))
    }
    client.on('data', (piece: Buffer) => this.#pass(line, 'to server', piece))
    server.on('data', (piece: Buffer) => this.#pass(line, 'to client', piece))
    client.on('close', () => line.isCut || server.destroy())
    server.on('close', () => line.isCut || client.destroy())
  }

  #pass(line: { client: Socket; server: Socket; isCut: boolean; hasCommit: boolean }, way: CutWay, piece: Buffer): void {
    if (line.isCut) return
    const to = way === 'to server' ? line.server : line.client
    const isCommit = way === 'to server' && isCommitIn(piece)
    line.hasCommit ||= isCommit
    const cut = this.#next
    const left = cut === undefined ? undefined : this.#left(cut, way, piece, isCommit, line.hasCommit)
    if (cut === undefined || left === undefined) {
      if (way === 'to client') line.hasCommit = false
      to.write(piece)
      return
    }
    this.#next = undefined
    this.cuts += 1
    line.isCut = true
    const end = (): void => {
      if (cut.how === 'reset') for (const socket of [line.client, line.server]) socket.resetAndDestroy()
    }
    if (left === 0) end()
    else to.write(piece.subarray(0, left), end)
  }

  /** The bytes of a piece that still pass before the cut; undefined when it does not come with this piece. */
  #left(cut: Cut, way: CutWay, { length }: Buffer, isCommit: boolean, hasCommit: boolean): number | undefined {
    if (cut.at === 'commit') return isCommit ? 0 : undefined
    if (cut.at === 'answer to commit') return way === 'to client' && hasCommit ? 0 : undefined
    if (way !== cut.way) return undefined
    this.#seen += length
    return this.#seen >= cut.bytes ? length - (this.#seen - cut.bytes) : undefined
  }
}

/** A bind of the prepared statement `commit`, or its text. */
function isCommitIn(piece: Buffer): boolean {
  return piece.includes('\0commit\0')
}
