import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Line, lineOf } from '../shared/lines.ts'
import type { Serving, Taken } from './tasks.ts'

/** The connections that are opened at once. */
const atOnce = 100

const request = 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

/** The most that a server takes. */
export const mostConnections = 10_000

/** Opens a connection that has had one answer and waits for its next request; undefined when the server closed it. */
async function opened({ url }: Serving): Promise<Socket | undefined> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const answered = Promise.withResolvers<boolean>()
  socket.once('data', (piece: Buffer) => answered.resolve(piece.toString().startsWith('HTTP/1.1 200')))
  socket.once('close', () => answered.resolve(false))
  await Promise.race([once(socket, 'connect'), answered.promise])
  socket.write(request)
  return (await answered.promise) ? socket : undefined
}

/** Measures a server with many open connections: its memory, one more request, and one more than it takes. */
export async function connectionLines(serving: Serving, usage: () => Promise<Taken>, count: number): Promise<Line[]> {
  const before = await usage()
  const began = performance.now()
  const sockets: (Socket | undefined)[] = []
  const opening = async (): Promise<void> => {
    while (sockets.length < count) {
      const at = sockets.push(undefined) - 1
      sockets[at] = await opened(serving)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, opening))
  const openedMs = performance.now() - began
  const after = await usage()
  const asking = performance.now()
  const last = await opened(serving)
  const askedMs = performance.now() - asking
  const held = sockets.filter((socket) => socket !== undefined && !socket.closed).length
  const beyond = held + 1 < mostConnections ? undefined : await opened(serving)
  for (const socket of [...sockets, last, beyond]) socket?.destroy()
  const of = 'connections'
  return [
    lineOf(of, 'open at once', '', [held], { atLeast: count }),
    lineOf(of, 'time to open and answer them', 's', [openedMs / 1_000]),
    lineOf(of, 'memory of them', 'MB', [after.rssMb - before.rssMb]),
    lineOf(of, 'CPU of each', 'ms', [(after.cpuMs - before.cpuMs) / count]),
    lineOf(of, 'one more: answer after', 'ms', last === undefined ? [Number.POSITIVE_INFINITY] : [askedMs], { atMost: 1_000 }),
    ...(held + 1 < mostConnections ? [] : [lineOf(of, 'one too many: taken', '', [beyond === undefined ? 0 : 1], { atMost: 0 })]),
  ]
}
