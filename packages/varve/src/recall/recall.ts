import { embeddingOf } from '../index/embedding-state.ts'
import type { Segment } from '../index/segment.ts'
import type { Index, Segments } from '../index/segments.ts'
import { mostAnswerLength } from '../log/read-page.ts'
import type { PartitionId } from '../scope/partition.ts'
import { messagesAt } from '../storage/log/messages.ts'
import { abreast, type Program } from '../storage/program.ts'
import { findKnown } from '../storage/partitions.ts'
import type { FarVectors } from '../storage/segment/far-vectors.ts'
import { partitionState } from '../storage/segment/terms.ts'
import type { AskedVector } from './asked-vector.ts'
import { AskedWords } from './asked-words.ts'
import { askedCalendar } from './calendar.ts'
import { answerConfidence, type Evidence, leastToShow } from './confidence.ts'
import { endedEarly, isTold, noVectors, partialIndex } from './degraded.ts'
import { type FarAsked, findFar, type HeldPart } from './far-messages.ts'
import type { Recalled } from './hit.ts'
import { messageHit, type NumberedHit } from './message-hit.ts'
import { findDerivedHits } from './derived-hits.ts'
import { recallFacts } from './fact-hits.ts'
import { type ComparedPassage, isLong, Passages } from './passages.ts'
import { type Ranked, type Ranking, type RankOptions, rank } from './rank.ts'
import { hasMetadata, messagesAround } from './read-message.ts'
import type { RecallRequest } from './request.ts'
import { sessionFilter } from './session-filter.ts'
import { withStates } from './states.ts'
import { beside, type RankedParts, withFar } from './with-far.ts'
import { timeAlone } from './time-alone.ts'
import { asksNothing, recallUnasked, newestSaid } from './unasked.ts'

/** Messages that were found, and the means to choose parts of long ones. */
export interface Found {
  readonly found: readonly NumberedHit[]
  readonly confidence: number
  /** The evidence behind the confidence; undefined when nothing was found. */
  readonly evidence?: Evidence | undefined
  readonly degraded: readonly string[]
  readonly words: AskedWords
  /** Passages of the first long messages, by the ordinal of the message. */
  readonly passages: ReadonlyMap<number, readonly ComparedPassage[]>
}

export const foundNothing: Found = { found: [], confidence: 0, degraded: [], words: new AskedWords([], []), passages: new Map() }

/**
 * Finds messages and derived items of one partition, best first. Hits are read again from the store: a hit that is gone
 * is not shown.
 */
export function* recall(segments: Segments, partition: PartitionId, request: RecallRequest, asked?: AskedVector): Program<Recalled> {
  if (asksNothing(request)) return yield* recallUnasked(partition, request)
  // A project has no messages of its own: what it shares of its members' are derived hits.
  const isOwn = partition.owner.kind !== 'shared'
  const messages = isOwn && request.kinds.includes('message') ? yield* find(segments, partition, request, asked) : undefined
  const hits = messages?.found.map(({ hit }) => hit) ?? []
  const about = messages === undefined ? { degraded: [] } : { confidence: messages.confidence, degraded: messages.degraded }
  if (isOwn && request.kinds.every((kind) => kind === 'message')) return { hits, ...about }
  const facts = request.kinds.includes('fact')
    ? yield* recallFacts(segments, partition, { ...request, validAt: request.now, asOf: Number.POSITIVE_INFINITY }, asked)
    : []
  const derived = yield* findDerivedHits(segments, partition, request, asked)
  return { hits: [...hits, ...derived, ...facts].toSorted((a, b) => b.score - a.score || b.at - a.at).slice(0, request.limit), ...about }
}

const noneShown: ReadonlySet<string> = new Set()

/**
 * Finds messages of one partition, best first, without those that are `shown` already. Of an answer that is almost
 * surely nothing it gives none. Reads every passage of the first `longOf` long ones.
 */
export function* find(
  segments: Segments,
  partition: PartitionId,
  request: RecallRequest,
  asked?: AskedVector,
  { shown = noneShown, longOf = 0 }: { readonly shown?: ReadonlySet<string>; readonly longOf?: number } = {},
): Program<Found> {
  const [state, calendar, known] = yield* abreast([partitionState(partition), askedCalendar(partition, request.now), findKnown(partition)])
  if (state === undefined || state.messages === 0) return foundNothing
  const session = yield* sessionFilter(state.id, request.session)
  if (session === null) return foundNothing
  const excluded = yield* sessionFilter(state.id, request.excludeSession)
  const embedding = asked === undefined ? undefined : yield* embeddingOf(state.id, asked.maker)
  const time = Number.isFinite(request.from) || Number.isFinite(request.to) ? undefined : timeAlone(request.query, calendar)
  if (time !== undefined) {
    const { found, degraded } = yield* newestSaid(partition, request, time)
    return { ...foundNothing, found: found.filter(({ hit }) => !shown.has(hit.id)), confidence: Math.min(1, found.length), degraded }
  }
  const options = { ...request, session, excludeSession: excluded ?? undefined, most: mostRanked(request), calendar }
  const looked = yield* segments.look(state, embedding, (index) => {
    const ranked = rank(index, { text: request.query, vector: asked?.vector }, options)
    return {
      held: heldIn(index.segment, ranked, state.messages),
      passages: new Passages(index.vectors, asked?.vector),
      words: new AskedWords(ranked.words, index.segment.languages),
      languages: index.segment.languages,
      degraded: degradedBy(index, ranked),
    }
  })
  const { words, languages } = looked
  try {
    const question =
      asked === undefined || embedding === undefined
        ? undefined
        : { key: { id: embedding.id, partition_id: state.id }, text: request.query, vector: asked.vector }
    const { ranking, passages, degraded } = yield* refined(looked, segments.far, question, options)
    const { found, best, isCut } = yield* readHits(state.id, { ranking, passages, shown }, request)
    const evidence = best === undefined ? undefined : ranking.evidence(best)
    const confidence = evidence === undefined ? 0 : answerConfidence(evidence)
    // An answer that may lack messages says so. It proves nothing about those that it lacks.
    const isExempt = evidence === undefined || (degraded.length > 0 && request.minConfidence === undefined)
    if (!isExempt && confidence < leastToShow(request, evidence)) return { ...foundNothing, confidence, evidence, degraded }
    const long = found.filter(({ hit }) => hit.passage !== undefined).slice(0, longOf)
    const parts = yield* passages.all(long.map(({ doc }) => doc))
    return {
      found: yield* withStates(
        { partition, talk: { source: state.id, known: known?.id }, request, words, languages, shown, calendar },
        found,
      ),
      confidence,
      evidence,
      degraded: isCut ? [...degraded, endedEarly(found.length)] : degraded,
      words,
      passages: new Map(long.map(({ ord, doc }) => [ord, parts.get(doc) ?? []])),
    }
  } finally {
    looked.passages.release()
  }
}

/**
 * The most messages that lead to candidates. Of the 5,882 messages of LoCoMo in one partition, 250 lose nothing. 120
 * lose nothing that a test could tell.
 */
export const usuallyRanked = 1_000

/** Gives the most messages that lead. Metadata is read with the message, so a search by metadata cannot choose before that. */
function mostRanked({ limit, metadata }: RecallRequest): number {
  return metadata === undefined ? Math.max(usuallyRanked, 2 * limit) : Number.POSITIVE_INFINITY
}

/** Hits whose cosine is computed in full precision. One byte a component may swap two that are nearly alike. */
const mostRefined = 50

function* refine(ranking: Ranking, passages: Passages): Program<void> {
  const best = ranking.best(mostRefined)
  yield* passages.read(best.map(({ doc }) => doc))
  for (const { doc, at } of best) {
    const cosine = passages.cosine(doc)
    if (cosine !== undefined) ranking.refine(at, cosine)
  }
}

/** The messages that the index in memory gives a question. */
interface Looked {
  readonly held: HeldIndex
  readonly passages: Passages
  readonly degraded: readonly string[]
}

interface HeldIndex extends HeldPart {
  readonly isPartial: boolean
  readonly live: number
  /** The messages of the partition, of which it may hold the newest alone. */
  readonly messages: number
}

function heldIn({ partial: isPartial, floor, live, liveSpeakers, totalLength }: Segment, ranking: Ranking, messages: number): HeldIndex {
  return { ranking, isPartial, floor, live, messages, liveSpeakers, meanLength: totalLength / Math.max(1, live) }
}

/** Refines the best by their exact cosines, and adds those that a partial index leaves out, in the same round trip. */
function* refined(
  { held, passages, degraded }: Looked,
  far: FarVectors | undefined,
  question: FarAsked | undefined,
  options: RankOptions,
): Program<RankedParts & Pick<Looked, 'degraded'>> {
  const search = far === undefined || question === undefined || !held.isPartial ? undefined : findFar(far, question, held, options)
  const found = yield* beside(refine(held.ranking, passages), search)
  const near = { ranking: held.ranking, passages }
  const partial = held.isPartial ? [partialIndex(held.live, held.messages, found)] : []
  return { ...(found === undefined ? near : withFar(near, found)), degraded: [...partial, ...degraded] }
}

function degradedBy({ segment, vectors }: Index, { withoutVector }: Ranking): string[] {
  return [
    ...(vectors?.partial === true
      ? ['partial vectors: not all fit the memory for the index, and the others were found by their words']
      : []),
    ...(isTold(withoutVector, segment.live) ? [noVectors(withoutVector, segment.live)] : []),
  ]
}

/** Extra candidates, in case some are gone or lack the metadata. When they do not suffice, all are read. */
const spare = 8

/** The ranking and the passages from which hits are read. */
interface Source extends RankedParts {
  /** Ids of messages that are no hits. */
  readonly shown: ReadonlySet<string>
}

/** The hits that were read. `isCut` is true when their text was more than an answer holds. */
interface Read {
  readonly found: (NumberedHit & { readonly doc: number })[]
  /** The place of the first among the candidates. */
  readonly best: number | undefined
  readonly isCut: boolean
}

function* readHits(partition: number, source: Source, request: RecallRequest): Program<Read> {
  const { ranking } = source
  const first = request.metadata === undefined ? request.limit + source.shown.size + spare : ranking.matched
  const read = yield* readSome(partition, source, ranking.best(first), request)
  if (read.isCut || read.found.length >= request.limit || first >= ranking.matched) return read
  return yield* readSome(partition, source, ranking.best(ranking.matched), request)
}

function* readSome(
  partition: number,
  { ranking, passages, shown }: Source,
  candidates: readonly Ranked[],
  request: RecallRequest,
): Program<Read> {
  const found: Read['found'] = []
  let best: number | undefined
  let length = 0
  for (let next = 0; next < candidates.length && found.length < request.limit; next += readAtOnce(request)) {
    const some = candidates.slice(next, next + readAtOnce(request))
    const messages = yield* messagesAt(
      partition,
      some.map(({ ord }) => ord),
    )
    yield* passages.read(some.filter(({ ord }) => isLong(messages.get(ord)?.message.content ?? '')).map(({ doc }) => doc))
    for (const { doc, ord, at, score } of some) {
      if (found.length >= request.limit) break
      const stored = messages.get(ord)
      if (stored === undefined || !hasMetadata(stored.message.metadata, request.metadata)) continue
      const { message } = stored
      if (shown.has(message.id)) continue
      const neighbours = yield* messagesAround(stored, request.neighbours)
      length += [message, ...neighbours].reduce((sum, { content }) => sum + content.length, 0)
      if (length > mostAnswerLength && found.length > 0) return { found, best, isCut: true }
      const passage = yield* passages.partOf(doc, message.content)
      best ??= at
      found.push({
        ord,
        doc,
        hit: { ...messageHit(message, score, ranking.signals(at), neighbours), ...(passage === undefined ? {} : { passage }) },
      })
    }
  }
  return { found, best, isCut: false }
}

/** The most messages that are read together. They may be 1 MiB each. */
const mostAtOnce = 128

/** Gives the number of messages to read at once: more when most will not match. */
function readAtOnce({ limit, metadata }: RecallRequest): number {
  return Math.min(mostAtOnce, metadata === undefined ? limit : Math.max(limit, 20))
}
