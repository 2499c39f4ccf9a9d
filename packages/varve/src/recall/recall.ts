import { embeddingOf } from '../index/embedding-state.ts'
import type { Segment } from '../index/segment.ts'
import type { Segments } from '../index/segments.ts'
import type { Message, Metadata } from '../messages/message.ts'
import type { PartitionId } from '../scope/partition.ts'
import { messageAt, messageOf, messagesBetween } from '../storage/messages.ts'
import type { Program } from '../storage/program.ts'
import type { SessionTable } from '../storage/schema.ts'
import { findSessionRow, sessionRowById } from '../storage/sessions.ts'
import { partitionState } from '../storage/terms.ts'
import type { AskedVector } from './asked-vector.ts'
import { isTold, noVectors } from './degraded.ts'
import type { Hit, Recalled } from './hit.ts'
import { Passages } from './passages.ts'
import { type Ranked, type Ranking, rank } from './rank.ts'
import type { RecallRequest } from './request.ts'

const nothing: Recalled = { hits: [], degraded: [] }

/** A hit with the ordinal of its message, which only the store's own rooms use. */
export interface Found {
  readonly hit: Hit
  readonly ord: number
}

/** Finds messages of one partition. Hits are read again from the messages: one that is gone is not shown. */
export function* recall(segments: Segments, partition: PartitionId, request: RecallRequest, asked?: AskedVector): Program<Recalled> {
  const { found, degraded } = yield* find(segments, partition, request, asked)
  return found.length === 0 && degraded.length === 0 ? nothing : { hits: found.map(({ hit }) => hit), degraded }
}

export function* find(segments: Segments, partition: PartitionId, request: RecallRequest, asked?: AskedVector): Program<{ found: Found[]; degraded: string[] }> {
  const state = yield* partitionState(partition)
  if (state === undefined || state.messages === 0) return { found: [], degraded: [] }
  const session = yield* sessionFilter(state.id, request.session)
  if (session === null) return { found: [], degraded: [] }
  const excluded = yield* sessionFilter(state.id, request.excludeSession)
  const embedding = asked === undefined ? undefined : yield* embeddingOf(state.id, asked.maker)
  const segment = yield* segments.current(state, embedding)
  const question = { text: request.query, vector: embedding === undefined ? undefined : asked?.vector }
  const ranking = rank(segment, question, { ...request, session, excludeSession: excluded ?? undefined })
  const passages = new Passages(segment, question.vector)
  yield* refine(ranking, passages)
  return { found: yield* readHits(state.id, { segment, ranking, passages }, request), degraded: degradedBy(segment, ranking, state.messages) }
}

/** Hits whose meaning is compared in full precision: a byte a component may swap two that are nearly alike. */
const mostRefined = 50

function* refine(ranking: Ranking, passages: Passages): Program<void> {
  for (const { doc, at } of ranking.best(mostRefined)) {
    const vector = yield* passages.best(doc)
    if (vector !== undefined) ranking.refine(at, vector.cosine)
  }
}

function degradedBy(segment: Segment, { withoutVector }: Ranking, messages: number): string[] {
  return [
    ...(segment.partial ? [`partial index: the newest ${segment.live} of ${messages} messages were searched`] : []),
    ...(segment.vectors?.partial === true ? ['partial vectors: not all fit the memory for the index, and the others were found by their words'] : []),
    ...(isTold(withoutVector, segment.live) ? [noVectors(withoutVector, segment.live)] : []),
  ]
}

/** The session's number; undefined for no filter, null for a session that is not there. */
function* sessionFilter(partition: number, session: string | undefined): Program<number | undefined | null> {
  if (session === undefined) return undefined
  const row = yield* findSessionRow(partition, session)
  return row?.id ?? null
}

/** More than asked for, in case some are gone or do not have the metadata; then all. */
const spare = 8

/** What hits are read from. */
interface Source {
  readonly segment: Segment
  readonly ranking: Ranking
  readonly passages: Passages
}

function* readHits(partition: number, source: Source, request: RecallRequest): Program<Found[]> {
  const { ranking } = source
  const first = request.metadata === undefined ? request.limit + spare : ranking.matched
  const found = yield* readSome(partition, source, ranking.best(first), request)
  if (found.length >= request.limit || first >= ranking.matched) return found
  return yield* readSome(partition, source, ranking.best(ranking.matched), request)
}

function* readSome(
  partition: number, { segment, ranking, passages }: Source, candidates: readonly Ranked[], request: RecallRequest,
): Program<Found[]> {
  const found: Found[] = []
  const sessions = new Map<number, SessionTable | undefined>()
  for (const { doc, at, score } of candidates) {
    if (found.length >= request.limit) break
    const ord = segment.ords[doc] ?? 0
    const row = yield* messageAt(partition, ord)
    if (row === undefined) continue
    if (!sessions.has(row.session_id)) sessions.set(row.session_id, yield* sessionRowById(row.session_id))
    const session = sessions.get(row.session_id)
    if (session === undefined) continue
    const message = messageOf(row, session.external_id)
    if (request.metadata !== undefined && !matches(message.metadata ?? {}, request.metadata)) continue
    const neighbours = request.neighbours === 0 ? [] : yield* around(session, message, request.neighbours)
    const passage = yield* passages.partOf(doc, message.content)
    found.push({ ord, hit: { ...hitOf(message, score, ranking.signals(at), neighbours), ...(passage === undefined ? {} : { passage }) } })
  }
  return found
}

function* around(session: SessionTable, message: Message, distance: number): Program<readonly Message[]> {
  const messages = yield* messagesBetween(session, message.seq - distance, message.seq + distance)
  return messages.filter(({ seq }) => seq !== message.seq)
}

function matches(metadata: Metadata, wanted: Metadata): boolean {
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(metadata, key) && metadata[key] === value)
}

function hitOf(message: Message, score: number, signals: Hit['signals'], neighbours: readonly Message[]): Hit {
  return {
    kind: 'message',
    id: message.id,
    ...(message.externalId === undefined ? {} : { externalId: message.externalId }),
    session: message.session,
    seq: message.seq,
    role: message.role,
    ...(message.name === undefined ? {} : { name: message.name }),
    at: message.at,
    text: message.content,
    score,
    signals,
    neighbours,
    lineage: [{ session: message.session, from: message.seq, to: message.seq }],
  }
}
