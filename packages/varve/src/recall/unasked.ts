import { mostAnswerLength } from '../log/read-page.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { TimedPlace } from '../storage/listed.ts'
import { messagesAt } from '../storage/log/messages.ts'
import { timelinePlaces } from '../storage/log/timeline.ts'
import type { Program } from '../storage/program.ts'
import { partitionState } from '../storage/segment/terms.ts'
import { endedEarly } from './degraded.ts'
import type { DateRange } from './asked-dates.ts'
import type { Recalled } from './hit.ts'
import { messageHit, type NumberedHit } from './message-hit.ts'
import { hasMetadata, messagesAround } from './read-message.ts'
import { isLeftOut, type RecallRequest } from './request.ts'
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
  if (request.minScore > 0) return { hits: [], degraded: [] }
  const { found, degraded } = yield* newestIn(partition, request)
  return { hits: found.map(({ hit }) => hit), degraded }
}

/** Finds what was said in a time, the newest first: all that a question without a matter asks for (time-alone.ts). */
export function* newestSaid(partition: PartitionId, request: RecallRequest, { from, to }: DateRange): Program<NewestIn> {
  const { found, degraded } = yield* newestIn(partition, { ...request, from, to: to - 1 })
  const signals = [{ name: 'date' as const, value: 1, text: 'said in the time you asked about' }]
  return { found: found.map((one) => ({ ...one, hit: { ...one.hit, score: 1, signals } })), degraded }
}

interface NewestIn {
  readonly found: readonly NumberedHit[]
  readonly degraded: readonly string[]
}

function* newestIn(partition: PartitionId, request: RecallRequest): Program<NewestIn> {
  const { hits, isCut } = yield* newestHits(partition, request)
  const marks = yield* supersededMessages(
    partition,
    hits.map(({ hit }) => hit),
    request.now,
  )
  const found = hits.map((one) => {
    const superseded = marks.get(one.hit.id)
    return superseded === undefined ? one : { ...one, hit: { ...one.hit, superseded } }
  })
  return { found, degraded: isCut ? [endedEarly(hits.length)] : [] }
}

/** The hits that were read. `isCut` is true when their text was more than an answer holds. */
interface ReadHits {
  readonly hits: readonly NumberedHit[]
  readonly isCut: boolean
}

function* newestHits(partition: PartitionId, request: RecallRequest): Program<ReadHits> {
  const hits: NumberedHit[] = []
  const state = yield* partitionState(partition)
  const session = state === undefined ? null : yield* sessionFilter(state.id, request.session)
  if (state === undefined || session === null) return { hits, isCut: false }
  const isInPart = request.excludeSince !== undefined
  const excludeSession = isInPart ? undefined : ((yield* sessionFilter(state.id, request.excludeSession)) ?? undefined)
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
      if (isLeftOut(one.message, request)) continue
      const neighbours = yield* messagesAround(one, request.neighbours)
      length += [one.message, ...neighbours].reduce((sum, { content }) => sum + content.length, 0)
      if (length > mostAnswerLength && hits.length > 0) return { hits, isCut: true }
      hits.push({ hit: messageHit(one.message, 0, [], neighbours), ord: key })
      if (hits.length === request.limit) return { hits, isCut: false }
    }
    after = places.length < placesAtOnce ? undefined : places.at(-1)
  }
  return { hits, isCut: false }
}
