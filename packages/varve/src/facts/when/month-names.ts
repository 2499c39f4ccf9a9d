import { dateOf, dayOf, everyYear, meant, monthOf, type SaidMoment, type TimeSpan, yearOf } from './said.ts'

/** The names of the months by language, in lower case, alone and beside a day. */
const known = new Map<string, ReadonlyMap<string, number>>()

const yearAlone =
  /^(?:year |jahr |jahre |année |l'année |an |l'an |año |ano |anno |jaar |år |året )?(\d{4})(?: ?(?:год[ау]?|году|г\.?|рік|року|році|年))?$/
const yearAndMonth = /^(?:(\d{4})年)?(\d{1,2})月(?:に|から|まで|の)?$/
const monthAlone = new RegExp(
  String.raw`^(?:(?<day>\d{1,2})(?:\.|º|er|-?го|e|:?a|st|nd|rd|th)? (?:de |of ` +
    String.raw`)?)?(?<name>\p{L}[\p{L}\p{M}]*)\.?(?:,? (?:de |del |of )?(?<year>\d{4})(?: (?:года|року|г\.?))?)?$`,
  'u',
)

/** In English alone. */
const monthFirst = /^(?<name>[a-z]+)\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?$/

/** Reads a year, a month or a day of one, in any language whose months are known: "2019", "Mai 2023", "3 juni", "5月". */
export function namedTime(text: string, language: string, said: SaidMoment): TimeSpan | undefined {
  const year = yearAlone.exec(text)?.[1]
  if (year !== undefined) return yearOf(Number(year), said)
  const [, asianYear, asianMonth] = yearAndMonth.exec(text) ?? []
  if (asianMonth !== undefined)
    return inYears({ month: Number(asianMonth), ...(asianYear === undefined ? {} : { year: Number(asianYear) }) }, said)
  const { day, name = '', year: ofYear } = (monthAlone.exec(text) ?? (language === 'en' ? monthFirst.exec(text) : null))?.groups ?? {}
  const month = monthsOf(language).get(name)
  if (month === undefined) return undefined
  return inYears(
    { month, ...(day === undefined ? {} : { day: Number(day) }), ...(ofYear === undefined ? {} : { year: Number(ofYear) }) },
    said,
  )
}

/** Gives a month, or a day of it, in the said year, or else in the year that the tense means. */
export function inYears(
  { year, month, day }: { readonly year?: number; readonly month: number; readonly day?: number },
  said: SaidMoment,
): TimeSpan | undefined {
  const of = (each: number): TimeSpan | undefined => {
    const date = dateOf(each, month, day ?? 1)
    return date === undefined ? undefined : day === undefined ? monthOf(date, said) : dayOf(date, said)
  }
  return year === undefined ? meant(everyYear(said, of), said, day === undefined ? 'begun' : 'nearest') : of(year)
}

function monthsOf(language: string): ReadonlyMap<string, number> {
  const found = known.get(language)
  if (found !== undefined) return found
  const names = new Map<string, number>()
  for (const style of [{ month: 'long' }, { month: 'short' }, { month: 'long', day: 'numeric' }] as const) {
    const format = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' })
    for (let month = 1; month <= 12; month += 1) {
      const name = format.formatToParts(Date.UTC(2024, month - 1, 1)).find(({ type }) => type === 'month')?.value
      if (name !== undefined && /^\p{L}/u.test(name)) names.set(name.toLowerCase().replace(/\.$/, ''), month)
    }
  }
  known.set(language, names)
  return names
}
