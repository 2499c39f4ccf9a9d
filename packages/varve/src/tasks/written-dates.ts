/** A date as a text writes it: of a day, a month or a year. Its place in the text is [begin, end). */
export interface WrittenDate {
  readonly begin: number
  readonly end: number
  readonly year?: number
  /** 1 for January. */
  readonly month?: number
  readonly day?: number
  /** The month as it is written. */
  readonly name?: string
}

/** The languages whose names of months are read. */
const languages = ['en', 'de', 'fr', 'es'] as const

/** Made when the first text is read: that takes some milliseconds. */
let known: { readonly months: ReadonlyMap<string, number>; readonly patterns: readonly RegExp[] } | undefined

function monthsKnown(): NonNullable<typeof known> {
  if (known !== undefined) return known
  const months = new Map<string, number>()
  for (const language of languages) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' })
      for (let at = 0; at < 12; at += 1) {
        const name = format
          .format(Date.UTC(2024, at, 1))
          .toLowerCase()
          .replace('.', '')
        if (/^\p{L}{3,}$/u.test(name)) months.set(name, at + 1)
      }
    }
  }
  months.set('sept', 9)
  return (known = { months, patterns: patternsOf([...months.keys()].toSorted((a, b) => b.length - a.length).join('|')) })
}

function patternsOf(names: string): readonly RegExp[] {
  const month = String.raw`(?<name>${names})\.?(?!\p{L})`
  const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|º|er|\.)?`
  const year = String.raw`(?<year>(?:19|20)\d{2})(?![\d.,]\d|\d)`
  return [
    String.raw`${year.replace('(?![', '(?!-?w\\d)(?![')}-(?<month>\d{2})(?:-(?<day>\d{2}))?(?![\d-])`,
    String.raw`${day}[ \u00a0](?:of |de )?${month}(?:,? (?:de |del |of )?${year})?`,
    String.raw`${month} (?:the )?${day}(?![\d:]|[.,]\d)(?:,? ${year})?`,
    String.raw`${month},? (?:of |de |del )?${year}`,
    String.raw`(?:in|since|of|during|from|until|till|by|to|around|early|late|mid|before|after|im|jahr|seit|en|depuis|desde|` +
      String.raw`spring|summer|autumn|fall|winter|year),? ${year}`,
  ].map((pattern) => new RegExp(String.raw`(?<![\p{L}\d-])(?:${pattern})`, 'giu'))
}

/** Finds the dates of a text. */
export function writtenDates(text: string): WrittenDate[] {
  if (!/\d/.test(text)) return []
  const { months, patterns } = monthsKnown()
  const found: WrittenDate[] = []
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      const [begin, end] = [match.index, match.index + match[0].length]
      if (found.some((one) => begin < one.end && one.begin < end)) continue
      const { year, month = '', day, name = '' } = match.groups ?? {}
      const number = month === '' ? months.get(name.toLowerCase()) : Number(month)
      found.push({
        ...{ begin, end },
        ...(year === undefined ? {} : { year: Number(year) }),
        ...(number === undefined ? {} : { month: number }),
        ...(name === '' ? {} : { name }),
        ...(day === undefined ? {} : { day: Number(day) }),
      })
    }
  }
  return found
}

/** Gives a text with blanks in the place of some dates. */
export function withoutDates(text: string, dates: readonly WrittenDate[]): string {
  return dates.reduce((rest, { begin, end }) => rest.slice(0, begin) + ' '.repeat(end - begin) + rest.slice(end), text)
}

/** Tells whether a date is that of a time, [from, to): its day, or the first of several; its month or year at either end. */
export function isDateOf({ year, month, day }: WrittenDate, { from, to }: { readonly from: number; readonly to: number }): boolean {
  const [first, last] = [new Date(from), new Date(to - 1)]
  const isOf = (date: Date): boolean =>
    (year === undefined || year === date.getUTCFullYear()) && (month === undefined || month === date.getUTCMonth() + 1)
  return day === undefined ? isOf(first) || isOf(last) : isOf(first) && day === first.getUTCDate()
}
