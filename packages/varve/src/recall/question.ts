import { maxQueryLength, type QueryWord, queryWords } from '../index/query.ts'
import type { Segment } from '../index/segment.ts'
import { type AskedDates, askedDates } from './asked-dates.ts'
import { type AskedOrder, askedOrder } from './asked-order.ts'
import { type AskedPerson, askedPerson } from './asked-person.ts'
import type { AskedCalendar } from './calendar.ts'
import { offsetAt } from './dates/zone.ts'
import { namedSpeakers } from './speakers.ts'

/** A question, read for the signals. */
export interface Question {
  readonly words: readonly QueryWord[]
  /** Speakers that it names. */
  readonly speakers: ReadonlySet<number>
  /** The speaker whom it is about: the only one, or the first of two; undefined where that is not told. */
  readonly asked: number | undefined
  readonly vector: Float32Array | undefined
  readonly dates: AskedDates
  /** The milliseconds by which the project's clocks are ahead of UTC, now. */
  readonly clockOffset: number
  /** True when it asks for a time. English. */
  readonly asksWhen: boolean
  readonly about: AskedPerson
  readonly order: AskedOrder | undefined
}

const asksWhen = /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow long ago\b/i

export function readQuestion(segment: Segment, asked: string, vector: Float32Array | undefined, calendar: AskedCalendar): Question {
  const text = asked.slice(0, maxQueryLength)
  const languages = segment.languages
  const named = namedSpeakers(segment, queryWords(text, languages, segment.unstemmed), text)
  return {
    words: named.words,
    speakers: named.speakers,
    asked: named.asked,
    vector,
    dates: askedDates(text, languages, calendar),
    clockOffset: offsetAt(calendar.now, calendar.timeZone),
    asksWhen: asksWhen.test(text),
    about: askedPerson(text),
    order: askedOrder(text),
  }
}
