import type { Segment } from '../index/segment.ts'
import { reach } from '../index/windows.ts'

/** The columns of a segment that tell whether a message may be found. */
type Said = Pick<Segment, 'next' | 'previous' | 'saidAt' | 'sessions'>

/** The choice of messages that may be found, and the way age counts. Sessions are numbers of the store. */
export interface Wanted {
  readonly session: number | undefined
  readonly excludeSession: number | undefined
  /** Of the session that is left out, only what was said from this time on is. Default: all of it. */
  readonly excludeSince?: number | undefined
  readonly from: number
  readonly to: number
  readonly halfLifeDays: number | undefined
  readonly now: number
}

const dayMs = 86_400_000

/** Gives the part of its score that a message keeps at its age. */
export function decayOf(saidAt: number, { halfLifeDays, now }: Pick<Wanted, 'halfLifeDays' | 'now'>): number {
  return halfLifeDays === undefined ? 1 : 0.5 ** (Math.max(0, now - saidAt) / dayMs / halfLifeDays)
}

/** Tells whether every message may be found. */
export function isUnfiltered({ session, excludeSession, from, to }: Wanted): boolean {
  return session === undefined && excludeSession === undefined && !Number.isFinite(from) && !Number.isFinite(to)
}

/**
 * Tells whether a message may lead: it may be found itself, or it says a word and one near it may be found. Its
 * neighbour may be of another time, but never of another session.
 */
export function mayLead(segment: Said, doc: number, says: boolean, wanted: Wanted): boolean {
  if (!isInSession(segment, doc, wanted)) return false
  return isInTime(segment, doc, wanted) || (says && isNearTime(segment, doc, wanted))
}

function isNearTime(segment: Said, doc: number, wanted: Wanted): boolean {
  return [segment.next, segment.previous].some((column) => {
    let other = column[doc] ?? -1
    for (let step = 0; step < reach && other >= 0; step += 1) {
      if (isInTime(segment, other, wanted)) return true
      other = column[other] ?? -1
    }
    return false
  })
}

export function isInSession(
  { sessions, saidAt }: Pick<Said, 'sessions' | 'saidAt'>,
  doc: number,
  { session, excludeSession, excludeSince = Number.NEGATIVE_INFINITY }: Wanted,
): boolean {
  const said = sessions[doc]
  if (said === excludeSession && (saidAt[doc] ?? 0) >= excludeSince) return false
  return session === undefined || said === session
}

export function isInTime({ saidAt }: Pick<Said, 'saidAt'>, doc: number, { from, to }: Wanted): boolean {
  const at = saidAt[doc] ?? 0
  return at >= from && at <= to
}
