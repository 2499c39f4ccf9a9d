import { isMisspelt } from '../misspelt.ts'
import { aMonth } from './words.ts'

/** Long enough that one wrong letter makes no other word: "friday" is near Frida, and "march" near much. */
const longWords = [
  'yesterday',
  'tuesday',
  'wednesday',
  'thursday',
  'saturday',
  'january',
  'february',
  'september',
  'october',
  'november',
  'december',
] as const

/** Short ways of writing, and misspellings by more than one letter. */
const otherWays: Readonly<Record<string, string>> = {
  yest: 'yesterday',
  yday: 'yesterday',
  ystrday: 'yesterday',
  ystday: 'yesterday',
  wensday: 'wednesday',
  wendsday: 'wednesday',
  weds: 'wednesday',
  feburary: 'february',
  yr: 'year',
  yrs: 'years',
  mth: 'month',
  mths: 'months',
  mnth: 'month',
  mnths: 'months',
  wk: 'week',
  wks: 'weeks',
  wkend: 'weekend',
}

const ordinals = [
  ...['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth', 'eleventh', 'twelfth'],
  ...['thirteenth', 'fourteenth', 'fifteenth', 'sixteenth', 'seventeenth', 'eighteenth', 'nineteenth', 'twentieth'],
  ...['twenty-first', 'twenty-second', 'twenty-third', 'twenty-fourth', 'twenty-fifth', 'twenty-sixth', 'twenty-seventh'],
  ...['twenty-eighth', 'twenty-ninth', 'thirtieth', 'thirty-first'],
]
const anOrdinal = `(?:${ordinals.toReversed().join('|').replaceAll('-', '[ -]')})`
const beforeMonth = new RegExp(String.raw`\b(?<day>${anOrdinal})(?= (?:of )?${aMonth}\b)`, 'gi')
const afterMonth = new RegExp(String.raw`\b(?<month>${aMonth}) the (?<day>${anOrdinal})\b(?! (?:week|half|part|day|time)\b)`, 'gi')

/** Writes English words of time as the rules know them: "on wensday", "septmber", "june the twenty first". */
export function respelled(text: string): string {
  return text
    .replace(/[a-z]{2,}/gi, (word) => wordOf(word.toLowerCase()) ?? word)
    .replace(beforeMonth, (said) => numberOf(said))
    .replace(afterMonth, (_, month: string, day: string) => `${month} ${numberOf(day)}`)
}

function wordOf(word: string): string | undefined {
  const other = Object.hasOwn(otherWays, word) ? otherWays[word] : undefined
  return other ?? longWords.find((long) => long !== word && `${long}s` !== word && isMisspelt(word, long))
}

function numberOf(said: string): string {
  return `${ordinals.indexOf(said.toLowerCase().replace(' ', '-')) + 1}th`
}
