import * as chrono from 'chrono-node'

/** A stretch of time that a question speaks of: UTC milliseconds, [from, to). */
export interface DateRange {
  readonly from: number
  readonly to: number
}

/** A month of no year in particular (0 to 11), perhaps with a day. */
export interface YearlyDate {
  readonly month: number
  readonly day: number | undefined
}

export interface AskedDates {
  readonly ranges: readonly DateRange[]
  /** Empty when a range is said: "in May" beside a year means that May. */
  readonly yearly: readonly YearlyDate[]
}

type Parser = Pick<typeof chrono.en, 'parse'>
const parsers: Readonly<Record<string, Parser>> = {
  en: chrono.en, de: chrono.de, fr: chrono.fr, es: chrono.es, it: chrono.it, pt: chrono.pt, nl: chrono.nl, ja: chrono.ja, ru: chrono.ru, uk: chrono.uk, sv: chrono.sv,
  zh: chrono.zh,
}

const none: AskedDates = { ranges: [], yearly: [] }
const bareYear = /\b(?:19|20)\d\d\b/g
/** "Now" and "today" are said of anything; only a date tells of when. */
const aboutNow = /^(?:now|today|right now|heute|jetzt)$/i

/** How much of a question is read for dates, in UTF-16 code units. */
const mostRead = 500

/** The dates that a question says, in the language of the talk or in English; reckoned from `now` where it says "yesterday". Days and years are UTC's. */
export function askedDates(question: string, languages: readonly string[], now: number): AskedDates {
  const text = question.slice(0, mostRead)
  const parser = languages.map((language) => parsers[language]).find((known) => known !== undefined) ?? chrono.en
  const said = (parser === chrono.en ? [parser] : [parser, chrono.en]).flatMap((one) => one.parse(text, { instant: new Date(now), timezone: 0 }))
  const ranges: DateRange[] = []
  const yearly: YearlyDate[] = []
  for (const { start, text: words } of said) {
    if (aboutNow.test(words)) continue
    const date = start.date()
    const month = start.isCertain('month') ? (start.get('month') ?? 1) - 1 : undefined
    const day = start.isCertain('day') ? start.get('day') ?? undefined : undefined
    if (month === undefined) continue
    if (start.isCertain('year')) ranges.push(rangeOf(start.get('year') ?? date.getUTCFullYear(), month, day))
    else yearly.push({ month, day })
  }
  const rest = said.reduce((left, { text: words }) => left.replace(words, ' '), text)
  for (const [year] of rest.matchAll(bareYear)) ranges.push({ from: Date.UTC(Number(year), 0), to: Date.UTC(Number(year) + 1, 0) })
  return ranges.length > 0 ? { ranges, yearly: [] } : yearly.length > 0 ? { ranges, yearly } : none
}

function rangeOf(year: number, month: number, day: number | undefined): DateRange {
  return day === undefined ? { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) } : { from: Date.UTC(year, month, day), to: Date.UTC(year, month, day + 1) }
}
