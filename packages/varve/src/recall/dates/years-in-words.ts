import { aCount, countOf, aHalf, aHoliday, aMonth, aQuarter, aSeason } from './words.ts'

/** A part of a year that stands beside the year: "May of last year", "last year in spring". */
const ofYear = String.raw`(?<name>\b(?:${aMonth}|${aSeason}|${aQuarter}|${aHalf}|${aHoliday}))`
const before = new RegExp(String.raw`${ofYear},? (?:of |in )?(?:(?<step>last|this) year|(?<count>${aCount}) years? ago)\b`, 'gi')
const after = new RegExp(String.raw`\b(?<step>last|this) year,? (?:in|at|on|during|around|over) (?:the )?${ofYear}\b`, 'gi')

interface Groups {
  readonly name?: string
  readonly step?: string
  readonly count?: string
}

/** Writes a year in words in figures. Of "May of last year" the parser would read two times. */
export function withYears(text: string, present: number): string {
  const dated = ({ name = '', step, count: years }: Groups): string =>
    `${name} ${present - (years === undefined ? Number(step?.toLowerCase() === 'last') : countOf(years))}`
  return text.replace(before, (...found) => dated(groupsOf(found))).replace(after, (...found) => `in ${dated(groupsOf(found))}`)
}

/** Gives the named groups, which come last. */
function groupsOf(found: readonly unknown[]): Groups {
  return Object(found.at(-1))
}
