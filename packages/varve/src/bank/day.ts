import { Temporal } from 'temporal-polyfill'

/** The local day around a moment: UTC milliseconds, the end exclusive. */
export function dayAround(at: number, timeZone: string): { from: number; to: number } {
  const start = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).startOfDay()
  return { from: start.epochMilliseconds, to: start.add({ days: 1 }).startOfDay().epochMilliseconds }
}
