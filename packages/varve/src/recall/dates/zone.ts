import { growingCache } from '../../caches/growing-cache.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** The most zones whose formatter is kept. */
const mostZones = 32
const formats = growingCache<string, Intl.DateTimeFormat>(mostZones)

/**
 * Gives the milliseconds by which the clocks of a zone are ahead of UTC. By Intl: the Temporal polyfill takes 50 ms and 6
 * MB to load, which a process that only recalls should not pay.
 */
export function offsetAt(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes, seconds = '0'] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0) + Number(seconds) / 60) * minuteMs
}

/** Gives the moment at which the clocks of a zone show a time. The time is written as if the zone were UTC. */
export function momentOf(local: number, timeZone: string): number {
  const near = local - offsetAt(local, timeZone)
  const found = local - offsetAt(near, timeZone)
  // Where clocks are put forward over the time, the moment of the change: both offsets are a day's at most.
  return Math.abs(found - near) > dayMs ? near : found
}
