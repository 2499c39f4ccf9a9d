import { aWholeMonth } from './phrase-words.ts'

const aMonthName = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const aDayOfMonth = String.raw`(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ${aMonthName}|${aMonthName} \d{1,2}(?:st|nd|rd|th)?)`
const aDate = String.raw`(?:${aDayOfMonth}|${aMonthName}(?:,? \d|\s*[.,;)]|$)|(?:19|20)\d\d\b|\d+/\d)`
/** "Yesterday (6 May 2023)", "next Friday, 12 May", "today is May 7". */
const dateBehind = new RegExp(
  String.raw`^(?: ?\([^)]*\d|(?:,| ?[–(-]| is| was|'s)? ?(?:(?:on|in|the|week of|about) )*(?:[a-z]+day,? )?${aDate})`,
  'i',
)
/** "6 May 2023, yesterday", and a plan's line: "March 22: next week". */
const dateBefore = new RegExp(String.raw`\d{4}(?:, | ?\()$|${aDayOfMonth}(?:,? \d{4})?\s*[:–—-]\s*$`, 'i')
const sentenceBegins = /(?:^|[.!?:;,…—–([{*-] ?)$/
/** Words of times that always have a capital letter. */
const alwaysCapital = new RegExp(String.raw`^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|${aWholeMonth})\b`, 'i')
const seasonName = /^(?:Spring|Summer|Autumn|Fall|Winter)\b/
const holidayName = /^(?:Christmas|Xmas|Easter|Thanksgiving|Hall?owe|New|Valentine|Boxing|Black|Good|Memorial|Labor)/

const quoted = /“[^”]*”|"[^"]*"|«[^»]*»|`[^`]*`|‘[^’]*’(?!\w)/g
/** A quotation that goes on beyond the text, or began before it. */
const openQuote = /(?<![\w.,!?)])["“][^"”]*$/
const closedQuote = /^[^"“]*(?<=[\w.,!?)])["”](?!\w)/

/** Writes blanks in the place of words between quotation marks: they were said by another, or at another time. */
export function withoutQuotes(text: string): string {
  return [quoted, openQuote, closedQuote].reduce((rest, marks) => rest.replace(marks, (words) => ' '.repeat(words.length)), text)
}

/** Tells whether a phrase is a time without its date: no title, and no date beside it. */
export function isOpenTime(text: string, start: number, end: number): boolean {
  const words = text.slice(start, end)
  if (/\b(?:may|march)\b/.test(words) || dateBehind.test(text.slice(end)) || dateBefore.test(text.slice(0, start))) return false
  const [first = '', ...others] = words.split(' ')
  if (holidayName.test(others[0] ?? '')) return true
  if (others.some((word) => isTitled(word) && (isTitled(first) || !seasonName.test(word)))) return false
  return !isTitled(first) || sentenceBegins.test(text.slice(0, start))
}

/** "The film Last Summer" is a title. */
function isTitled(word: string): boolean {
  return /^\p{Lu}/u.test(word) && !alwaysCapital.test(word)
}

export function isInParentheses(text: string, place: number): boolean {
  const before = text.slice(0, place)
  return before.lastIndexOf('(') > before.lastIndexOf(')')
}
