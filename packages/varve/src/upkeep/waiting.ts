import { settleMs } from '../bank/settled.ts'
import { newMessagesDue } from '../storage/settling.ts'
import type { DueBounds, NotDue } from '../storage/derived/reading.ts'

/** Unread sessions that are not due, since something was recorded in them a short while ago. */
export interface WaitingSessions {
  readonly sessions: number
  /** The time at which all of them will be due, if nothing more is said in them: UTC milliseconds. Absent when there are none. */
  readonly until?: number
}

/**
 * The reach of a turn. `background` reads sessions in which nothing was recorded for a while. `asked` also reads, once,
 * old talk that was never read, however late it came. `all` reads everything that was recorded when the turn began.
 */
export type Reach = 'background' | 'asked' | 'all'

/**
 * Gives the bounds that make a session due. A turn for `all` leaves messages that came after its begin: else live talk
 * would be read at each message.
 */
export function dueBounds(reach: Reach, now: number, begunAt: number, layers: number): DueBounds {
  const settled = now - settleMs
  return {
    now,
    settledBefore: reach === 'all' ? begunAt : settled,
    saidBefore: reach === 'background' ? Number.MIN_SAFE_INTEGER : settled,
    settles: reach === 'all' ? 0 : 1,
    newMessages: newMessagesDue.usual,
    layers,
  }
}

export function waitingOf({ sessions, newest }: NotDue): WaitingSessions {
  return newest === undefined ? { sessions } : { sessions, until: newest + settleMs }
}

export function allWaiting(one: WaitingSessions, other: WaitingSessions): WaitingSessions {
  const until = Math.max(one.until ?? 0, other.until ?? 0)
  return { sessions: one.sessions + other.sessions, ...(until === 0 ? {} : { until }) }
}
