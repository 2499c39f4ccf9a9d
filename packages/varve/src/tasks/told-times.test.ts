import { describe, expect, test } from 'vitest'
import { tellsEvent } from './event-verbs.ts'
import { saidConfidence, givesOneValue, tenseOf, toldTime } from './told-times.ts'

test.each([
  ['in May', '', 'in May', '', false],
  ['until Friday', '', '', 'Friday', false],
  ['from June until August', '', 'from June', 'August', false],
  ['June till the end of August', '', 'June', 'the end of August', false],
  ['only this week', '', '', 'this week', true],
  ['this week only', '', '', 'this week', true],
  ['only until Friday', '', '', 'Friday', true],
  ['nur bis Freitag', '', '', 'Freitag', true],
  ['vom 1. Mai bis 3. Juni', '', 'vom 1. Mai', '3. Juni', false],
  ['jusqu’à vendredi', '', '', 'vendredi', false],
  ['since May', 'only until Friday', 'since May', 'until Friday', true],
  ['', '', '', '', false],
])('the time %j, and %j, is from %j until %j', (when, until, begin, end, passing) => {
  expect(toldTime({ when, until })).toEqual({ when: begin, until: end, passing })
})

describe('the tense is told by the kind and the words', () => {
  test.each([
    ['event', 'I ran the race last Saturday', 'last Saturday', '', 'past'],
    ['event', 'we are off to Porto next week', 'next week', '', 'future'],
    ['event', 'I will sing on Friday', 'on Friday', '', 'future'],
    ['event', "I'll sing on Friday", 'on Friday', '', 'future'],
    ['event', 'we split up', '', '', 'past'],
    ['ended', "I'm quitting my job next month", 'next month', '', 'future'],
    ['ended', 'I quit on Friday', 'on Friday', '', 'past'],
    ['state', 'I moved to Kiel in May', 'in May', '', 'past'],
    ['state', 'I have lived here since Friday', 'since Friday', '', 'past'],
    ['state', 'I have her cat until June', '', 'June', 'present'],
    ['state', 'I live in Kiel', '', '', 'present'],
    ['state', 'My rent is 940 from next April', 'from next April', '', 'future'],
    ['state', 'Ich wohne seit Freitag in Kiel', 'seit Freitag', '', 'past'],
    ['never', 'I never lived in Kiel last year', 'last year', '', 'present'],
  ] as const)('%s: %s', (kind, quote, when, until, tense) => {
    expect(tenseOf(kind, quote, { when, until, passing: false })).toBe(tense)
  })
})

test('words of doubt make a statement less sure', () => {
  expect(saidConfidence('I live in Kiel')).toBeGreaterThan(saidConfidence('I think she lives in Kiel'))
})

test.each([
  ['Our deploy branch is release/9', 'deploy branch', 'release/9', true],
  ['the test command is now pnpm test', 'test command', 'pnpm test', true],
  ['My shoe size went to 42', 'shoe size', '42', true],
  ['I sing in a choir', 'sings in', 'choir', false],
  ['I collect stamps', 'collect', 'stamps', false],
  ['is deploy', '', 'deploy', false],
])('%s: one value of %j: %s', (quote, predicate, object, expected) => {
  expect(givesOneValue(quote, predicate, object)).toBe(expected)
})

test.each([
  ['painted', true],
  ['went to', true],
  ['Attended', true],
  ['bought', true],
  ['lives in', false],
  ['married to', false],
  ['moved to', false],
  ['decided to', false],
  ['interested in', false],
  ['joined', false],
  ['has', false],
])('%s tells an event: %s', (predicate, expected) => {
  expect(tellsEvent(predicate)).toBe(expected)
})
