import { z } from 'zod'

const partShape = z.looseObject({ type: z.string() })
const delta = z.object({ delta: z.string() }).transform((part) => part.delta)

/**
 * Collects an answer that comes in pieces, in the shape of a whole one. A slow model's connection would idle without
 * them: fetch gives up after five minutes without a byte. Rejects with an error that the stream tells.
 */
export async function collected(stream: ReadableStream<unknown>): Promise<unknown> {
  let [text, reasoning] = ['', '']
  let warnings: unknown = []
  let end: Readonly<Record<string, unknown>> = {}
  for await (const piece of stream) {
    const { data: part } = partShape.safeParse(piece)
    if (part?.type === 'text-delta') text += delta.parse(part)
    else if (part?.type === 'reasoning-delta') reasoning += delta.parse(part)
    else if (part?.type === 'stream-start') ({ warnings } = part)
    else if (part?.type === 'finish') end = part
    else if (part?.type === 'error') throw part['error']
  }
  const { finishReason, usage } = end
  return {
    content: [
      { type: 'reasoning', text: reasoning },
      { type: 'text', text },
    ],
    finishReason,
    usage,
    warnings,
  }
}
