import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../../../test/fixtures/text/any-character.ts'
import { droppingSentences } from './commands/dropping.sentences.ts'
import { forgettingSentences } from './commands/forgetting.sentences.ts'
import { leadsSentences } from './commands/leads.sentences.ts'
import { exact } from './facts/all.sentences.ts'
import { reporting, working } from './facts/plain.sentences.ts'
import type { SourceMessage } from '../../models/writer.ts'
import { statedFacts } from './stated-facts.ts'
import { runs } from '../../testing/runs.ts'
import { checkLinear } from '../../testing/text-steps.ts'

const commands = [...leadsSentences, ...forgettingSentences, ...droppingSentences]
const cases = [...working, ...reporting, ...commands, ...Object.values(exact).flat()]
const sentence = fc.oneof(fc.constantFrom(...cases.map(([, text]) => text)), {
  weight: 4,
  arbitrary: fc.constantFrom(...cases.filter(([, , fact]) => fact !== undefined).map(([, text]) => text)),
})
const mark = fc.constantFrom(
  ' ',
  '\n',
  '\n\n',
  '  ',
  ' \u{1f600} ',
  '\u00a0',
  ', ',
  '"',
  '’',
  '**',
  '> ',
  '```\n',
  ' and ',
  '\u202e',
  '\ud83d',
  '1. ',
  ': ',
)
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: sentence },
      { weight: 2, arbitrary: mark },
      { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 20 }) },
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))
const role = fc.constantFrom('user' as const, 'user' as const, 'user' as const, 'assistant' as const, 'tool' as const, 'system' as const)
const origin = fc.constantFrom(
  'person' as const,
  'person' as const,
  'person' as const,
  'assistant' as const,
  'tool' as const,
  'system' as const,
)
const messages = fc
  .array(fc.record({ role, origin, text, name: fc.constantFrom('Ada', 'Bo', undefined) }), { maxLength: 5 })
  .map((all) =>
    all.map(({ name, ...one }, at): SourceMessage => ({ seq: at * 2 + 1, at, ...one, ...(name === undefined ? {} : { name }) })),
  )

test('what is quoted stands in a message of a person, times included, and the same goes in as comes out again', () => {
  let found = 0
  fc.assert(
    fc.property(messages, (messages) => {
      const facts = statedFacts(messages)
      found += facts.length
      for (const { seq, quote, when, until, object, says, confidence } of facts) {
        const message = messages.find((one) => one.seq === seq)
        expect([message?.origin, message?.role]).toEqual(['person', 'user'])
        for (const words of [quote, when ?? quote, until ?? quote])
          expect(message?.text.includes(words) === true && words !== '', words).toBe(true)
        expect(object !== '' || says === 'ends').toBe(true)
        expect(confidence > 0 && confidence <= 1).toBe(true)
      }
      expect(statedFacts(structuredClone(messages))).toEqual(facts)
    }),
    { numRuns: runs(300) },
  )
  expect(found).toBeGreaterThan(20)
})

const pieces = [
  ' ',
  '\n',
  '\t',
  '1',
  'a',
  'A',
  '"',
  "'",
  '’',
  ',',
  '.',
  '?',
  ':',
  '-',
  '—',
  '(',
  '*',
  '`',
  '> ',
  '/',
  '\u{1f600}',
  '\u00a0',
  'Aa ',
  'I ',
  "I'm ",
  'and ',
  ', and ',
  'not ',
  ' if',
  'my sister ',
  'My ',
  'I live in ',
  'I like a ',
  'I am allergic to a, ',
  'on Friday ',
  'the end of ',
  '1 ',
  '1. ',
  'A.',
  'Aa: ',
  'Dear a',
  'Best\n',
  '*as ',
  'a few ',
  'Dan and I ',
  'my dog Rex died ',
  ' not A',
  'no, sorry ',
  'remember that ',
  'call me A ',
  'I meant a, not ',
  'have a ',
  'cancelled my trip to A ',
  'The key is in ',
  'costs 1',
  'I have decided on ',
  '```\n',
  '| ',
  "'a ",
  ' for ',
  'no longer ',
  'would ',
  'Mira’s ',
  'was going to ',
  'lol ',
  ':)',
  'jk ',
  'wait no ',
  'i live in aa bb ',
  'my sister aa ',
  'is called aa ',
  'dont ',
  'katie ',
  'i work at aa ',
  'my email is ',
  'my number is 01 ',
  'my address is 1 Aa, ',
  'Aa Aa ',
  'always use a ',
  'please don’t ',
  'my kids are Aa, Aa ',
  'kids are Aa and Aa. ',
  'Aa is my sister. ',
  'she’s called Aa, ',
  'I use Aa, Bb ',
  'the a deadline for the a ',
  'we decided to go with a ',
  'remind me to a ',
  'we keep the a a in the a ',
  'I don’t eat a, ',
  'I take aa 1 mg and ',
  'my aa allergy ',
  'work at a aa called A ',
  'was diagnosed with aa ',
  'key is with Aa ',
  'no tips in a ',
  'Mum’s 1st ',
  'a n a w ',
  '0 ',
  'a@',
  'a.',
  'forget my a ',
  'ok, ok, ',
  'forget what I said about a, ',
  'forget my a and my ',
  'stop using A and ',
  'change my a to a from a to ',
  'please note: ',
  'so you know ',
  'just ',
  'a is out, ',
]

test.each(pieces)('%j over and over is read in linear time', (piece) => {
  checkLinear((length) => {
    const repeated = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    for (const text of [repeated, `I live in ${repeated}`, `${repeated} I live in Oslo.`]) {
      statedFacts([{ seq: 1, role: 'user', origin: 'person', at: 0, text }])
    }
  }, 300)
})
