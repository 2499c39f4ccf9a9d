import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SourceMessage } from '../../../models/writer.ts'
import { subjectFacts } from './subject-facts.ts'
import { runs } from '../../../testing/runs.ts'
import { checkLinear } from '../../../testing/text-steps.ts'

const numRuns = runs(200)

const said = (text: string, more: Partial<SourceMessage> = {}): SourceMessage => ({
  seq: 1,
  role: 'user',
  origin: 'person',
  name: 'Ada',
  at: 0,
  text,
  ...more,
})
const told = (...texts: string[]): string[] =>
  subjectFacts(texts.map((text, at) => said(text, { seq: at + 1 }))).map(({ subject, thing = subject, fact }) => `${thing} | ${fact}`)

describe('what a person plainly states', () => {
  test.each<[string, string]>([
    ['I live in Paris, France.', ' | I live in Paris, France.'],
    [
      'Our bakery opens at 7 and the rye bread costs $1,000 a tonne.',
      'bakery | Our bakery opens at 7 and the rye bread costs $1,000 a tonne.',
    ],
    ['Btw, my red bike has a Brooks saddle.', 'red bike | Btw, my red bike has a Brooks saddle.'],
    ['We decided to open a second shop in Kiel.', ' | We decided to open a second shop in Kiel.'],
    ['decision: all money is stored as cents', ' | decision: all money is stored as cents'],
    ['We sell bread to 40 cafés.', ' | We sell bread to 40 cafés.'],
    ['I run a small bakery.', ' | I run a small bakery.'],
    ['I quit my job at Acme.', ' | I quit my job at Acme.'],
    ['Our bakery now sells rye bread for $1,000 a tonne.', 'bakery | Our bakery now sells rye bread for $1,000 a tonne.'],
    ['My goal is to open a second shop.', ' | My goal is to open a second shop.'],
    ['Our two delivery vans are in Kiel.', 'delivery vans | Our two delivery vans are in Kiel.'],
    ['My sister Mia is a nurse.', 'Mia | My sister Mia is a nurse.'],
  ])('%s', (text, expected) => {
    expect(told(text)).toEqual([expected])
  })

  test('is the sentence as it was said, in one line, and none of what stands around it', () => {
    expect(told('Hello there!\nOur   bakery\nopens at 7. What is the weather? Thanks!')).toEqual(['bakery | Our bakery opens at 7.'])
  })

  test('of a thing that was named goes under its name', () => {
    expect(told('We bought the Linea Mini.', 'The Linea Mini makes 2 cups at a time.', 'The Eiffel Tower is 330 m high.')).toEqual([
      'Linea Mini | The Linea Mini makes 2 cups at a time.',
    ])
  })

  test('twice is one', () => {
    expect(told('Our bakery opens at 7.', 'Our bakery opens at 7.')).toHaveLength(1)
  })

  test('cites its message, and those whose words it takes', () => {
    expect(subjectFacts([said('Our bakery opens at 7.', { seq: 12 })])).toEqual([
      { subject: '', thing: 'bakery', fact: 'Our bakery opens at 7.', seq: 12 },
    ])
  })
})

test.each<[string, string | undefined]>([
  ['Our boat is 7 m long.', 'boat'],
  ['My MacBook has 32 GB of RAM.', 'MacBook'],
  ['My sister is a nurse.', undefined],
  ['My sister Mia is a nurse.', undefined],
])('%s: a thing without a name of its own is its speaker’s', (text, thing) => {
  const [fact] = subjectFacts([said(text)])
  expect(fact?.thing).toBe(thing)
  expect(fact?.subject === '').toBe(thing !== undefined)
})

describe('nothing is taken', () => {
  test.each([
    'Hi!',
    'Thanks a lot, that was great.',
    'Good morning, how are you?',
    'Does our bakery open at 7?',
    'Should we sell bread?',
    'Maybe our bakery opens at 7.',
    'I think our bakery is fine.',
    'If our bakery is open, come by.',
    'My guess is that it rains.',
    'My question is about dogs.',
    'Our bakery could open at 7.',
    'You said our bakery is closed.',
    'Bo said our bakery is closed.',
    'Please write that our bakery is open.',
    'Paris is the capital of France.',
    'Imagine our bakery is on the moon.',
    'Write a story: our bakery is on the moon.',
    'Our bakery is on the moon lol',
    '> Our bakery opens at 7.',
    '```\nour bakery is open\n```',
    "We haven't decided on the price yet.",
    'I would like to run a bakery.',
    'We could agree on 5 pm.',
    'What a nice day it is.',
    'My family is my rock.',
    'Our bakery is so cute!',
    'My kids are so excited about summer break!',
    'My laptop crashed and it was frustrating.',
    'My tip is to break it into pieces.',
    'My legs are not my legs after that climb.',
    'Our fridge is on a MOUNTAIN.',
  ])('of %j', (text) => {
    expect(told(text)).toEqual([])
  })

  test.each(["I'll cycle out to the smokehouse on Sunday, it's flat the whole way.", 'My arms are not my arms any more'])(
    'that is over by tomorrow: %s',
    (text) => {
      expect(told(text)).toEqual([])
    },
  )

  test('of what the AI, a tool or the system said', () => {
    for (const origin of ['assistant', 'tool', 'system'] as const)
      expect(
        [said('Our bakery opens at 7.', { origin, role: origin }), said('I live in Oslo.', { origin })].flatMap((one) =>
          subjectFacts([one]),
        ),
      ).toEqual([])
  })

  test('of a thing that another speaker named', () => {
    expect(subjectFacts([said('We bought the Linea Mini.', { name: 'Bo' }), said('The Linea Mini makes 2 cups.', { seq: 2 })])).toEqual([])
  })
})

test('whatever is said, a fact is one line of a person’s own message, and the same each time', () => {
  const piece = fc.constantFrom(
    'I live in Oslo',
    'our bakery is open',
    'My ',
    ' is ',
    '?',
    '. ',
    '\n',
    '“',
    '```',
    'We decided to go',
    ' $1,000, ',
    'é🦊',
  )
  const text = fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 8 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      fc.array(fc.record({ text, origin: fc.constantFrom('person' as const, 'assistant' as const) }), { maxLength: 4 }),
      (talk) => {
        const messages = talk.map(({ text: words, origin }, at) =>
          said(words, { seq: at + 1, origin, role: origin === 'person' ? 'user' : 'assistant' }),
        )
        const facts = subjectFacts(messages)
        expect(subjectFacts(messages)).toEqual(facts)
        for (const { fact, seq } of facts) {
          const message = messages[seq - 1]
          expect(message?.origin).toBe('person')
          expect(fact).not.toMatch(/[\n?]$|\n/)
          expect(message?.text.replaceAll(/\s+/gu, ' ')).toContain(fact)
        }
      },
    ),
    { numRuns },
  )
})

test.each(['our ', 'My a ', 'The A ', 'we decided, '])('a message of %j over and over is read in linear time', (piece) => {
  checkLinear((length) => subjectFacts([said(piece.repeat(length / 4))]))
})
