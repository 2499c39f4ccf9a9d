import type { StatedFact } from '../models/writer.ts'
import type { AnsweredFact } from './answered-fact.ts'
import { anyWord } from './any-word.ts'
import { folded } from './folded.ts'
import { passingEnd } from './passing-words.ts'

/** Words that part the begin of a time from its end, in English, German, French and Spanish. */
const ends = "until|till|til|up to|through|bis zum|bis zur|bis|jusqu'à|jusqu'au|jusqu’à|jusqu’au|hasta"
const bounded = new RegExp(String.raw`^(?:(.*?\S)[\s,]+)?(?:${ends})\s+(\S.*)$`, 'iu')

/** The time of an answered fact: its begin, its end, and whether the state passes with it. */
export interface ToldTime {
  readonly when: string
  readonly until: string
  readonly passing: boolean
}

/** Reads the words of a time: "from June until August", "until Friday", "only this week". A told `until` stands as it is. */
export function toldTime({ when, until }: Pick<AnsweredFact, 'when' | 'until'>): ToldTime {
  if (until.trim() !== '') return { when, ...passingEnd(until) }
  const alone = passingEnd(when)
  if (alone.passing) return { when: '', until: withoutUntil(alone.until), passing: true }
  const [, begin = '', end] = bounded.exec(when.trim()) ?? []
  return end === undefined ? { when, until: '', passing: false } : { when: begin, until: end, passing: false }
}

function withoutUntil(phrase: string): string {
  return bounded.exec(phrase)?.[2] ?? phrase
}

type Tense = StatedFact['tense']

/** Words of what is to come, and of what was, in English, German, French and Spanish. */
const coming = anyWord(
  "will|\\p{L}+'ll|won't|going to|gonna|about to|tomorrow|next|upcoming|coming|planning to|werde|werden|wird|morgen|nächst\\p{L}*|demain|" +
    'prochain\\p{L}*|vais|va|allons|mañana|próxim\\p{L}*|voy a|vamos a',
)
const gone = anyWord(
  "\\p{L}{2,}ed|was|were|had|did|didn't|got|began|became|bought|came|went|took|left|gave|met|ago|last|yesterday|since|been|gestern|" +
    'letzt\\p{L}*|seit|war|wurde|hier|dernier|dernière|depuis|ayer|pasad\\p{L}*|desde',
)

/** Derives the tense of a statement from its kind, its words and the words of its time. */
export function tenseOf(kind: AnsweredFact['kind'], quote: string, { when, until }: ToldTime): Tense {
  const words = folded(`${quote} ${when}`)
  if (kind === 'never') return 'present'
  if (kind !== 'state') return coming.test(words) && !gone.test(folded(when)) ? 'future' : 'past'
  if (when === '') return 'present'
  if (gone.test(words)) return until === '' ? 'past' : 'present'
  return coming.test(words) ? 'future' : 'present'
}

const unsure = anyWord(
  'i think|i guess|i believe|maybe|perhaps|probably|not sure|vielleicht|wahrscheinlich|ich glaube|peut-être|je crois|quizás|creo',
)

/** The confidence of a statement whose writer gives none: as it was said, and with words of doubt. */
const usual = { sure: 0.7, unsure: 0.4 } as const

export function saidConfidence(quote: string): number {
  return unsure.test(folded(quote)) ? usual.unsure : usual.sure
}

/** Words between an attribute and its one value. */
const links = anyWord("is|are|'s|was|were|ist|sind|est|sont|es|son|now|to")

/** Tells whether a quote gives a thing of the speaker's its value: "our deploy branch is release", "my size went to 42". */
export function givesOneValue(quote: string, predicate: string, object: string): boolean {
  const [read, name, value] = [folded(quote), folded(predicate), folded(object)]
  const [at, to] = [read.indexOf(name), read.lastIndexOf(value)]
  return name !== '' && value !== '' && at !== -1 && to > at + name.length && links.test(read.slice(at + name.length, to))
}
