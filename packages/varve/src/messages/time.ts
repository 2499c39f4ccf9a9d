import { shown } from '../errors/shown.ts'

/** A time: Date, ISO 8601 with an offset (or a bare UTC day), or UTC milliseconds. */
export type Time = Date | string | number

/** The most by which a message's time may be ahead of the store's clock. */
export const maxAheadMs = 24 * 60 * 60 * 1000

/** The earliest time of a message: days before it have no name of four digits. */
export const earliestMs = Date.parse('0001-01-02T00:00:00Z')

// An offset is required: without one the same text means another moment on every machine.
const isoWithZone = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/

/**
 * Gives UTC milliseconds of a Date, an ISO 8601 text with its offset (a bare day is UTC), or UTC milliseconds; `now`
 * when absent.
 */
export function timeOf(received: unknown, now: number, refuse: (field: string, reason: string) => never): number {
  if (received === undefined) return now
  const time = milliseconds(received)
  if (time === undefined) return refuse('at', `must be a Date, ISO 8601 with an offset, or UTC milliseconds, received ${shown(received)}`)
  if (time < earliestMs) return refuse('at', `is before the year 1: ${new Date(time).toISOString()}`)
  if (time > now + maxAheadMs) return refuse('at', `is more than a day ahead of the clock: ${new Date(time).toISOString()}`)
  return time
}

/** Gives UTC milliseconds without a bound on the future; undefined for a value that is no time. */
export function milliseconds(received: unknown): number | undefined {
  if (typeof received === 'string' && !isoWithZone.test(received)) return undefined
  if (typeof received !== 'string' && typeof received !== 'number' && !(received instanceof Date)) return undefined
  if (typeof received === 'string' && !isDay(received)) return undefined
  const time = Math.trunc(new Date(received).getTime())
  return Number.isFinite(time) ? time : undefined
}

/** Tells whether a day exists: Date takes 30 February for 2 March. */
function isDay(received: string): boolean {
  const [year = 0, month = 0, day = 0] = received.slice(0, 10).split('-').map(Number)
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}
