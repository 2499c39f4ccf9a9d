import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeTerms } from './terms-codec.ts'
import { queryWords } from './query.ts'
import { WordScorer } from './score-words.ts'
import { Segment } from './segment.ts'

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
    segment.add({ ord: place + 1, session_id: session, seq: place + 1, said_at: 0, bodies, from: 0, to: bodies.length })
  }
  return segment
}

/** BM25 written down plainly: k1 1.2, b .4, neighbours within the session at .5 and .25. */
function naive(messages: readonly Said[], asked: readonly string[]): { own: number; around: number }[] {
  const average = Math.max(1, messages.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, messages.length))
  const count = (said: Said | undefined, word: string): number => said?.words.filter((other) => other === word).length ?? 0
  const weight = (word: string): number => {
    const found = messages.filter((said) => count(said, word) > 0).length
    return Math.log(1 + (messages.length - found + 0.5) / (found + 0.5))
  }
  const best = asked.reduce((sum, word) => sum + weight(word) * 2.2, 0)
  return messages.map((said) => {
    const session = messages.filter((other) => other.session === said.session)
    const place = session.indexOf(said)
    const norm = 1.2 * (0.6 + (0.4 * said.words.length) / average)
    const part = (times: number, word: string): number => (weight(word) * times * 2.2) / (times + norm)
    const near = (word: string): number => [[0, 1], [-1, 0.5], [1, 0.5], [-2, 0.25], [2, 0.25]]
      .reduce((sum, [step = 0, share = 0]) => sum + share * count(session[place + step], word), 0)
    return {
      own: asked.reduce((sum, word) => sum + part(count(said, word), word), 0) / best,
      around: asked.reduce((sum, word) => sum + part(near(word), word), 0) / best,
    }
  })
}

test('scores as the formula says, question after question on the same arrays', () => {
  const scorer = new WordScorer()
  const questions = fc.array(fc.uniqueArray(fc.constantFrom(...vocabulary), { minLength: 1 }), { minLength: 1, maxLength: 3 })
  fc.assert(fc.property(fc.array(message, { minLength: 1, maxLength: 25 }), questions, (messages, asked) => {
    const segment = segmentOf(messages)
    for (const words of asked) {
      const expected = naive(messages, words)
      const { own, around, touched } = scorer.score(segment, queryWords(words.join(' '), []))
      for (const [doc, scores] of expected.entries()) {
        expect(own[doc]).toBeCloseTo(scores.own, 10)
        expect(around[doc]).toBeCloseTo(scores.around, 10)
        expect([...touched].includes(doc)).toBe(scores.around > 0)
      }
    }
  }))
})
