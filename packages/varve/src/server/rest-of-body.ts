import type { IncomingMessage, ServerResponse } from 'node:http'

/** What is read and dropped of a body after its answer: bytes, and milliseconds. */
export const restBounds = { bytes: 64 * 1024 * 1024, ms: 5_000 } as const

/** The time between two looks at how much has come: milliseconds. */
const lookMs = 50

/**
 * Bounds what comes of a body after its request was answered, as it is for one that was refused. It is read and dropped:
 * a client that sends all of it before it reads gets its answer, and its connection serves the next request. One that
 * sends more, or takes longer, is cut.
 */
export function boundRest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { bytes, ms }: { readonly [Name in keyof typeof restBounds]: number },
): void {
  outgoing.once('finish', () => {
    const { socket } = incoming
    if (incoming.complete || socket.destroyed) return
    const { bytesRead } = socket
    const began = performance.now()
    // Node drops the pieces of a body before anyone sees them, and the end of one that was never read.
    const looking = setInterval(() => {
      const isOver = socket.bytesRead - bytesRead > bytes || performance.now() - began > ms
      if (incoming.complete || socket.destroyed || isOver) clearInterval(looking)
      if (!incoming.complete && isOver) socket.destroySoon()
    }, lookMs).unref()
    // A reader that stopped halfway would hold the rest back. Taking it away stops the stream a tick later.
    for (const event of ['data', 'readable']) incoming.removeAllListeners(event)
    setImmediate(() => incoming.resume())
  })
}
