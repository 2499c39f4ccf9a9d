import { dayMs, daysFrom, type LocalRange } from './calendar.ts'

/** Holidays that people date things by, with their days in a year. */
const holidays: readonly { readonly name: string; readonly of: (year: number) => LocalRange }[] = [
  { name: 'christmas eve', of: (year) => daysFrom(Date.UTC(year, 11, 24)) },
  { name: 'christmas day', of: (year) => daysFrom(Date.UTC(year, 11, 25)) },
  { name: 'boxing day', of: (year) => daysFrom(Date.UTC(year, 11, 26)) },
  { name: '(?:christmas|xmas)(?: time)?', of: (year) => daysFrom(Date.UTC(year, 11, 24), 3) },
  { name: "new year['’]?s eve", of: (year) => daysFrom(Date.UTC(year, 11, 31)) },
  { name: "new year['’]?s(?: day)?", of: (year) => daysFrom(Date.UTC(year, 0, 1)) },
  { name: 'holidays', of: (year) => daysFrom(Date.UTC(year, 11, 20), 15) },
  { name: "valentine['’]?s(?: day)?", of: (year) => daysFrom(Date.UTC(year, 1, 14)) },
  { name: 'halloween', of: (year) => daysFrom(Date.UTC(year, 9, 31)) },
  { name: 'thanksgiving', of: (year) => daysFrom(thanksgiving(year)) },
  { name: 'easter(?: weekend)?', of: (year) => daysFrom(easterSunday(year) - 2 * dayMs, 4) },
]

export const holidayNames = holidays.map(({ name }) => name).join('|')

/** Gives the days of a holiday in a year. */
export function holidayOf(said: string, year: number): LocalRange | undefined {
  return holidays.find(({ name }) => new RegExp(`^(?:${name})$`, 'i').test(said))?.of(year)
}

/** The fourth Thursday of November. */
function thanksgiving(year: number): number {
  const first = Date.UTC(year, 10, 1)
  return first + (((4 - new Date(first).getUTCDay() + 7) % 7) + 21) * dayMs
}

/** Easter Sunday of the western churches: the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
function easterSunday(year: number): number {
  const [golden, century, ofCentury] = [year % 19, Math.floor(year / 100), year % 100]
  const leaps = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - leaps + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * shift + 114
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1)
}
