import { type QueryWord, queryWords } from '../index/query.ts'
import type { Segment } from '../index/segment.ts'
import { type AskedDates, askedDates } from './asked-dates.ts'
import { namedSpeakers } from './speakers.ts'

/** A question, read for the signals. */
export interface Question {
  readonly words: readonly QueryWord[]
  /** Speakers that it names. */
  readonly speakers: ReadonlySet<number>
  readonly vector: Float32Array | undefined
  readonly dates: AskedDates
  /** True when it asks for a time. English. */
  readonly asksWhen: boolean
  /**
   * `user` when it is about the asker's own words ("what did I say"), `assistant` when about the assistant's ("what did
   * you recommend"). English.
   */
  readonly about: 'user' | 'assistant' | undefined
}

const asksWhen = /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow long ago\b/i
const ofMyself = /\b(?:i|me|my|mine|myself)\b/i
const ofYou = /\b(?:you|your|yours)\b/i

export function readQuestion(segment: Segment, text: string, vector: Float32Array | undefined, now: number): Question {
  const languages = segment.languages
  const { speakers, words } = namedSpeakers(segment, queryWords(text, languages))
  const [mine, yours] = [ofMyself.test(text), ofYou.test(text)]
  return {
    words,
    speakers,
    vector,
    dates: askedDates(text, languages, now),
    asksWhen: asksWhen.test(text),
    about: mine === yours ? undefined : mine ? 'user' : 'assistant',
  }
}
