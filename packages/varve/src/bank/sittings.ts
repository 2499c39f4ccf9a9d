import { localDay, periodEnd } from './periods.ts'
import { settleMs } from './settled.ts'

/** When a message was said: UTC milliseconds. */
export interface TimedMessage {
  readonly seq: number
  readonly at: number
}

/** The message before the first one that is asked about: the day of its sitting, and when it was said. */
export interface SittingBefore {
  readonly day: string
  readonly lastAt: number
}

/**
 * The day of the sitting of each message of one session, given in the order of seq. A sitting is the messages of one
 * local day. A run across midnight (each message less than 10 minutes after the one before) belongs to its first day, at
 * most to the end of the following one, so that an endless conversation moves on. A message said earlier than the one
 * before belongs to its own day. The days are the same when a session is asked about in pieces.
 */
export function sittingsOf(messages: readonly TimedMessage[], before: SittingBefore | undefined, timeZone: string): string[] {
  let last = before
  return messages.map(({ at }) => {
    const own = localDay(at, timeZone)
    const day = last !== undefined && continues(last, at, own, timeZone) ? last.day : own
    last = { day, lastAt: at }
    return day
  })
}

function continues({ day, lastAt }: SittingBefore, at: number, own: string, timeZone: string): boolean {
  if (at < lastAt || at - lastAt >= settleMs) return false
  return own === day || own === localDay(periodEnd('day', day, timeZone), timeZone)
}
