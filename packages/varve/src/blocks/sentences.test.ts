import { expect, test } from 'vitest'
import { byHand } from '../models/writer.ts'
import { blockSentences, Remaining, sharedWords, tellingTerms } from './sentences.ts'

const saidAt = (content: string) => ({ terms: tellingTerms(content, 'en'), recordedAt: 0 })
const sentenceOf = (content: string, writer = 'agent') => {
  const [sentence] = blockSentences([{ block_id: 1, revision: 1, content, writer, written_at: 1 }], 'en')
  if (sentence === undefined) throw new TypeError('no sentence')
  return sentence
}
const goes = (text: string, gone: string, remaining: readonly string[] = []): boolean => {
  const left = new Remaining(sharedWords(sentenceOf(text), [saidAt(gone)]))
  for (const content of remaining) left.add(content, 'en')
  return left.gone().size > 0
}

test('of many messages, each way of sharing words is compared once, and a bounded number of ways', () => {
  const sentence = sentenceOf('The ferry carries lamps, ropes, barrels, oars, sails and lanterns.')
  const same = Array.from({ length: 5_000 }, () => saidAt('We need ropes and oars for the ferry.'))
  expect(sharedWords(sentence, same)).toHaveLength(1)
  const nouns = ['lamps', 'ropes', 'barrels', 'oars', 'sails', 'lanterns']
  const subsets = Array.from({ length: 64 }, (_unset, bits) =>
    saidAt(nouns.filter((_noun, place) => (bits & (1 << place)) !== 0).join(' ')),
  )
  expect(sharedWords(sentence, subsets)).toHaveLength(32)
})

test.each([
  ['Prefers tea with rose petals.', 'I like tea with rose petals', [], true],
  ['Prefers tea with rose petals.', 'I like tea with rose petals', ['tea with rose petals is what I drink'], false],
  ['Lives close to Mira and works at night.', 'Mira moved in next door', [], true],
  ['Works as a nurse in a private clinic.', 'is a private clinic better?', [], true],
  ['Works as a nurse in a private clinic.', 'is a private kitchen enough?', [], false],
  ['Has diabetes.', 'I have diabetes', [], true],
])('%s goes with %s: %j remains', (text, gone, remaining, expected) => {
  expect(goes(text, gone, remaining)).toBe(expected)
})

test('a person’s own sentence goes when it says mostly the message', () => {
  const shared = (text: string): number => sharedWords(sentenceOf(text, byHand), [saidAt('my pin is 4711 at the bank')]).length
  expect(shared('pin 4711')).toBe(1)
  expect(shared('The bank near the old harbour has long queues.')).toBe(0)
})
