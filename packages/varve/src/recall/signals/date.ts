import type { DateRange, YearlyDate } from '../asked-dates.ts'
import type { OwnSignalInput, Part } from '../part.ts'
import { dayInWords } from './session.ts'

const dayMs = 86_400_000

/** An event is told some days before it, and for some weeks after. */
const daysBefore = 7
const daysAfter = 21

/** On a day of any year: so many days from it count in full, the rest of its month half. */
const nearDays = 3

/**
 * Gives 1 to messages of the time that the question says. It falls to 0 over the week before and the three weeks after.
 * Silent when the question says no time.
 */
export function date({ segment, question, candidates }: OwnSignalInput): Part | undefined {
  const { ranges, yearly } = question.dates
  if (ranges.length === 0 && yearly.length === 0) return undefined
  const { saidAt } = segment
  const values = new Float32Array(candidates.length)
  for (const range of ranges)
    for (let at = 0; at < values.length; at += 1) values[at] = Math.max(values[at] ?? 0, inRange(saidAt[candidates[at] ?? 0] ?? 0, range))
  for (const one of yearly)
    for (let at = 0; at < values.length; at += 1)
      values[at] = Math.max(values[at] ?? 0, inYear((saidAt[candidates[at] ?? 0] ?? 0) + question.clockOffset, one))
  return {
    name: 'date',
    values,
    kind: 'is',
    text: (doc) => `said on ${dayInWords((segment.saidAt[doc] ?? 0) + question.clockOffset)}, near the time you asked about`,
  }
}

function inRange(at: number, { from, to }: DateRange): number {
  const days = at < from ? (from - at) / dayMs / daysBefore : at >= to ? (at - to) / dayMs / daysAfter : 0
  return Math.max(0, 1 - days)
}

function inYear(at: number, { month, day }: YearlyDate): number {
  const said = new Date(at)
  if (said.getUTCMonth() !== month) return 0
  return day === undefined || Math.abs(said.getUTCDate() - day) <= nearDays ? 1 : 0.5
}
