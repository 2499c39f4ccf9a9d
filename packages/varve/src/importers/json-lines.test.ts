import fc from 'fast-check'
import { expect, it } from 'vitest'
import { streamLines } from './json-lines.ts'

async function* chunked(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function lines(text: string, size: number, maxBytes?: number): Promise<readonly string[]> {
  const all: string[] = []
  for await (const line of streamLines(chunked(text, size), maxBytes))
    all.push(line.kind === 'line' ? Buffer.from(line.bytes).toString() : line.kind)
  return all
}

it('gives the lines of a text, however its bytes are cut', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '🐝', '\n', ' ') })
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (any, size) => {
      expect(await lines(any, size)).toEqual(any.split('\n'))
    }),
  )
})

it('drops a line over the bound and goes on with the next', async () => {
  expect(await lines(`short\n${'x'.repeat(11)}\n${'y'.repeat(10)}\nend`, 4, 10)).toEqual(['short', 'too long', 'y'.repeat(10), 'end'])
})
