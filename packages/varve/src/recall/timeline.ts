import type { Message } from '../messages/message.ts'
import type { PartitionId } from '../scope/partition.ts'
import { type Listed, type ListRequest, type TimedPlace, timedPage, timedPlace } from '../storage/listed.ts'
import { messagesAt } from '../storage/log/messages.ts'
import { messageSizes, type TimelineRange, timelinePlaces } from '../storage/log/timeline.ts'
import type { Program } from '../storage/program.ts'
import { partitionState } from '../storage/segment/terms.ts'

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
export function* timeline(partition: PartitionId, request: TimelineRequest): Program<Listed<Message>> {
  const { order, limit } = request
  const list = lists[order]
  const after = timedPlace(list, request, begins[order])
  const state = yield* partitionState(partition)
  if (state === undefined || state.messages === 0) return { items: [] }
  const range = { ...finiteRange(request), after, order, session: undefined, excludeSession: undefined }
  const places = yield* timelinePlaces(state.id, range, limit + 1)
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

/** Returns the range with bounds that any store compares with its times. */
export function finiteRange({ from, to }: Pick<TimelineRange, 'from' | 'to'>): Pick<TimelineRange, 'from' | 'to'> {
  return { from: Math.max(from, Number.MIN_SAFE_INTEGER), to: Math.min(to, Number.MAX_SAFE_INTEGER) }
}
