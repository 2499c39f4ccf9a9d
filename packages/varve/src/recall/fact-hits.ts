import type { Fact } from '../facts/fact.ts'
import { knownAt } from '../facts/read-facts.ts'
import { showFacts } from '../facts/show-fact.ts'
import type { Standing, Standings } from '../facts/standing.ts'
import { embeddingOf } from '../index/embedding-state.ts'
import type { Segments } from '../index/segments.ts'
import type { Span } from '../lineage/span.ts'
import type { PartitionId } from '../scope/partition.ts'
import { rowsAt } from '../storage/known/assertion-rows.ts'
import { findKnown, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { AskedVector } from './asked-vector.ts'
import { askedCalendar } from './calendar.ts'
import type { FactHit, Signal } from './hit.ts'
import { rank, type Ranked, type Ranking } from './rank.ts'
import type { RecallRequest } from './request.ts'
import { sessionFilter } from './session-filter.ts'

/** A question for facts: true at one time, as believed at another (UTC milliseconds). */
export interface FactRecallRequest extends RecallRequest {
  readonly validAt: number
  readonly asOf: number
}

/** The most statements that are ranked, and how many are read at once. */
const mostRanked = 500
const rowsPerLook = 64

/**
 * The least cosine of a hit that shares no telling word with the question. In so few words all facts of a person are
 * somewhat alike. Of 36 questions to 40 facts (MiniLM), the answers to "who are my siblings?" and "which city am I
 * based in?" have .36 and more. The landlord has .32 for "who is my husband?".
 */
const leastAlike = 0.35

/** The part of its score that a fact keeps with no confidence at all, and the part that a doubtful fact keeps. */
const leastSure = 0.6
const doubtful = 0.5

/** Finds facts that held at a time, and events before it, best first. Unsure and doubtful facts count less. */
export function* recallFacts(
  segments: Segments,
  partition: PartitionId,
  request: FactRecallRequest,
  asked?: AskedVector,
): Program<readonly FactHit[]> {
  const owner = request.metadata === undefined ? yield* findKnown(partition) : undefined
  const standings = owner === undefined || owner.messages === 0 ? undefined : yield* knownAt(partition, request)
  if (owner === undefined || standings === undefined) return []
  const sessions = yield* sessionsOf(partition, request)
  if (sessions === undefined) return []
  const calendar = yield* askedCalendar(partition, request.now)
  const embedding = asked === undefined ? undefined : yield* embeddingOf(owner.id, asked.maker)
  const ranking = yield* segments.look(owner, embedding, (index) =>
    rank(
      index,
      { text: request.query, vector: asked?.vector },
      { ...request, calendar, session: undefined, excludeSession: undefined, most: mostRanked, isApart: true, leastMeaning: leastAlike },
    ),
  )
  const found = new Map<Standing, Ranked>()
  const best = ranking.best(mostRanked)
  for (let next = 0; next < best.length && found.size < 2 * request.limit; next += rowsPerLook) {
    const some = best.slice(next, next + rowsPerLook)
    yield* hold(standings, some, sessions, found)
  }
  return hitsOf(yield* showFacts(standings, [...found.keys()]), [...found.values()], ranking)
    .filter(({ score }) => score >= request.minScore)
    .slice(0, request.limit)
}

/** Gives the sessions that a filter names; undefined when there is no such session. */
function* sessionsOf(
  partition: PartitionId,
  { session, excludeSession }: RecallRequest,
): Program<{ only: number | undefined; not: number | undefined } | undefined> {
  const source = (yield* findPartition(partition))?.id ?? 0
  const only = yield* sessionFilter(source, session)
  return only === null ? undefined : { only, not: (yield* sessionFilter(source, excludeSession)) ?? undefined }
}

function* hold(
  standings: Standings,
  some: readonly Ranked[],
  { only, not }: { only: number | undefined; not: number | undefined },
  found: Map<Standing, Ranked>,
): Program<void> {
  const rows = new Map(
    (yield* rowsAt(
      standings.known,
      some.map(({ ord }) => ord),
    )).map((row) => [row.ord, row]),
  )
  yield* standings.readAhead([...rows.values()])
  for (const ranked of some) {
    const { ord } = ranked
    const row = rows.get(ord)
    if (row === undefined || (only !== undefined && row.session_id !== only) || (not !== undefined && row.session_id === not)) continue
    for (const standing of yield* standings.ofRow(row)) {
      const isTold = standings.isValid(standing) || standings.isPastEvent(standing)
      if (isTold && !found.has(standing) && standing.rows.some((one) => one.ord === ord)) found.set(standing, ranked)
    }
  }
}

function hitsOf(facts: readonly Fact[], ranked: readonly Ranked[], ranking: Ranking): FactHit[] {
  const hits = facts.flatMap((fact, place) =>
    ranked.slice(place, place + 1).map(({ at, score }) => hitOf(fact, score, ranking.signals(at))),
  )
  return hits.toSorted((a, b) => b.score - a.score || b.at - a.at)
}

function hitOf(fact: Fact, score: number, signals: readonly Signal[]): FactHit {
  const sure = leastSure + (1 - leastSure) * fact.confidence
  const less: Signal[] = []
  if (fact.confidence < 1) less.push({ name: 'confidence', value: score * (sure - 1), text: `confidence ${fact.confidence}` })
  if (fact.doubtful)
    less.push({ name: 'doubt', value: score * sure * (doubtful - 1), text: 'doubtful: a fact that it rests on no longer holds' })
  const lineage = spansOf(fact)
  return {
    kind: 'fact',
    id: fact.id,
    at: fact.validFrom,
    text: `${fact.subject} ${fact.predicate} ${fact.object}`,
    score: less.reduce((sum, { value }) => sum + value, score),
    signals: [...signals, ...less],
    lineage,
    fact,
    ...(lineage[0] === undefined ? {} : { session: lineage[0].session }),
    neighbours: [],
  }
}

function spansOf({ sources }: Fact): readonly Span[] {
  const spans = sources.map(({ session, seq }) => ({ session, from: seq, to: seq }))
  return [...new Map(spans.map((span) => [JSON.stringify(span), span])).values()]
}
