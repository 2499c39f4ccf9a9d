import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../../../../test/fixtures/text/any-character.ts'
import type { SourceMessage } from '../../../models/writer.ts'
import { runs } from '../../../testing/runs.ts'
import { checkLinear } from '../../../testing/text-steps.ts'
import { endsInstruction } from '../../instructions/ends-instruction.ts'
import { statedInstructions } from '../../instructions/stated-instructions.ts'
import { languagePacks } from '../../languages.ts'
import { reportingPairs, workingPairs } from './pairs.sentences.ts'
import { reporting } from './reporting.sentences.ts'
import { working } from './working.sentences.ts'

const sentence = fc.constantFrom(...[...working, ...reporting].map(([, text]) => text))
const mark = fc.constantFrom(
  ' ',
  '\n',
  '\n\n',
  ' \u{1f600} ',
  '\u00a0',
  ', ',
  '"',
  '’',
  '**',
  '> ',
  '```\n',
  ' and ',
  '\ud83d',
  '1. ',
  ': ',
)
const text = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: sentence },
      { weight: 2, arbitrary: mark },
      { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 20 }) },
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))
const origin = fc.constantFrom('person' as const, 'person' as const, 'assistant' as const, 'tool' as const)
const messages = fc
  .array(fc.record({ origin, text }), { maxLength: 5 })
  .map((all) =>
    all.map(({ origin, text }, at): SourceMessage => ({ seq: at, at, role: origin === 'person' ? 'user' : origin, origin, text })),
  )

test('an instruction is a range of a person’s message, in order, and the same goes in as comes out again', () => {
  let count = 0
  fc.assert(
    fc.property(messages, (messages) => {
      const found = statedInstructions(messages, languagePacks)
      count += found.length
      for (const [at, { message, begins, ends, text }] of found.entries()) {
        const source = messages[message]
        expect(source?.origin).toBe('person')
        expect(begins >= 0 && begins < ends && ends <= (source?.text.length ?? 0)).toBe(true)
        expect(text).toBe(source?.text.slice(begins, ends).replaceAll(/\s+/gu, ' ').trim())
        expect(text.length > 0 && text.length <= 300).toBe(true)
        const before = found[at - 1]
        expect(before === undefined || before.message < message || before.ends <= begins).toBe(true)
      }
      expect(statedInstructions(structuredClone(messages), languagePacks)).toEqual(found)
    }),
    { numRuns: runs(300) },
  )
  expect(count).toBeGreaterThan(20)
})

const instruction = fc.oneof(
  fc.constantFrom(...[...workingPairs, ...reportingPairs].flatMap(([later, earlier]) => [later, earlier])),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
)

test('no instruction ends itself, with or without other blanks', () => {
  fc.assert(
    fc.property(instruction, (text) => {
      expect(endsInstruction(text, text)).toBe(false)
      expect(endsInstruction(` ${text.replaceAll(' ', '\n')} `, text)).toBe(false)
    }),
    { numRuns: runs(300) },
  )
})

const pieces = [
  ...[' ', '\n', 'a', 'A', '"', "'", ',', ', ', '.', '?', ':', ': ', '-', '—', '(', '*', '`', '> ', '1. ', '- ', '\u{1f600}', '```\n'],
  ...['always ', 'always use ', 'never ', 'please ', 'please, ', 'remember to ', 'you should ', 'I want you to ', 'and ', ', and '],
  ...["don't ", "don't suggest a ", 'when I ask ', 'when I ask, ', 'use a ', 'for all a ', 'for every a ', 'from now on, ', 'short, '],
  ...['call me A ', 'call me ', 'I prefer ', 'I prefer a ', 'I really ', 'I like a ', 'short and answers ', 'no more a ', 'you can use '],
  ...['forget what I said about ', 'you can stop using ', 'this prompt ', 'my text a ', 'proofread a ', 'hey, ', 'rules: ', 'your tone '],
  ...['short, detailed ', 'I want all a ', 'since a ', 'in a, ', 'no more a a ', 'use all the ', 'write a ', 'edit my text ', 'so use '],
  ...['can you please ', 'answer in ', 'in German ', 'a over ', 'my pronouns are ', 'whatever I ask, ', 'with every ', 'explaining '],
]

test.each(pieces)('%j over and over is read in linear time', (piece) => {
  checkLinear((length) => {
    const repeated = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    for (const text of [repeated, `Always use ${repeated}`, `${repeated} when I ask about it.`]) {
      statedInstructions([{ seq: 1, role: 'user', origin: 'person', at: 0, text }], languagePacks)
      endsInstruction(text, 'always use tables')
      endsInstruction('stop using tables', text)
    }
  }, 400)
})

test('a message of one line of 100 kB, with an open quotation, is read', () => {
  const text = `"${'always use a '.repeat(8_000)}`
  expect(statedInstructions([{ seq: 1, role: 'user', origin: 'person', at: 0, text }], languagePacks).length).toBeLessThan(10)
})
