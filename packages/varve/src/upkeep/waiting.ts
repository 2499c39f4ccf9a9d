import { settleMs } from '../bank/settled.ts'
import type { DueBounds, NotDue } from '../storage/derived/reading.ts'

/** So many new messages make a session due before it is settled. */
const newMessagesDue = 20

/** Sessions with messages that were not read, and are not due: something was recorded in them in the last 10 minutes. */
export interface WaitingSessions {
  readonly sessions: number
  /** When all of them will be due, if nothing more is said in them: UTC milliseconds. Absent where there are none. */
  readonly until?: number
}

/**
 * How far a turn goes. By itself it reads sessions in which nothing was recorded for a while. Who asks for it has old
 * talk read too that was never read, once, however late it came; and, with `all`, everything that was recorded when
 * the turn began.
 */
export type Reach = 'background' | 'asked' | 'all'

/** What makes a session due. What is recorded after a turn for `all` began waits: else live talk would be read at each message. */
export function dueBounds(reach: Reach, now: number, begunAt: number, layers: number): DueBounds {
  const settled = now - settleMs
  return {
    now,
    settledBefore: reach === 'all' ? begunAt : settled,
    saidBefore: reach === 'background' ? Number.MIN_SAFE_INTEGER : settled,
    newMessages: newMessagesDue,
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
