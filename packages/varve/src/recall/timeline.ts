import type { Segment } from '../index/segment.ts'
import type { Segments } from '../index/segments.ts'
import type { Message } from '../messages/message.ts'
import type { PartitionId } from '../scope/partition.ts'
import { type Listed, type ListRequest, type TimedPlace, timedPage, timedPlace } from '../storage/listed.ts'
import { messagesAt } from '../storage/log/messages.ts'
import { messageSizes, type TimelineRange, timelineScan } from '../storage/log/timeline.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { partitionState } from '../storage/segment/terms.ts'
import { Best } from './best.ts'
import { isInSession, isInTime } from './wanted.ts'

/** The wanted page of a timeline, with times in UTC milliseconds; serialisable. */
export interface TimelineRequest extends ListRequest, Pick<TimelineRange, 'from' | 'to' | 'order'> {}

/** The places before the first messages of the two orders. */
export const begins = {
  newest: { at: Number.MAX_SAFE_INTEGER, key: Number.MAX_SAFE_INTEGER },
  oldest: { at: Number.MIN_SAFE_INTEGER, key: 0 },
} as const satisfies Readonly<Record<TimelineRange['order'], TimedPlace>>

/** A cursor goes on in its own order only. */
const lists = { newest: 'timeline', oldest: 'timeline-oldest' } as const

/** Returns the messages of a partition by the time of saying, over all of its sessions. */
export function* timeline(segments: Segments, partition: PartitionId, request: TimelineRequest): Program<Listed<Message>> {
  const { order, limit } = request
  const list = lists[order]
  const after = timedPlace(list, request, begins[order])
  const state = yield* partitionState(partition)
  if (state === undefined || state.messages === 0) return { items: [] }
  const range = { ...finiteRange(request), after, order, session: undefined, excludeSession: undefined }
  const places = yield* timelinePlaces(segments, state, range, limit + 1)
  const bytes = yield* messageSizes(
    state.id,
    places.map(({ key }) => key),
  )
  return yield* timedPage(
    list,
    places.map(({ at, key }) => ({ at, key, bytes: bytes.get(key) ?? 0 })),
    limit,
    function* (ords) {
      return [...(yield* messagesAt(state.id, ords))]
    },
    ([ord]) => ord,
    ([, { message }]) => message,
  )
}

/**
 * Returns places of a partition's timeline in its order. No index of the store has the times, so they come from the index
 * in memory: 2 ms for a page of 100,000 messages. The store reads the times of all (25 ms) for a first page before that
 * index is loaded (some 700 ms), and where the index holds only the newest messages.
 */
export function* timelinePlaces(
  segments: Segments,
  state: PartitionRow,
  range: TimelineRange,
  most: number,
): Program<readonly TimedPlace[]> {
  const isFirst = Math.abs(range.after.at) === Number.MAX_SAFE_INTEGER
  if (isFirst && !segments.holds(state.id)) return yield* timelineScan(state.id, range, most)
  const known = yield* segments.look(state, undefined, ({ segment }) => (segment.partial ? undefined : placesIn(segment, range, most)))
  return known ?? (yield* timelineScan(state.id, range, most))
}

/** Returns the range with bounds that any store compares with its times. */
export function finiteRange({ from, to }: Pick<TimelineRange, 'from' | 'to'>): Pick<TimelineRange, 'from' | 'to'> {
  return { from: Math.max(from, Number.MIN_SAFE_INTEGER), to: Math.min(to, Number.MAX_SAFE_INTEGER) }
}

function placesIn(segment: Segment, { after, order, ...range }: TimelineRange, most: number): TimedPlace[] {
  const { count, dead, ords, saidAt } = segment
  const wanted = { ...range, halfLifeDays: undefined, now: 0 }
  const isNewest = order === 'newest'
  const best = new Best(Math.min(most, count))
  // From the end that is asked for: talk mostly stands in the order of its times, so the first offers keep their places.
  for (let step = 0; step < count; step += 1) {
    const doc = isNewest ? count - 1 - step : step
    const at = saidAt[doc] ?? 0
    if (dead[doc] === 1 || (isNewest ? at < best.least : -at < best.least)) continue
    const ahead = at - after.at || (ords[doc] ?? 0) - after.key
    if ((isNewest ? ahead >= 0 : ahead <= 0) || !isInTime(segment, doc, wanted) || !isInSession(segment, doc, wanted)) continue
    best.offer(isNewest ? doc : count - 1 - doc, isNewest ? at : -at)
  }
  return best.take().map(({ doc: placed }) => {
    const doc = isNewest ? placed : count - 1 - placed
    return { at: saidAt[doc] ?? 0, key: ords[doc] ?? 0 }
  })
}
