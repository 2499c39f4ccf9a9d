import { createParser } from 'eventsource-parser'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventFrames } from './events.ts'
import { linesInStream } from './stream.ts'

type Told = Readonly<Record<'event' | 'data' | 'id', string | undefined>>

/** Reads a stream whose bytes come in pieces of these sizes, as the client does. */
async function readBy(text: string, sizes: readonly number[]): Promise<readonly Told[]> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  let piece = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = sizes[piece % sizes.length] ?? 1
      controller.enqueue(bytes.subarray(at, at + size))
      at += size
      piece += 1
      if (at >= bytes.length) controller.close()
    },
  })
  const told: Told[] = []
  for await (const { event, data, id } of eventFrames(linesInStream(stream.getReader(), new AbortController().signal)))
    if (data !== undefined) told.push({ event, data, id })
  return told
}

/** Reads it as a parser of the whole format does. */
function readWhole(text: string): readonly Told[] {
  const told: Told[] = []
  createParser({ onEvent: ({ event, data, id }) => told.push({ event, data, id }) }).feed(text)
  return told
}

const value = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => JSON.stringify(text))
const word = fc.stringMatching(/^[\w.-]{1,9}$/)
const frame = fc
  .record({
    comment: fc.option(value, { nil: undefined }),
    id: fc.option(word, { nil: undefined }),
    event: fc.option(word, { nil: undefined }),
    retry: fc.option(fc.nat(), { nil: undefined }),
    data: fc.option(value, { nil: undefined }),
    end: fc.constantFrom('\n', '\r\n'),
    space: fc.constantFrom('', ' '),
  })
  .map(({ comment, end, space, ...fields }) => {
    const named = Object.entries(fields).flatMap(([name, one]) => (one === undefined ? [] : [`${name}:${space}${one}`]))
    return [...(comment === undefined ? [] : [`:${comment}`]), ...named, ''].map((line) => `${line}${end}`).join('')
  })

test('what a server may send is read as a parser of the whole format reads it, however its bytes come apart', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 8 }), sizes, async (frames, some) => {
      expect(await readBy(frames.join(''), some)).toEqual(readWhole(frames.join('')))
    }),
  )
})
