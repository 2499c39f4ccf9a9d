import type { IncomingMessage } from 'node:http'

/** The ways in which a reply ends: whole, by the client, or by the upstream. */
export type ReplyEnd = 'done' | 'stopped' | 'cut'

export interface Passing {
  /** Sees each piece after it was passed on. */
  seen(piece: Buffer): void
  ended(end: ReplyEnd): void
  /** Tells whether the client has left: that ends the upstream's answer too. */
  isStopped(): boolean
  /** Cuts the client's connection, where the server can: an answer that was cut must not look whole. */
  cut?(): void
}

/**
 * Passes the pieces of an answer on as they come. Reads no faster than its reader, and ends the upstream's answer when
 * the reader leaves.
 */
export function passedOn(answer: IncomingMessage, { seen, ended, isStopped, cut }: Passing): ReadableStream<Uint8Array> {
  let isOver = false
  const over = (end: ReplyEnd): boolean => {
    if (isOver) return false
    isOver = true
    ended(end)
    return true
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        answer.on('data', (piece: Buffer) => {
          controller.enqueue(piece)
          if ((controller.desiredSize ?? 0) <= 0) answer.pause()
          seen(piece)
        })
        answer.on('end', () => {
          if (!isOver) controller.close()
          over('done')
        })
        answer.on('error', (error) => {
          if (!over(isStopped() ? 'stopped' : 'cut')) return
          if (cut === undefined || isStopped()) controller.error(error)
          else cut()
        })
        answer.pause()
      },
      pull: () => void answer.resume(),
      cancel() {
        over('stopped')
        answer.destroy()
      },
    },
    { highWaterMark: 1 },
  )
}

/** Statuses whose answers have no body. */
const bodyless: ReadonlySet<number> = new Set([204, 205, 304])

/** Makes the answer for the client. A status that no answer can have is passed on as 502. */
export function answerWith(statusCode: number | undefined, stream: ReadableStream<Uint8Array>, headers: Headers): Response {
  const status = statusCode !== undefined && statusCode >= 200 && statusCode <= 599 ? statusCode : 502
  if (!bodyless.has(status)) return new Response(stream, { status, headers })
  void stream.cancel()
  headers.delete('transfer-encoding')
  return new Response(null, { status, headers })
}
