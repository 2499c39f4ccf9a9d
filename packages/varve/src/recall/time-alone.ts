import { datesAndRest, type DateRange } from './asked-dates.ts'
import type { AskedCalendar } from './calendar.ts'

/** Words that ask for whatever was said. A question of these and a time names no matter. */
const asking: ReadonlySet<string> = new Set(
  (
    "what what's whats which did do does done was were we i you me my our us they have has had been be is are it say said saying tell " +
    'told telling talk talked talking speak spoke speaking chat chatted about discuss discussed discussing mention mentioned write wrote ' +
    'happen happened happening going go on up to in at the of a an and around during over that this all any anything everything ' +
    'something things stuff else please remind show list give recall remember conversation conversations messages sessions back'
  ).split(' '),
)

/** Returns the time of a question that asks for nothing else: "what did we talk about last spring?" English. */
export function timeAlone(question: string, calendar: AskedCalendar): DateRange | undefined {
  const { ranges, rest } = datesAndRest(question, [], calendar)
  const [range, second] = ranges
  if (range === undefined || second !== undefined) return undefined
  const words = rest.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []
  return words.every((word) => asking.has(word) || /^\d{4}$/.test(word)) ? range : undefined
}
