import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeTerms } from './terms-codec.ts'
import { queryWords } from './query.ts'
import { WordScorer } from './score-words.ts'
import { Segment } from './segment.ts'
import { windowsOf } from './windows.ts'

const vocabulary = ['boat', 'soup', 'key', 'oven', 'tide', 'bread'] as const
const message = fc.record({ session: fc.integer({ min: 1, max: 3 }), words: fc.array(fc.constantFrom(...vocabulary), { maxLength: 8 }) })

interface Said {
  readonly session: number
  readonly words: readonly string[]
}

function segmentOf(messages: readonly Said[]): Segment {
  const segment = new Segment(1)
  for (const [place, { session, words }] of messages.entries()) {
    const terms = new Map<string, number>()
    for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1)
    const bodies = encodeTerms({ role: 'user', language: '', name: '', text: { terms, length: words.length } })
    segment.add({ ord: place + 1, session_id: session, seq: place + 1, said_at: 0, traits: 0, bodies, from: 0, to: bodies.length })
  }
  return segment
}

/** Computes the score in the plain way: BM25's part of a word (k1 1.2, b .4), at most 1, here or near by, whichever is more. */
function naive(messages: readonly Said[], asked: readonly string[]): { own: number; near: number }[] {
  const average = Math.max(1, messages.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, messages.length))
  const count = (said: Said | undefined, word: string): number => said?.words.filter((other) => other === word).length ?? 0
  const weight = (word: string): number => {
    const found = messages.filter((said) => count(said, word) > 0).length
    return Math.log(1 + (messages.length - found + 0.5) / (found + 0.5))
  }
  const presence = (said: Said | undefined, word: string): number => {
    const times = count(said, word)
    return said === undefined ? 0 : Math.min(1, (times * 2.2) / (times + 1.2 * (0.6 + (0.4 * said.words.length) / average)))
  }
  const shares = [
    [0, 1],
    [-1, 0.8],
    [-2, 0.55],
    [-3, 0.35],
    [1, 0.8],
    [2, 0.55],
    [3, 0.35],
  ] as const
  const best = asked.reduce((sum, word) => sum + weight(word), 0)
  return messages.map((said) => {
    const session = messages.filter((other) => other.session === said.session)
    const place = session.indexOf(said)
    const near = (word: string): number => Math.max(...shares.map(([step, share]) => share * presence(session[place + step], word)))
    return {
      own: asked.reduce((sum, word) => sum + weight(word) * presence(said, word), 0) / best,
      near: asked.reduce((sum, word) => sum + weight(word) * near(word), 0) / best,
    }
  })
}

test('scores as the formula says, question after question on the same arrays', () => {
  const scorer = new WordScorer()
  const questions = fc.array(fc.uniqueArray(fc.constantFrom(...vocabulary), { minLength: 1 }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 25 }), questions, (messages, asked) => {
      const segment = segmentOf(messages)
      for (const words of asked) {
        const expected = naive(messages, words)
        const found = scorer.find(segment, queryWords(words.join(' '), []))
        const docs = Int32Array.from(messages.keys())
        const { own, near, isByWord } = scorer.score(segment, found, docs, windowsOf(segment, docs))
        for (const [doc, scores] of expected.entries()) {
          expect(found.own[doc]).toBeCloseTo(scores.own, 5)
          expect(own[doc]).toBeCloseTo(scores.own, 5)
          expect(near[doc]).toBeCloseTo(scores.near, 5)
          expect(isByWord[doc]).toBe(scores.near > 0 ? 1 : 0)
        }
      }
    }),
  )
})

test('a stop word counts less than another, and not at all once most messages have it', () => {
  const messages = Array.from({ length: 20 }, (_, place) => ({ session: place, words: place < 3 ? ['tide'] : ['boat'] }))
  const [tide, boat] = queryWords('tide boat', [])
  const scorer = new WordScorer()
  if (tide === undefined || boat === undefined) throw new TypeError('two words were asked for')
  const { words } = scorer.find(segmentOf(messages), [tide, { ...boat, stop: true }])
  expect(words.map(({ written }) => written)).toEqual(['tide'])
  expect(
    scorer.find(segmentOf(messages), [
      { ...tide, stop: true },
      { ...boat, stop: true },
    ]).words,
  ).toHaveLength(2)
})

test('a message that has a word in two forms has it twice, in the first question and after', () => {
  const scorer = new WordScorer()
  const long = Array.from({ length: 6 }, () => 'soup')
  const messages = [['boat', 'boats', ...long], ['boats', 'boats', ...long], ['boats', 'key', ...long], ...long.map((word) => [word])]
  const segment = segmentOf(messages.map((words, place) => ({ session: place + 1, words })))
  const asked = [{ written: 'boats', variants: ['boat', 'boats'], stop: false }]
  const scores = (): number[][] => {
    const found = scorer.find(segment, asked)
    const docs = Int32Array.of(0, 1, 2)
    return [[...found.own.slice(0, 3)], [...scorer.score(segment, found, docs, windowsOf(segment, docs)).near]]
  }
  const waiting = scores()
  for (const [both = 0, twice = 0, once = 0] of waiting) {
    expect(both).toBe(twice)
    expect(both).toBeGreaterThan(once)
  }
  // The second question reads all terms.
  expect(scores()).toEqual(waiting)
})

test('a word of the same family counts for half as often, and makes the word asked for none the commoner', () => {
  const scorer = new WordScorer()
  const messages = ['photo', 'photograph', 'soup', 'photograph', 'photograph', 'boat', 'key'].map((word, place) => ({
    session: place + 1,
    words: [word],
  }))
  const segment = segmentOf(messages)
  const ownOf = (query: string): number[] => [...scorer.find(segment, queryWords(query, [])).own.slice(0, messages.length)]
  const half = (0.5 * 2.2) / (0.5 + 1.2)
  expect(ownOf('photo').map((score) => Number(score.toFixed(5)))).toEqual(
    [1, half, 0, half, half, 0, 0].map((score) => Number(score.toFixed(5))),
  )
  // A stop word has no relatives: a question with "about" does not ask for "aboutness".
  expect(scorer.find(segment, [{ written: 'photo', variants: ['photo'], stop: true }, ...queryWords('key', [])]).own[1]).toBe(0)
  const words = (query: string) => scorer.find(segment, queryWords(query, [])).words
  expect(words('photo soup').map(({ weight }) => weight)).toEqual(words('key soup').map(({ weight }) => weight))
})
