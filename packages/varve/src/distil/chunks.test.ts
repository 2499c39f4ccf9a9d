import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bitOf } from '../storage/layers.ts'
import type { PartTable } from '../storage/schema.ts'
import { chunksOf, type Chunking, partLengths, type Place, unread } from './chunks.ts'
import type { Chunk } from '../tasks/parts/read-span.ts'

const [gists, bank, shared] = [1, 2, bitOf('shared')]
const dayMs = 86_400_000
const byDay: Chunking['sittings'] = (places) => places.map(({ at }) => `day ${Math.floor(at / dayMs)}`)
const chunking: Chunking = {
  wanted: gists,
  again: 0,
  maxMessages: partLengths.usual,
  maxTokens: 10_000,
  closedAt: new Set<number>(),
  sharedFrom: 0,
  sittings: byDay,
}

function places(from: number, to: number, at = 0): Place[] {
  return Array.from({ length: to - from + 1 }, (_, place) => ({ seq: from + place, at, tokens: 10 }))
}

function part(layer: number, from: number, to: number, more: Partial<PartTable> = {}): PartTable {
  return {
    id: from,
    partition_id: 1,
    session_id: 1,
    layer,
    from_seq: from,
    to_seq: to,
    messages: to - from + 1,
    sitting: 'day 0',
    first_at: 0,
    last_at: 0,
    content: 'said',
    sources: '[]',
    writer: 'extractive',
    provisional: 0,
    written_at: 0,
    ...more,
  }
}

function ranges(chunks: readonly Chunk[]): (readonly [number, number, number])[] {
  return chunks.map(({ from, to, due }) => [from, to, due])
}

test('a session is cut into runs of at most 40 messages of one sitting', () => {
  const said = [...places(1, 95), ...places(96, 100, dayMs)]
  expect(ranges(chunksOf([], said, chunking))).toEqual([
    [1, 40, gists],
    [41, 80, gists],
    [81, 95, gists],
    [96, 100, gists],
  ])
})

test('what comes later joins the last part of its sitting while there is room, and begins a new one otherwise', () => {
  const before = [part(gists, 1, 40), part(gists, 41, 60)]
  expect(ranges(chunksOf(before, places(61, 85), chunking))).toEqual([
    [1, 40, 0],
    [41, 80, gists],
    [81, 85, gists],
  ])
  expect(ranges(chunksOf(before, places(61, 65, dayMs), chunking))).toEqual([
    [1, 40, 0],
    [41, 60, 0],
    [61, 65, gists],
  ])
  expect(ranges(chunksOf([part(gists, 1, 40)], places(41, 42), chunking))).toEqual([
    [1, 40, 0],
    [41, 42, gists],
  ])
})

test('a part that was taken out by hand stays as it is: what follows begins anew, and other layers are read', () => {
  const parts = [part(gists, 1, 10), part(bank, 1, 10, { content: null })]
  expect(ranges(chunksOf(parts, places(11, 12), { ...chunking, wanted: gists | bank }))).toEqual([
    [1, 10, 0],
    [11, 12, gists | bank],
  ])
  expect(ranges(chunksOf([parts[1] ?? part(bank, 1, 10)], places(11, 12), { ...chunking, wanted: gists | bank }))).toEqual([
    [1, 10, gists],
    [11, 12, gists | bank],
  ])
})

test('a layer that is switched on later is read in the parts that stand; what is provisional, when there is a model again', () => {
  const parts = [part(gists, 1, 40), part(gists, 41, 60, { provisional: 1 })]
  expect(ranges(chunksOf(parts, [], { ...chunking, wanted: gists | bank }))).toEqual([
    [1, 40, bank],
    [41, 60, bank],
  ])
  expect(ranges(chunksOf(parts, [], chunking))).toEqual([
    [1, 40, 0],
    [41, 60, 0],
  ])
  expect(ranges(chunksOf(parts, [], { ...chunking, again: gists }))).toEqual([
    [1, 40, 0],
    [41, 60, gists],
  ])
})

test('after a forget only the part that lost a message is read again', () => {
  const parts = [part(gists, 1, 40), part(gists, 81, 120)]
  expect(unread(parts, 120, gists)).toEqual([{ from: 41, to: 80 }])
  const left = places(41, 80).filter(({ seq }) => seq !== 50)
  expect(ranges(chunksOf(parts, left, chunking))).toEqual([
    [1, 40, 0],
    [41, 80, gists],
    [81, 120, 0],
  ])
})

test('a run is cut where it has more tokens than a writer reads; a single message may have more', () => {
  const said = places(1, 6).map((place) => ({ ...place, tokens: place.seq === 3 ? 500 : 40 }))
  expect(ranges(chunksOf([], said, { ...chunking, maxTokens: 100 }))).toEqual([
    [1, 2, gists],
    [3, 3, gists],
    [4, 5, gists],
    [6, 6, gists],
  ])
})

test('every message is in exactly one chunk, however often it is read and whatever is forgotten in between', () => {
  const steps = fc.array(
    fc.record({ more: fc.nat(90), later: fc.nat(2), forget: fc.option(fc.nat(300), { nil: undefined }), both: fc.boolean() }),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(steps, (moves) => {
      let parts: PartTable[] = []
      let messages: Place[] = []
      let [seq, at] = [0, 0]
      for (const { more, later, forget, both } of moves) {
        at += later * dayMs
        messages = [...messages, ...places(seq + 1, seq + more, at)]
        seq += more
        if (forget !== undefined) {
          messages = messages.filter((message) => message.seq !== forget)
          parts = parts.filter(({ from_seq: from, to_seq: to }) => forget < from || forget > to)
        }
        const wanted = both ? gists | bank : gists
        const gaps = unread(parts, seq, wanted)
        const read = messages.filter((message) => gaps.some(({ from, to }) => message.seq >= from && message.seq <= to))
        const chunks = chunksOf(parts, read, { ...chunking, wanted })
        for (const message of messages) expect(chunks.filter(({ from, to }) => message.seq >= from && message.seq <= to)).toHaveLength(1)
        for (const { from, to, messages: count } of chunks)
          expect(messages.filter((message) => message.seq >= from && message.seq <= to).length).toBeLessThanOrEqual(
            Math.min(count, partLengths.usual),
          )
        for (const { from, to, due, sitting, messages: count } of chunks) {
          for (const layer of [gists, bank]) {
            if ((due & layer) === 0) continue
            parts = parts.filter((old) => old.layer !== layer || old.to_seq < from || old.from_seq > to)
            parts.push(part(layer, from, to, { sitting, messages: count, id: parts.length }))
          }
        }
        const again = chunksOf(parts, [], { ...chunking, wanted })
        expect(again.every(({ due }) => due === 0)).toBe(true)
      }
    }),
  )
})

test('what comes after what a person wrote is a part of its own', () => {
  const standing = [part(gists, 1, 20)]
  expect(ranges(chunksOf(standing, places(21, 23), { ...chunking, closedAt: new Set([20]) }))).toEqual([
    [1, 20, 0],
    [21, 23, gists],
  ])
  // When it was written for a shorter session, the part also has the later messages.
  expect(ranges(chunksOf(standing, places(21, 23), { ...chunking, closedAt: new Set([19]) }))).toEqual([[1, 23, gists]])
})

test('messages that were read for documents are read for them again only where a model is still to write', () => {
  const documents = 16
  const both = { ...chunking, wanted: gists | documents, again: gists | documents }
  const before = [part(gists, 1, 10), part(documents, 1, 6), part(documents, 7, 10)]
  expect(chunksOf(before, [], both)).toMatchObject([{ from: 1, to: 10, due: 0 }])
  expect(chunksOf(before, places(11, 14), both)).toMatchObject([
    { from: 1, to: 14, due: gists | documents, freshFrom: new Map([[documents, 11]]) },
  ])
  expect(chunksOf([part(gists, 1, 20), part(documents, 1, 12)], [], both)).toMatchObject([
    { from: 1, to: 20, due: documents, freshFrom: new Map([[documents, 13]]) },
  ])
  const failed = [part(documents, 1, 10), part(documents, 11, 14, { provisional: 1 })]
  expect(ranges(chunksOf(failed, [], { ...both, wanted: documents }))).toEqual([
    [1, 10, 0],
    [11, 14, documents],
  ])
  const provisional = [part(gists, 1, 10), part(documents, 1, 10, { provisional: 1 })]
  expect(chunksOf(provisional, places(11, 14), both)[0]).not.toHaveProperty('freshFrom')
  expect(chunksOf(provisional, places(11, 14), { ...both, again: 0 })[0]).toMatchObject({ freshFrom: new Map([[documents, 11]]) })
})

test('no chunk crosses the first shared place, and the shared layer reads none before it', () => {
  const both = { ...chunking, wanted: gists | shared }
  const cut = (parts: readonly PartTable[], from: number, to: number, sharedFrom: number) =>
    ranges(chunksOf(parts, places(from, to), { ...both, sharedFrom }))
  expect(cut([], 1, 9, 5)).toEqual([
    [1, 4, gists],
    [5, 9, gists | shared],
  ])
  expect(cut([], 1, 9, 1)).toEqual([[1, 9, gists | shared]])
  expect(cut([], 1, 4, 5)).toEqual([[1, 4, gists]])
  // A standing part grows up to that place.
  const first = part(gists, 1, 2)
  expect(cut([first], 3, 9, 5)).toEqual([
    [1, 4, gists],
    [5, 9, gists | shared],
  ])
  expect(cut([first], 3, 9, 3)).toEqual([
    [1, 2, 0],
    [3, 9, gists | shared],
  ])
})
