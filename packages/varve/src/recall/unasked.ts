import { mostAnswerLength } from '../log/read-page.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { TimedPlace } from '../storage/listed.ts'
import { messagesAt } from '../storage/log/messages.ts'
import { timelinePlaces } from '../storage/log/timeline.ts'
import type { Program } from '../storage/program.ts'
import { partitionState } from '../storage/segment/terms.ts'
import { endedEarly } from './degraded.ts'
import type { MessageHit, Recalled } from './hit.ts'
import { messageHit } from './message-hit.ts'
import { hasMetadata, messagesAround } from './read-message.ts'
import type { RecallRequest } from './request.ts'
import { sessionFilter } from './session-filter.ts'
import { supersededMessages } from './states.ts'
import { begins, finiteRange } from './timeline.ts'

/** The places that are read at once, where a filter may leave most of them out. */
const placesAtOnce = 64

/** Tells whether a request for messages names a range of time and asks nothing. */
export function asksNothing({ query, kinds, from, to }: RecallRequest): boolean {
  return query.trim() === '' && kinds.includes('message') && (Number.isFinite(from) || Number.isFinite(to))
}

/**
 * Finds the newest messages of a range of time, for a request that asks nothing. They have a score of 0, since no words
 * can tell how well they answer.
 */
export function* recallUnasked(partition: PartitionId, request: RecallRequest): Program<Recalled> {
  const { hits, isCut } = yield* newestHits(partition, request)
  const marks = yield* supersededMessages(partition, hits, request.now)
  const marked = hits.map((hit) => {
    const superseded = marks.get(hit.id)
    return superseded === undefined ? hit : { ...hit, superseded }
  })
  return { hits: marked, degraded: isCut ? [endedEarly(hits.length)] : [] }
}

/** The hits that were read. `isCut` is true when their text was more than an answer holds. */
interface ReadHits {
  readonly hits: readonly MessageHit[]
  readonly isCut: boolean
}

function* newestHits(partition: PartitionId, request: RecallRequest): Program<ReadHits> {
  const hits: MessageHit[] = []
  const state = yield* partitionState(partition)
  const session = state === undefined ? null : yield* sessionFilter(state.id, request.session)
  if (state === undefined || session === null || request.minScore > 0) return { hits, isCut: false }
  const excludeSession = (yield* sessionFilter(state.id, request.excludeSession)) ?? undefined
  const range = { ...finiteRange(request), order: 'newest' as const, session, excludeSession }
  let length = 0
  for (let after: TimedPlace | undefined = begins.newest; after !== undefined;) {
    const places: readonly TimedPlace[] = yield* timelinePlaces(state.id, { ...range, after }, placesAtOnce)
    const stored = yield* messagesAt(
      state.id,
      places.map(({ key }) => key),
    )
    for (const { key } of places) {
      const one = stored.get(key)
      // Instructions to a model are no memory.
      if (one === undefined || one.message.role === 'system' || !hasMetadata(one.message.metadata, request.metadata)) continue
      const neighbours = yield* messagesAround(one, request.neighbours)
      length += [one.message, ...neighbours].reduce((sum, { content }) => sum + content.length, 0)
      if (length > mostAnswerLength && hits.length > 0) return { hits, isCut: true }
      hits.push(messageHit(one.message, 0, [], neighbours))
      if (hits.length === request.limit) return { hits, isCut: false }
    }
    after = places.length < placesAtOnce ? undefined : places.at(-1)
  }
  return { hits, isCut: false }
}
