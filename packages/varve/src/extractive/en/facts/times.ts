import { source } from '../../word-lists.ts'

const number = '(?:\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few|a couple of|several|many)'
const unit = '(?:minute|hour|day|week|weekend|month|year|decade)s?'
const month = source`(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:jan|feb|mar|apr|jun|jul|
  aug|sept?|oct|nov|dec)(?![a-z]))`
const season = '(?:spring|summer|autumn|fall|winter)'
const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)day(?!s)'
const dayPart = '(?: (?:morning|afternoon|evening|night))?'
const ordinal = '\\d{1,2}(?:st|nd|rd|th)'
const dated = source`(?:(?:${ordinal}|\d{1,2})(?: of)? ${month}(?:,? \d{4})?|${month} (?:the )?(?:${ordinal}|\d{1,2})(?:,? \d{4})?|
  \d{4}-\d\d-\d\d|(?:[0-2]?[1-9]|[1-3][01])[./](?:0?[1-9]|1[0-2])[./]\d{2,4})`
const near = '(?:last|next|this|this coming|the coming|the next|the following|the last)'
const prefix = '(?:(?:back |early |late )?(?:on|from|by|since|starting|before|after|around) )?'
const inside = '(?:early |late |mid-?|the (?:beginning|start|middle|end) of |last |next |this |the )'
const clock = "(?: (?:at|around) (?:\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]\\.?m\\.?| o'clock)?|noon|midnight))?"

const phrases = [
  `${prefix}(?:${near} )?(?:${weekday})${dayPart}`,
  `${prefix}(?:${weekday},? )?(?:the )?${dated}${dayPart}`,
  `${prefix}the ${ordinal}`,
  `(?:back |early |late |later )?(?:in|since|from|by|before|after|around|during|starting) ${inside}?(?:${month}(?: \\d{4})?|` +
    `${season}(?: (?:of )?\\d{4})?|(?:19|20)\\d\\d)`,
  `(?:since |from |early |late |later )?${near} (?:week|month|year|weekend|night|morning|afternoon|evening|${season}|${month})`,
  '(?:at|on|over) the weekend',
  `at the (?:beginning|start|middle|end) of (?:${month}(?: \\d{4})?|${season}|(?:the|this|next) (?:week|month|year)|(?:19|20)\\d\\d)`,
  `(?:since |from |starting )?(?:yesterday|today|tomorrow|the day after tomorrow|the day before yesterday)${dayPart}`,
  'tonight',
  `(?<=for )(?:${month}(?: \\d{4})?|${season})`,
  `(?:about |around |over |almost |some )?${number} ${unit} ago`,
  `in (?:about )?${number} ${unit}(?:' time)?`,
].join('|')
const end = source`(?:until|till|through) (?:(?:early |late |mid-?|the (?:beginning|start|middle|end) of )?(?:${near} )?(?:the )?(?:${dated}
  |${weekday}|${month}(?: \d{4})?|${season}|(?:19|20)\d\d|tomorrow|week|month|year|weekend)${dayPart})`
const idle = source`now|currently|right now|at the moment|these days|nowadays|at present|for now|already|too|as well|by the way|btw|
  actually|rn|atm|tbh|ngl|fyi|fwiw|imo|tho|though|honestly|obviously|anyways?|lately|please|thanks|thx|recently|a while ago|at last|
  very much|so much|a lot|myself|so far|since then|for (?:about |over |almost |more than |the (?:last|
  past) )?${number} (?:long )?${unit}(?: now)?`

const atEnd = new RegExp(`(?<= |^)(?:(?<when>(?:${phrases})${clock})|(?<until>${end})|(?<idle>${idle}))$`, 'iu')
const atBeginning = new RegExp(`^(?<when>(?:${phrases})${clock}),? (?=\\S)`, 'iu')
/** A time within a clause. After it only company or purpose may follow, so the clause is read up to it. */
const within = new RegExp(`(?<= )(?<when>(?:${phrases})${clock})(?= (?:with|for|to|together) )`, 'iu')
const alone = new RegExp(`^(?:${phrases})${clock}$`, 'iu')
const day = new RegExp(`^(?:on )?(?:the )?(?<day>${dated}|${ordinal}(?: of ${month})?)$`, 'iu')
const past = /\b(?:ago|last|yesterday|since|back|day before yesterday)\b/iu

/** A clause without the times at its ends, and the places of those times. */
export interface Timed {
  /** The rest of the clause: [from, to). */
  readonly from: number
  readonly to: number
  readonly when?: readonly [from: number, to: number]
  readonly until?: readonly [from: number, to: number]
}

/** Finds the times at the beginning and the end of a clause. Times that follow each other count as one. */
export function clauseTimes(clause: string): Timed {
  let to = clause.length
  let when: readonly [number, number] | undefined
  let until: readonly [number, number] | undefined
  // Four such phrases in a row are more than anybody says.
  for (let left = 4; left > 0; left -= 1) {
    const found = atEnd.exec(clause.slice(0, to))
    if (found === null) break
    if (found.groups?.['when'] !== undefined) when = [found.index, when === undefined ? to : when[1]]
    if (found.groups?.['until'] !== undefined) until = [found.index, to]
    to = found.index
    while (to > 0 && /[ ,]/u.test(clause.charAt(to - 1))) to -= 1
  }
  const inner = when === undefined && until === undefined ? within.exec(clause.slice(0, to)) : null
  if (inner !== null && inner.index > 0) {
    when = [inner.index, inner.index + inner[0].length]
    to = inner.index - 1
  }
  const first = atBeginning.exec(clause.slice(0, to))
  const from = first?.[0].length ?? 0
  if (first !== null && when === undefined) when = [0, first.groups?.['when']?.length ?? 0]
  return { from, to, ...(when === undefined ? {} : { when }), ...(until === undefined ? {} : { until }) }
}

/** Tells whether a clause is nothing but a time. */
export function isTime(clause: string): boolean {
  return clause.length < 60 && alone.test(clause)
}

/** Returns a day of the year or of the month, without the words around it. Undefined where there is none. */
export function dayIn(text: string): string | undefined {
  return text.length < 60 ? day.exec(text)?.groups?.['day'] : undefined
}

/** Tells whether something can be planned for a time: it lies ahead, and by more than hours. */
export function isAhead(phrase: string): boolean {
  return !past.test(phrase) && !/\b(?:today|tonight|this (?:morning|afternoon|evening)|minutes?|hours?)\b/iu.test(phrase)
}
