import { aHoliday, aSeason, fullWeekday } from '../../recall/dates/words.ts'

/** Words of phrases, as sources of patterns. A month is whole: "mar" and "dec" are more often something else. */
export const aWholeMonth = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
/** "Last Fri". "Sun" is left out: "this sun". */
export const aSteppedDay = `(?:${fullWeekday}|mon|tues?|wed|thu(?:rs?)?|fri|sat)`
export const aWholeUnit = '(?:week|weekend|month|year)'
export const aCountedUnit = '(?:day|week|month|year)s?'
export const aStep = '(?:last|next|this(?: past| coming)?)'
export const partOfDay = '(?: (?:morning|afternoon|evening|night))?'
export const aNumber = String.raw`(?:\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a )?couple(?: of)?)`

/** After a bare weekday or month: else it may name a thing. */
export const thenNoName =
  String.raw`(?=\s*(?:[.,;:?!)…–—]|-\s|$)|\s+(?:and|but|or|so|because|that|as|if|while|before|after|when|with|without|at|to|for|from|` +
  String.raw`in|by|on|of|about|i|we|you|he|she|they|it|my|our|your|his|her|their|the|a|an|who|which|where|was|were|is|are|will|` +
  String.raw`had|has|have|did)\b)`

/** Tells whether a text may hold a phrase: most do not. */
export const mayHoldPhrase = new RegExp(
  String.raw`\b(?:yesterday|today|tomorrow|tonight|ago|from now|weekend|before last|on ${fullWeekday}|in ${aNumber} ${aCountedUnit}|` +
    String.raw`${aWholeMonth}|${aStep} (?:night|morning|afternoon|evening|time|${aWholeUnit}|${aSteppedDay}|${aSeason}|${aHoliday}))`,
  'i',
)
