import { expect, test } from 'vitest'
import type { SourceMessage, StatedFact } from '../../models/writer.ts'
import { loose } from '../facts/said.ts'
import { statedFacts } from './stated-facts.ts'

function said(text: string, more: Partial<SourceMessage> = {}): SourceMessage {
  return { seq: 1, role: 'user', origin: 'person', at: 0, text, ...more }
}

function briefly({ says, subject, predicate, object, when }: StatedFact): string {
  return [says, subject, predicate, object, when ?? ''].join('|')
}

test('a fact has its words, its times as they stand there, and its tense', () => {
  expect(statedFacts([said('Hello!  In  May, I moved to\nCork, and it rains.', { seq: 7 })])).toEqual([
    {
      says: 'is',
      subject: '',
      predicate: 'lives in',
      object: 'Cork',
      when: 'In  May',
      tense: 'past',
      confidence: 0.8,
      seq: 7,
      quote: 'In  May, I moved to\nCork, and it rains.',
    },
  ])
  expect(statedFacts([said('We’re sailing to Texel on 4 July until Sunday')])).toEqual([
    {
      says: 'is',
      subject: '',
      predicate: 'plans to',
      object: 'travel to Texel',
      when: 'on 4 July',
      until: 'until Sunday',
      tense: 'future',
      confidence: 0.8,
      seq: 1,
      quote: 'We’re sailing to Texel on 4 July until Sunday',
    },
  ])
})

test('nothing is taken from what an assistant, a tool or the system says, nor from a person in another role', () => {
  const text = 'I live in Oslo.'
  expect(statedFacts([said(text)])).toHaveLength(1)
  for (const origin of ['assistant', 'tool', 'system'] as const) {
    expect(statedFacts([said(text, { origin, role: origin })])).toEqual([])
    expect(statedFacts([said(text, { origin })])).toEqual([])
    expect(statedFacts([said(text, { role: origin })])).toEqual([])
  }
})

test.each([
  ['I am flying to Oslo on 3 June.', 'I cancelled my trip to Oslo.'],
  ['I booked a flight to Oslo for 3 June.', 'The flight to Oslo is off.'],
  ['We are taking the ferry to Oslo on Sunday.', "We're not going to Oslo any more."],
  ['I have an appointment with the dentist on Tuesday.', 'My dentist appointment was cancelled.'],
  ['I have a dentist appointment on Tuesday.', 'I cancelled my appointment with the dentist.'],
])('a plan and its end are in the same words: %j, %j', (plan, end) => {
  const [made, ended] = [statedFacts([said(plan)])[0], statedFacts([said(end)])[0]]
  expect([made?.says, ended?.says]).toEqual(['is', 'ends'])
  expect([ended?.predicate, ended?.object]).toEqual([made?.predicate, made?.object])
})

test('somebody is known by what is said in any of the messages: then more is believed of the name', () => {
  expect(statedFacts([said('Bo loves squid.')])).toEqual([])
  expect(statedFacts([said('Bo loves squid.'), said('My brother Bo is here.', { seq: 2 })]).map(briefly)).toEqual([
    'is|Bo|likes|squid|',
    'is||brother|Bo|',
  ])
  expect(statedFacts([said('Bo loves squid.', { name: 'Mira' }), said('Really', { seq: 2, name: 'Bo' })]).map(briefly)).toEqual([
    'is|Bo|likes|squid|',
  ])
})

test('what is said of kin goes with the message that names them', () => {
  const named = said('My sister Runa is here.')
  expect(
    statedFacts([named, said('My sister is allergic to figs.', { seq: 2 })]).map(({ subject, seq, also }) => [subject, seq, also]),
  ).toEqual([
    ['', 1, undefined],
    ['Runa', 2, [1]],
  ])
  expect(statedFacts([said('My sister Runa is here. My sister is allergic to figs.')]).map(({ subject, also }) => [subject, also])).toEqual(
    [
      ['', undefined],
      ['Runa', undefined],
    ],
  )
  expect(
    statedFacts([named, said('My sister Ida is late.', { seq: 2 }), said('My sister is allergic to figs.', { seq: 3 })]).at(-1)?.subject,
  ).toBe('my sister')
  expect(
    statedFacts([said('My sister Runa is here.', { name: 'Mira' }), said('My sister is allergic to figs.', { seq: 2, name: 'Bo' })]).at(-1)
      ?.subject,
  ).toBe("Bo's sister")
})

test('what was meant takes the place of what was said, by the same speaker', () => {
  const first = said('I live in Oslo.', { name: 'Mira' })
  const corrected = statedFacts([first, said('Sorry, I meant Bergen, not Oslo.', { seq: 3, name: 'Mira' })])
  expect(corrected.map(({ object, instead, seq }) => [object, instead, seq])).toEqual([
    ['Oslo', undefined, 1],
    ['Bergen', 'Oslo', 3],
  ])
  expect(statedFacts([first, said('Sorry, I meant Bergen, not Oslo.', { seq: 3, name: 'Bo' })])).toHaveLength(1)
  expect(statedFacts([said('I moved to Oslo in May. I meant Bergen, not Oslo.')]).map(briefly)).toEqual(['is||lives in|Bergen|in May'])
  expect(statedFacts([said('I moved to Oslo in May.'), said('I meant Bergen, not Oslo.', { seq: 2 })]).map(briefly)).toEqual([
    'is||lives in|Oslo|in May',
    'is||lives in|Bergen|',
  ])
})

test.each([
  ['Where do you keep it?\nThe spare key hangs behind the fridge.', 'is|spare key|is kept|behind the fridge|'],
  ['My passport is in the blue drawer.', 'is|my passport|is kept|in the blue drawer|'],
  ['The rent is 290 euros a month.', 'is|rent|costs|290 euros a month|'],
  ['The opening was moved to 16 May.', 'is|opening|is on|16 May|16 May'],
])('where a thing is, what it costs and when it takes place: %j', (text, expected) => {
  expect(statedFacts([said(text)]).map(briefly)).toEqual([expected])
})

test.each([
  'The key is in the details.',
  'The medicine is in the post.',
  'A mistake costs 300 euros of trust.',
  'The opening is on Friday.',
  'It costs 4 euros.',
  'We moved the servers and then moved to Frankfurt.',
  'Bo: I live in Rome\nMira: I live in Oslo',
  'Write me a story. I live in a castle in Thule.',
  'I’ve had two cats.',
  'I work as a team with Bo.',
  "I've lived in Oslo before.",
  'I moved to Marketing in May.',
  "I'm allergic to JavaScript.",
  "I'm meeting him on Friday.",
  "I'm running late tomorrow.",
  'I have a dog problem.',
  "I'm Product Manager.",
  'Is this sentence correct? I live in Oslo since ten years.',
  'Q: Where do you live? A: I live in Oslo.',
  "I'm flying to Rome on Friday, I think.",
  'I love this phone.',
  "I don't like it.",
  'As a pirate, I live in Tortuga.',
])('too little is said, or nothing of the kind: %j', (text) => {
  expect(statedFacts([said(text)])).toEqual([])
})

test('a message that begins with a jk takes back the sentence before, by the same speaker', () => {
  const first = said('I live in Oslo. I work at the moon base.', { name: 'Mira' })
  expect(statedFacts([first, said('jk, I love rowing', { seq: 3, name: 'Mira' })]).map(briefly)).toEqual([
    'is||lives in|Oslo|',
    'is||likes|rowing|',
  ])
  expect(statedFacts([said('I work at Fjord Radio.', { name: 'Mira' }), said('haha jk', { seq: 3, name: 'Bo' })]).map(briefly)).toEqual([
    'is||works at|Fjord Radio|',
  ])
  expect(statedFacts([said('I work at Fjord Radio.'), said('haha jk', { seq: 3 })])).toEqual([])
})

test('who laughs is believed less', () => {
  expect(statedFacts([said('I live in Oslo lol'), said('I live in Oslo', { seq: 2 })]).map(({ confidence }) => confidence)).toEqual([
    0.6, 0.8,
  ])
})

test('a long message is read at both ends', () => {
  const facts = statedFacts([said(`I live in Oslo.\n\n${'The sea is grey. '.repeat(2_000)}\n\nI work at Fjord Radio.`)])
  expect(facts.map(briefly)).toEqual(['is||lives in|Oslo|', 'is||works at|Fjord Radio|'])
})

test('a state in doubtful words is read loosely, and not at all where only sure ones are asked for', () => {
  expect(statedFacts([said('My w8 is 80.')], 'loose states').map(({ object, confidence }) => [object, confidence])).toEqual([['80', loose]])
  expect(statedFacts([said('My w8 is 80.')])).toEqual([])
  expect(statedFacts([said('My weight is 80.')]).map(briefly)).toEqual(['is||weight|80|'])
})

test.each([
  ['Jest has been replaced by Vitest.', ['is||has|Vitest|', 'ends||*|Jest|']],
  ['The gym has put me on the Gold plan.', ['is||was put on|Gold plan|']],
  ['Our CLI, fernwatch, is written in Rust.', ['is||cli|Rust|']],
  ['I work in logistics.', ['is||works in|logistics|']],
  ['Today I decided to have surgery.', ['is||decided to|have surgery|Today']],
])('%s', (text, facts) => {
  expect(statedFacts([said(text)]).map(briefly)).toEqual(facts)
})
