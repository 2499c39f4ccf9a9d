import { describe, expect, test } from 'vitest'
import type { SourceMessage } from '../models/writer.ts'
import { checkTextAnswer } from './check-text.ts'
import { problems } from './problem.ts'
import { bulletsTask, gistTask, sharedBulletsTask } from './text-tasks.ts'

const start = Date.UTC(2026, 4, 8, 10, 30)
const message = (seq: number, text: string, more: Partial<SourceMessage> = {}): SourceMessage => ({
  seq,
  role: 'user',
  origin: 'person',
  name: 'Ada',
  at: start + seq * 60_000,
  text,
  ...more,
})

const talk = [
  message(4, 'Hi! I want to move the boat to Zingst, berth 12, for 1,450 euros a year. The gate: [redacted: password]'),
  message(5, 'The yard answered: see https://yard.example/berths/12. Ticket OPS-118 is open.', {
    role: 'assistant',
    origin: 'assistant',
    name: 'Helper',
  }),
  message(6, 'Great, ask Mia Sørensen at mia@yard.example, she runs getBerths() there, with 10k in mind'),
  message(7, 'weather_lookup: 18 degrees in Stralsund', { role: 'tool', origin: 'tool' }),
  message(8, 'You are a helpful assistant with the code 777.', { role: 'system', origin: 'system' }),
]

type Item = { readonly text: unknown; readonly from: unknown }

function gistOf(...items: readonly Item[]): unknown {
  return checkTextAnswer(items, talk, gistTask)
}

const one = (text: string, from: unknown = [4]): unknown => gistOf({ text, from })
const kept = (text: string, from: readonly number[] = [4]): unknown => ({ sentences: [{ text, from }] })

test('what is no list has a problem, and a list is kept', () => {
  expect(checkTextAnswer('The boat moves.', talk, gistTask)).toEqual({ problem: problems.missing })
  expect(checkTextAnswer([{ text: 'The boat moves to Zingst.', from: [4] }], talk, bulletsTask)).toEqual(kept('The boat moves to Zingst.'))
})

describe('what an item cites', () => {
  test('numbers that are not there are dropped, and an item with none left', () => {
    expect(gistOf({ text: 'The boat moves.', from: [4, 99, 4, 8] }, { text: 'Ada is glad about it.', from: [99] })).toEqual(
      kept('The boat moves.'),
    )
    expect(one('The boat moves.', [8])).toEqual({ problem: problems.uncited })
    expect(one('The boat moves.', [])).toEqual({ problem: problems.uncited })
  })

  test.each([
    [4, '4'],
    ['[5]', ['6']],
    ['5', '6'],
  ])('small models write %j and %j', (a, b) => {
    expect(gistOf({ text: 'The boat moves.', from: a }, { text: 'The yard answers.', from: b })).toHaveProperty('sentences.length', 2)
  })

  test('what it rests on besides is cited as well, so that forgetting it finds the sentence', () => {
    expect(one('The boat moves to Zingst, and Ada asks Mia Sørensen.', [4])).toEqual(
      kept('The boat moves to Zingst, and Ada asks Mia Sørensen.', [4, 6]),
    )
  })
})

describe('what was said by nobody', () => {
  test.each([
    'The berth costs 1,550 euros.',
    'The berth costs 14,500 euros.',
    'The boat moves to Rostock.',
    'Ada asks Mia Sandberg.',
    'Ada opened OPS-119 for the berth.',
    'More is at https://yard.example/berths/13 for Ada.',
    'More is at ard.example for Ada.',
    'Ada writes to ia@yard.example for a berth.',
    'Ada calls setBerths() there.',
    'The code of the assistant is 777.',
    'The boat moves on 19 May.',
  ])('%s', (text) => {
    expect(one(text, [4, 5, 6, 7])).toEqual({ problem: problems.invented })
  })

  test.each([
    'The berth costs 1450 euros, or 1.450 in another form.',
    'The two talked about 3 questions, and Ada was glad.',
    'On 8 May 2026 Ada asked for berth 12.',
    'Ada has 10,000 in mind for the berth.',
    'Ticket ops-118 is open, see yard.example/berths/12.',
    "Mia's address is mia@yard.example, says Ada.",
    'The Zingster berth was praised by Ada.',
    'In May, on a Friday, Ada wanted to move.',
    'It is 18 degrees in Stralsund.',
  ])('%s: was said', (text) => {
    expect(one(text, [4, 5, 6, 7])).toMatchObject({ sentences: [{ text }] })
  })

  test.each([
    ['The crane comes at 7:40 pm.', 'The crane comes at 19:40.', true],
    ['The crane comes at 7 p.m. sharp.', 'The crane comes at 19:00.', true],
    ['The crane comes at 12:30 am.', 'The crane comes at 0:30.', true],
    ['The crane comes at 19:40.', 'The crane comes at 7:40 pm.', true],
    ['The crane comes at 7:40 am.', 'The crane comes at 19:40.', false],
    ['The crane lifts twenty-five tons for three hundred euros.', 'The crane lifts 25 tons for 300 euros.', true],
    ['The crane lifts twenty-five tons for three hundred euros.', 'The crane lifts 26 tons for 300 euros.', false],
    ['The crane lifts a dozen boats.', 'The crane lifts 12 boats.', true],
  ])('where it was said that %s: %s %j', (said, written, isKept) => {
    const gist = checkTextAnswer([{ text: written, from: [1] }], [message(1, said)], gistTask)
    expect(gist).toEqual(isKept ? kept(written, [1]) : { problem: problems.invented })
  })

  test('in German a noun is no name', () => {
    const deutsch = [
      message(
        1,
        'Ich möchte das Boot in den Hafen legen, wegen der Kosten und der Nähe zum Bahnhof, und die Werft sagt, der Platz am ' +
          'Steg ist frei.',
      ),
    ]
    const text = 'Ada sucht für das Boot einen Liegeplatz mit guter Anbindung.'
    expect(checkTextAnswer([{ text, from: [1] }], deutsch, gistTask)).toEqual(kept(text, [1]))
  })

  test('digits of other scripts are digits', () => {
    const persian = [message(1, 'اجاره قایق ۱۴۵۰ یورو است')]
    const text = 'اجاره قایق 1450 یورو است.'
    expect(checkTextAnswer([{ text, from: [1] }], persian, gistTask)).toEqual(kept(text, [1]))
  })
})

describe('the form of an item', () => {
  test.each([
    ['- The boat\nmoves.', 'The boat moves.'],
    ['## 1. The boat moves [4].', 'The boat moves.'],
    ['The boat moves. [4, 5]', 'The boat moves.'],
    ['The\u0007 boat\u202E moves.', 'The boat moves.'],
    ['The boat </memory> moves.', undefined],
    ['The boat moves with a [redacted: password]', 'The boat moves with a [redacted: password]'],
    ['The boat moves:', undefined],
    ['Here is the summary: the boat moves.', undefined],
    ['As an AI language model, this is not possible.', undefined],
    ['I’m sorry, but no.', undefined],
    ['**The boat** moves.', undefined],
    ['…', undefined],
    ['', undefined],
  ])('%j becomes %j', (text, expected) => {
    expect(one(text)).toEqual(expected === undefined ? { problem: problems.form } : kept(expected))
  })

  test('an item that is no object with a text', () => {
    for (const item of [null, 7, 'The boat moves.', { text: 7, from: [4] }, { text: 'The boat moves.' }]) {
      expect(checkTextAnswer([item], talk, gistTask)).toEqual({ problem: problems.shape })
    }
  })

  test('too long is dropped, in words or in characters', () => {
    expect(one('boat '.repeat(60).trim())).toMatchObject({ sentences: [{}] })
    expect(one('boat '.repeat(61).trim())).toEqual({ problem: problems.length })
    expect(one('harbourmaster '.repeat(44))).toEqual({ problem: problems.length })
    expect(one('boat '.repeat(1_000_000))).toEqual({ problem: problems.length })
  })
})

describe('how much is taken', () => {
  const bullet = (index: string, words: number): Item => ({ text: `The boat ${index} ${'moves '.repeat(words - 3)}`.trim(), from: [4] })

  test('the last are cut: those over the number, and those over the words', () => {
    const bank = (...items: readonly Item[]): unknown => checkTextAnswer(items, talk, bulletsTask)
    expect(bank(bullet('a', 5), bullet('b', 5), bullet('c', 5), bullet('d', 5))).toHaveProperty('sentences.length', 3)
    expect(bank(bullet('a', 40), bullet('b', 40), bullet('c', 5))).toHaveProperty('sentences.length', 2)
    expect(bank(bullet('a', 40), bullet('b', 41), bullet('c', 5))).toHaveProperty('sentences.length', 1)
  })

  test('nothing twice', () => {
    expect(gistOf({ text: 'The boat moves.', from: [4] }, { text: 'the BOAT moves.', from: [6] })).toEqual(kept('The boat moves.'))
  })

  test('an empty gist is a problem', () => {
    expect(checkTextAnswer([], talk, gistTask)).toEqual({ problem: problems.empty })
  })
})

describe('shared bullets', () => {
  const shared = (text: string, from: readonly number[]): unknown => checkTextAnswer([{ text, from }], talk, sharedBulletsTask)

  test('rest on what persons said, every message of them', () => {
    expect(shared('The boat moves to Zingst.', [4, 6])).toEqual(kept('The boat moves to Zingst.', [4, 6]))
    expect(shared('The boat moves to Zingst.', [4, 5])).toEqual({ problem: problems.origin })
    expect(shared('It is warm.', [7])).toEqual({ problem: problems.origin })
  })

  test('a tool’s words under a person’s number', () => {
    expect(shared('It is 18 degrees in Stralsund.', [4])).toEqual({ problem: problems.invented })
  })

  test('nothing to share is an answer', () => {
    expect(checkTextAnswer([], talk, sharedBulletsTask)).toEqual({ sentences: [] })
  })
})

test('a problem is in our words, never in the model’s', () => {
  const odd = [
    { text: 'You must obey.', from: [4] },
    { text: 'x', from: 'y' },
  ]
  for (const part of [checkTextAnswer(odd, talk, gistTask), checkTextAnswer({ evil: 'words' }, talk, bulletsTask)])
    expect(Object.values(problems)).toContain('problem' in part ? part.problem : undefined)
})
