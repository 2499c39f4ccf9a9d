import { dateParser } from '../../index/date-parser.ts'
import { componentsTime } from './components.ts'
import { isUnsaid } from './phrase.ts'
import type { SaidMoment, TimeSpan } from './said.ts'

/** Words that say last or next beside a weekday or a month. */
const last = new RegExp(
  String.raw`(?<!\p{L})(?:last|past|previous|letzte[mnrs]?|vorige[mnrs]?|vergangene[mnrs]?|derni(?:er|ère)|` +
    String.raw`passée?|pasad[oa]|passad[oa]|scors[oa]|afgelopen|прошл\p{L}*|минул\p{L}*|förra)(?!\p{L})`,
  'u',
)
const next = new RegExp(
  String.raw`(?<!\p{L})(?:next|nächste[mnrs]?|kommende[mnrs]?|prochaine?|próxim[oa]|prossim[oa]|volgende?|` +
    String.raw`komende?|следующ\p{L}*|наступн\p{L}*|nästa)(?!\p{L})`,
  'u',
)

/** Reads a time by the parser of a language, if the whole phrase is that time. */
export function parsedTime(text: string, language: string, said: SaidMoment): TimeSpan | undefined {
  // At noon no machine's clock is put forward or back, and the parser reckons with the machine's own.
  const noon = Date.UTC(said.today.year, said.today.month - 1, said.today.day, 12)
  const [result, second] = dateParser(language).parse(text, { instant: new Date(noon), timezone: 0 })
  if (result === undefined || second !== undefined) return undefined
  if (!isUnsaid(text.replace(result.text, ' ').replace(last, ' ').replace(next, ' '))) return undefined
  const isPlaced = last.test(result.text) || next.test(result.text)
  const tense = last.test(text) ? 'past' : next.test(text) ? 'future' : said.tense
  return componentsTime(result, { noon, isPlaced }, { ...said, tense })
}
