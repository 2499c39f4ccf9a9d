import { dayMs, daysFrom, type LocalRange } from './calendar.ts'

interface Holiday {
  readonly name: string
  readonly of: (year: number) => LocalRange
}

const on = (name: string, month: number, date: number): Holiday => ({ name, of: (year) => daysFrom(Date.UTC(year, month - 1, date)) })

/** A holiday on a weekday of a month (0 for Sunday), counted from its begin; -1 is the last. People say its weekend too. */
const onWeekday = (name: string, month: number, weekday: number, place: number): readonly Holiday[] => {
  const of = (year: number): number => weekdayOf(year, month - 1, weekday, place)
  return [
    { name, of: (year) => daysFrom(of(year)) },
    { name: `${name} weekend`, of: (year) => (weekday === 1 ? daysFrom(of(year) - 2 * dayMs, 3) : daysFrom(of(year), 8 - weekday)) },
  ]
}

/** Holidays that people date things by, with their days in a year. Those whose day differs by country have none. */
const holidays: readonly Holiday[] = [
  on('(?:christmas|xmas) eve', 12, 24),
  on('(?:christmas|xmas) day', 12, 25),
  on('boxing day', 12, 26),
  { name: '(?:christmas|xmas)(?: time)?', of: (year) => daysFrom(Date.UTC(year, 11, 24), 3) },
  on("(?:new year['’]?s eve|nye|hogmanay)", 12, 31),
  on("new year['’]?s?(?: day)?", 1, 1),
  { name: 'holidays', of: (year) => daysFrom(Date.UTC(year, 11, 20), 15) },
  on("valentine['’]?s?(?: day)?", 2, 14),
  on("(?:st|saint)\\.? pat(?:rick|dy)['’]?s(?: day)?|paddy['’]?s day", 3, 17),
  on("(?:st|saint)\\.? george['’]?s day", 4, 23),
  on("(?:st|saint)\\.? andrew['’]?s day", 11, 30),
  on("april fool['’]?s(?:['’])?(?: day)?", 4, 1),
  on('anzac day', 4, 25),
  on('australia day', 1, 26),
  on('waitangi day', 2, 6),
  on('canada day', 7, 1),
  on('juneteenth', 6, 19),
  on('burns night', 1, 25),
  on('(?:bonfire|guy fawkes) night', 11, 5),
  on('(?:veterans|remembrance|armistice) day', 11, 11),
  on("hall?owe['’]?en", 10, 31),
  ...onWeekday('memorial day', 5, 1, -1),
  ...onWeekday('labor day', 9, 1, 1),
  ...onWeekday('columbus day', 10, 1, 2),
  ...onWeekday("president['’]?s['’]? day", 2, 1, 3),
  ...onWeekday('(?:mlk|martin luther king) day', 1, 1, 3),
  ...onWeekday('thanksgiving(?: day)?', 11, 4, 4),
  { name: 'black friday', of: (year) => daysFrom(weekdayOf(year, 10, 4, 4) + dayMs) },
  { name: 'cyber monday', of: (year) => daysFrom(weekdayOf(year, 10, 4, 4) + 4 * dayMs) },
  { name: '(?:pancake day|shrove tuesday)', of: (year) => daysFrom(easterSunday(year) - 47 * dayMs) },
  { name: 'ash wednesday', of: (year) => daysFrom(easterSunday(year) - 46 * dayMs) },
  { name: 'good friday', of: (year) => daysFrom(easterSunday(year) - 2 * dayMs) },
  { name: 'easter sunday', of: (year) => daysFrom(easterSunday(year)) },
  { name: 'easter monday', of: (year) => daysFrom(easterSunday(year) + dayMs) },
  { name: 'easter(?: weekend)?', of: (year) => daysFrom(easterSunday(year) - 2 * dayMs, 4) },
]

/** The longest first: a rule takes the first that it finds. */
export const holidayNames = holidays
  .map(({ name }) => name)
  .toSorted((a, b) => b.length - a.length)
  .join('|')

/** Gives the days of a holiday in a year. */
export function holidayOf(said: string, year: number): LocalRange | undefined {
  return holidays.find(({ name }) => new RegExp(`^(?:${name})$`, 'i').test(said))?.of(year)
}

/** Gives a weekday (0 for Sunday) of a month (0 for January), such as the fourth Thursday; place -1 is the last one. */
function weekdayOf(year: number, month: number, weekday: number, place: number): number {
  const first = Date.UTC(year, place < 0 ? month + 1 : month, 1)
  return first + (((weekday - new Date(first).getUTCDay() + 7) % 7) + 7 * (place < 0 ? place : place - 1)) * dayMs
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
