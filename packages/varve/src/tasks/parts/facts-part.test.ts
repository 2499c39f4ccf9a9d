import { describe, expect, test } from 'vitest'
import type { StatedFact } from '../../models/writer.ts'
import { knownFacts } from './facts-part.ts'
import type { SpanSession } from './read-span.ts'

type ReadMessage = SpanSession['messages'][number]

const at = Date.UTC(2026, 5, 10, 9)

const message = (seq: number, content: string, more: Partial<ReadMessage> = {}): ReadMessage => ({ seq, content, at, ...more })

const stated = (more: Partial<StatedFact>): StatedFact => ({
  says: 'is',
  subject: '',
  predicate: 'lives in',
  object: 'Oslo',
  seq: 1,
  quote: 'in Oslo',
  tense: 'present',
  confidence: 0.9,
  ...more,
})

function known(facts: readonly StatedFact[], messages: readonly ReadMessage[], label = 'ada') {
  const read = knownFacts(facts, 0, {
    messages,
    session: 7,
    label,
    timeZone: 'UTC',
    hemisphere: 'north',
    language: 'en',
    writer: 'extractive',
  })
  return {
    refused: read.refused,
    facts: read.facts.map(({ subject, object, validFrom, validUntil, sources }) => ({
      subject,
      object,
      validFrom,
      validUntil,
      from: sources.map(({ seq, from, to }) => [seq, from, to]),
    })),
  }
}

const one = (said: string, more: Partial<StatedFact>) => known([stated({ quote: said, ...more })], [message(1, said)]).facts[0]

describe('when it holds', () => {
  test('from when it was said, or from the time that its words tell', () => {
    expect(one('I live in Oslo.', {})).toMatchObject({ validFrom: null, validUntil: null })
    expect(one('I moved to Oslo in May.', { when: 'in May', tense: 'past' })).toMatchObject({
      validFrom: Date.UTC(2026, 4, 1),
      validUntil: null,
    })
  })

  test('a deadline holds from when it was said until its day is over, told as a time or not', () => {
    const [from, until] = [null, Date.UTC(2026, 11, 16)]
    expect(
      one('The deadline is December 15.', {
        subject: 'project',
        predicate: 'deadline',
        object: 'December 15',
        when: 'December 15',
        tense: 'future',
      }),
    ).toMatchObject({ validFrom: from, validUntil: until })
    expect(one('It is due on December 15.', { subject: 'project', predicate: 'due on', object: 'December 15' })).toMatchObject({
      validFrom: from,
      validUntil: until,
    })
    expect(one('The deadline is soon.', { subject: 'project', predicate: 'deadline', object: 'soon' })).toMatchObject({
      validFrom: from,
      validUntil: null,
    })
  })

  test('an age holds for a year at most', () => {
    expect(one('I am 52 years old.', { predicate: 'age', object: '52' })).toMatchObject({
      validFrom: null,
      validUntil: at + 365 * 86_400_000,
    })
  })

  test('what was over before it was said does not hold now', () => {
    expect(one('I lived in Oslo until 2019.', { until: 'until 2019', tense: 'past' })).toMatchObject({
      validFrom: Date.UTC(2019, 0, 1),
      validUntil: Date.UTC(2020, 0, 1),
    })
    expect(one('I lived in Oslo from 2012 until 2019.', { when: 'from 2012', until: 'until 2019', tense: 'past' })).toMatchObject({
      validFrom: Date.UTC(2012, 0, 1),
      validUntil: Date.UTC(2020, 0, 1),
    })
  })

  test('what may come to be, nobody knows when, is refused; a plan is over with its day', () => {
    expect(
      known([stated({ quote: 'I will live in Oslo', when: 'some day', tense: 'future' })], [message(1, 'I will live in Oslo some day.')]),
    ).toEqual({ refused: 1, facts: [] })
    expect(
      one('I go to Oslo on 12 June.', { predicate: 'plans to', object: 'go to Oslo', when: 'on 12 June', tense: 'future' }),
    ).toMatchObject({ validFrom: null, validUntil: Date.UTC(2026, 5, 13) })
  })
})

describe('an event', () => {
  const painted = { predicate: 'painted', object: 'lake', tense: 'past', event: true } as const

  test('has the time that its words tell', () => {
    expect(one('I painted a lake in May.', { ...painted, when: 'in May' })).toMatchObject({
      validFrom: Date.UTC(2026, 4, 1),
      validUntil: Date.UTC(2026, 5, 1),
    })
    expect(one('I painted a lake from 2 May until 4 May.', { ...painted, when: '2 May', until: '4 May' })).toMatchObject({
      validFrom: Date.UTC(2026, 4, 2),
      validUntil: Date.UTC(2026, 4, 5),
    })
  })

  test('without a told time has the day of its message, in the project’s time zone', () => {
    const said = 'I painted a lake, ages ago.'
    expect(one(said, { ...painted, when: 'ages ago' })).toMatchObject({
      validFrom: Date.UTC(2026, 5, 10),
      validUntil: Date.UTC(2026, 5, 11),
    })
    const read = knownFacts([stated({ ...painted, quote: said, single: true })], 0, {
      messages: [message(1, said, { at: Date.UTC(2026, 5, 10, 23) })],
      session: 7,
      label: 'ada',
      timeZone: 'Europe/Berlin',
      hemisphere: 'north',
      language: 'en',
      writer: 'x',
    })
    expect(read.facts).toMatchObject([
      { validFrom: Date.UTC(2026, 5, 10, 22), validUntil: Date.UTC(2026, 5, 11, 22), lasting: 'once', single: false },
    ])
  })

  test('to come, at no told time, is refused', () => {
    expect(known([stated({ ...painted, tense: 'future', quote: 'paint a lake' })], [message(1, 'I will paint a lake.')]).refused).toBe(1)
  })
})

test('a state passes only with an end that can be read', () => {
  const said = 'I live in Oslo this week, until I find a flat.'
  const lastingOf = (until: string) =>
    knownFacts([stated({ quote: said, passing: true, until })], 0, {
      messages: [message(1, said)],
      session: 7,
      label: 'ada',
      timeZone: 'UTC',
      hemisphere: 'north',
      language: 'en',
      writer: 'x',
    }).facts.map(({ lasting, validUntil }) => [lasting, validUntil])
  expect(lastingOf('this week')).toEqual([['while', Date.UTC(2026, 5, 15)]])
  expect(lastingOf('until I find a flat')).toEqual([['on', null]])
})

describe('of whom it is', () => {
  const told = message(1, 'Ada lives in Oslo. I live in Oslo.', { name: 'Bo' })

  test('of whoever speaks, also where nobody has a name for the user', () => {
    for (const label of ['ada', 'user']) expect(known([stated({})], [told], label).facts).toMatchObject([{ subject: 'Bo' }])
    expect(known([stated({})], [message(1, 'I live in Oslo.')], 'user').facts).toMatchObject([{ subject: '' }])
    expect(known([stated({})], [message(1, 'I live in Oslo.', { name: 'Ada' })]).facts).toMatchObject([{ subject: 'Ada' }])
  })

  test('what another says of the user by name is nobody’s; of others it is', () => {
    expect(known([stated({ subject: 'Ada', quote: 'Ada lives in Oslo' })], [told])).toEqual({ refused: 1, facts: [] })
    expect(known([stated({ subject: 'Ada', quote: 'Ada lives in Oslo' })], [told], 'grace').facts).toMatchObject([{ subject: 'Ada' }])
  })
})

test('it rests on the words where they stand, and on the whole of a message that named what it is about; without either it fails', () => {
  const [first, second] = [message(1, 'My sister Mira lives in Oslo.'), message(2, 'I meant Bergen, not Oslo.')]
  const corrected = stated({ subject: 'Mira', object: 'Bergen', seq: 2, quote: 'Bergen, not Oslo', also: [1] })
  expect(known([corrected], [first, second]).facts).toMatchObject([
    {
      from: [
        [2, 8, 24],
        [1, 0, 29],
      ],
    },
  ])
  expect(known([corrected], [second])).toEqual({ refused: 1, facts: [] })
  expect(known([stated({ quote: 'in Rome' })], [first])).toEqual({ refused: 1, facts: [] })
})

test('what rests on a fact that is refused rests on nothing', () => {
  const messages = [message(1, 'I live in Oslo. I park at pier two.')]
  const read = knownFacts(
    [
      stated({ quote: 'in Rome' }),
      stated({ predicate: 'parks at', object: 'pier two', quote: 'park at pier two', restsOn: [0] }),
      stated({ restsOn: [1] }),
    ],
    0,
    { messages, session: 7, label: 'ada', timeZone: 'UTC', hemisphere: 'north', language: 'en', writer: 'extractive' },
  )
  expect(read.facts.map(({ restsOn }) => restsOn)).toEqual([[], [0]])
})
