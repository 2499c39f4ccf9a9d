/** The traits of a message apart from its words, kept in a byte with its terms. */
export interface Traits {
  /** The share of it that asks: 0 to 1, in fifteenths. */
  readonly question: number
  /** True when it names a time in the past or the future. */
  readonly when: boolean
  /** True when its speaker says "I" or "we". Undefined where the traits were read before this one was. */
  readonly first: boolean | undefined
}

const questionSteps = 15
const whenBit = 16
const firstKnownBit = 32
const firstBit = 64

/** The characters of a text that are read: a long text has the traits of its beginning. */
const mostRead = 4_000

const sentence = /[^.!?。！？؟]+[.!?。！？؟]*/g
const asks = /[?？؟]\s*$/

/** Words for times, in English only for now: months, days, dates, years, and words that reckon from today. */
const saysWhen = new RegExp(
  [
    String.raw`\b(?:yesterday|tonight|tomorrow|ago|since|(?:last|next|this|past) \w+|few (?:days|weeks|months|years))\b`,
    String.raw`\b(?:january|february|march|april|june|july|august|september|october|november|december)\b`,
    String.raw`\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b`,
    String.raw`\b(?:19|20)\d\d\b|\b\d+(?:st|nd|rd|th)\b`,
  ].join('|'),
  'i',
)

/** First persons in English, German, French and Spanish. Words that mean something else in another of them are left out. */
const saysFirst = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:i|me|my|mine|myself|we|us|our|ours|ich|mir|mich|mein(?:e[mnrs]?)?|wir|uns|unser(?:e[mnrs]?)?|` +
    String.raw`je|moi|mon|nous|notre|yo|mis?|nosotr[ao]s)(?![\p{L}\p{N}])|j['’])`,
  'iu',
)

/** Returns the traits of a text in one byte. */
export function traitsOf(text: string): number {
  const read = text.slice(0, mostRead)
  return (
    Math.round(shareOfQuestions(read) * questionSteps) +
    (saysWhen.test(read) ? whenBit : 0) +
    firstKnownBit +
    (saysFirst.test(read) ? firstBit : 0)
  )
}

export function readTraits(byte: number): Traits {
  return {
    question: (byte & questionSteps) / questionSteps,
    when: (byte & whenBit) !== 0,
    first: (byte & firstKnownBit) === 0 ? undefined : (byte & firstBit) !== 0,
  }
}

function shareOfQuestions(text: string): number {
  if (!/[?？؟]/.test(text)) return 0
  let all = 0
  let asking = 0
  for (const [one] of text.matchAll(sentence)) {
    if (!/[\p{L}\p{N}]/u.test(one)) continue
    all += one.length
    if (asks.test(one)) asking += one.length
  }
  return all === 0 ? 0 : asking / all
}
