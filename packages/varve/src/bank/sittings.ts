import { localDay, periodEnd } from './periods.ts'
import { settleMs } from './settled.ts'

/** A message with the time at which it was said: UTC milliseconds. */
export interface TimedMessage {
  readonly seq: number
  readonly at: number
}

/** The message before the first one of a call: the day of its sitting, and its time. */
export interface SittingBefore {
  readonly day: string
  readonly lastAt: number
}

/**
 * Gives the day of the sitting of each message of one session, in the order of seq. A sitting is the messages of one
 * local day. A run across midnight (each message less than `runMs` after the one before; 10 minutes by default) belongs to its first day.
 * It ends at the latest with the following day, so that an endless conversation moves on. A message said earlier than
 * the one before belongs to its own day. The days are the same when a session is read in pieces.
 */
export function sittingsOf(
  messages: readonly TimedMessage[],
  before: SittingBefore | undefined,
  timeZone: string,
  runMs = settleMs,
): string[] {
  let last = before
  return messages.map(({ at }) => {
    const own = localDay(at, timeZone)
    const day = last !== undefined && continues(last, at, own, { timeZone, runMs }) ? last.day : own
    last = { day, lastAt: at }
    return day
  })
}

function continues(
  { day, lastAt }: SittingBefore,
  at: number,
  own: string,
  { timeZone, runMs }: { readonly timeZone: string; readonly runMs: number },
): boolean {
  if (at < lastAt || at - lastAt >= runMs) return false
  return own === day || own === localDay(periodEnd('day', day, timeZone), timeZone)
}
