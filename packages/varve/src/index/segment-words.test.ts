import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IndexedWords } from './segment-words.ts'
import { encodeTerms } from './terms-codec.ts'
import { Segment } from './segment.ts'

/** Words of one family, of few letters, of several bytes a letter, and too long for a length of one byte. */
const vocabulary = ['photo', 'photographi', 'phot', 'ph', 'a', 'hafen', 'hafenmeist', 'лодка', 'лодкам', '船', '12345', 'x'.repeat(140)]
const message = fc.uniqueArray(fc.tuple(fc.constantFrom(...vocabulary), fc.constantFrom(1, 3, 126, 127, 300)), {
  selector: ([term]) => term,
})
const question = fc.uniqueArray(fc.constantFrom(...vocabulary, 'hafenstrass', 'absent', 'phone'), { minLength: 1, maxLength: 4 })

function add(segment: Segment, said: readonly (readonly [string, number])[]): void {
  const bodies = encodeTerms({ role: 'user', language: 'en', name: 'Ada', text: { terms: new Map(said), length: 40 } })
  // Two messages stand in the same bytes, as in a page of the store.
  const page = new Uint8Array([...bodies, ...bodies])
  for (let place = 0; place < 2; place += 1) {
    const [ord, from, to] = [segment.count + 1, place * bodies.length, (place + 1) * bodies.length]
    segment.add({ ord, session_id: 1, seq: ord, said_at: 0, traits: 0, bodies: page, from, to })
  }
}

function segmentOf(messages: readonly (readonly (readonly [string, number])[])[]): Segment {
  const segment = new Segment(1)
  for (const said of messages) add(segment, said)
  return segment
}

const asked = (terms: readonly string[]): { variants: readonly string[] }[] => terms.map((term) => ({ variants: [term] }))

/** Gives the messages of each word and of those of its family, with the counts. */
function found({ terms, relatives, postings }: IndexedWords, words: readonly string[]): object[] {
  const messages = (term: number): [number, number][] =>
    postings
      .of([term])
      .flatMap(({ docs, counts, from, to }) => [...docs.subarray(from, to)].map((doc, at) => [doc, counts[from + at] ?? 0]))
  const named = (ids: readonly number[]): object =>
    Object.fromEntries(ids.map((id) => [terms.term(id), messages(id)]).filter(([, listed]) => listed?.length !== 0))
  return words.map((word) => ({ own: named([terms.find(word) ?? []].flat()), family: named(relatives.of(word)) }))
}

test('the first question finds what a later one finds, whatever was taken out or came between', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), question, fc.array(fc.nat(20)), fc.boolean(), (messages, words, gone, late) => {
      const [first, later] = [segmentOf(messages), segmentOf(messages)]
      for (const other of ['one', 'two']) later.wordsFor(asked([other]))
      for (const segment of [first, later]) segment.remove(gone)
      expect(found(first.wordsFor(asked(words)), words)).toEqual(found(later.wordsFor(asked(words)), words))
      for (const segment of late ? [first, later] : []) add(segment, [['photo', 2]])
      for (const segment of [first, later]) segment.remove([1])
      expect(found(first.wordsFor(asked(words)), words)).toEqual(found(later.wordsFor(asked(words)), words))
    }),
  )
})

test('the first question reads its own terms alone, and another one all', () => {
  const segment = segmentOf([
    [
      ['photo', 1],
      ['hafen', 1],
    ],
  ])
  expect(segment.wordsFor(asked(['photo'])).terms.find('hafen')).toBeUndefined()
  expect(segment.wordsFor(asked(['photo'])).terms.find('hafen')).toBeUndefined()
  expect(segment.wordsFor(asked(['x'])).terms.find('hafen')).toBeDefined()
})

test('terms that end in the middle are refused, and the segment is as it was', () => {
  const segment = segmentOf([[['photo', 1]]])
  const bodies = encodeTerms({ role: 'user', language: '', name: '', text: { terms: new Map([['photo', 1]]), length: 1 } }).slice(0, -2)
  segment.add({ ord: 9, session_id: 1, seq: 9, said_at: 0, traits: 0, bodies, from: 0, to: bodies.length })
  for (let time = 0; time < 2; time += 1) expect(() => segment.wordsFor(asked(['key']))).toThrow(RangeError)
})
