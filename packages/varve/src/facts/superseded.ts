import type { Span } from '../lineage/span.ts'
import type { PartitionId } from '../scope/partition.ts'
import { rowsAt } from '../storage/known/assertion-rows.ts'
import { says } from '../storage/known/assertions.ts'
import { type CitedRow, citedRows, statedPlaces, type StatedPlace, type TalkAndFacts } from '../storage/known/ended-states.ts'
import { projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { type Chain, Chains, type EndedHolding, nowOf } from './chains.ts'
import { doubtedAmong } from './doubted.ts'
import { isPlan, valuedBy } from './predicates.ts'
import { valuingOf } from './settings.ts'
import { type Standing, type Standings, standingsOf } from './standing.ts'

/** The most statements that are looked at for one answer. */
const mostLooked = 500

/** The end of a state that a text tells. */
export interface StateEnd {
  /** The time when it ended, or when it was taken back: UTC milliseconds. */
  readonly on: number
  /** Id of the message that ended it. Absent where a person's edit or a told time ended it. */
  readonly by?: string
  /** The object that holds now in its place, as it was said; absent where there is none, or more than one. */
  readonly now?: string
  /** True when it was corrected or taken back: it never held. */
  readonly wrong?: true
  /** The place of the statement in the text: characters [from, to). */
  readonly from: number
  readonly to: number
}

/** An ended state, and the message that tells it. */
export interface EndedState extends StateEnd {
  readonly session: string
  readonly seq: number
  /** The key of its predicate, and its object as it was said. */
  readonly predicate: string
  readonly object: string
}

/** The ended states that some messages tell, and the statements that belong to each. */
export interface EndedStates {
  /** By the order of the messages, then by place. */
  readonly states: readonly EndedState[]
  readonly chains: readonly Chain[]
  /** Tells whether a message also states something that did not end. */
  tellsMore(session: string, seq: number): boolean
}

/**
 * Finds the states that some messages of a partition tell, and that have ended. A state has ended when it was said to
 * hold, and its subject, predicate and object hold no longer. A plan whose day has passed is none, and an event is none.
 * `asOf` is the time of belief: statements that were recorded later do not count.
 *
 * Most messages state nothing, or nothing that another statement touches: then one or two queries are all.
 */
export function* endedStates(
  partition: PartitionId,
  talk: number | TalkAndFacts,
  spans: readonly Span[],
  now: number,
  asOf = Number.POSITIVE_INFINITY,
): Program<EndedStates> {
  const rows = spans.length === 0 ? [] : yield* citedRows(talk, spans, mostLooked)
  const known = rows[0]?.partition_id
  if (known === undefined) return nothingEnded
  const valuing = valuingOf(yield* projectSettings(partition.project))
  const standings = yield* standingsOf(partition, known, { validAt: now, asOf }, valuing)
  const doubted = yield* doubtedAmong(standings, valuing, rows, now)
  if (doubted.length === 0) return nothingEnded
  // Where one object holds at a time, all statements of the subject and predicate are read in one go anyway.
  const alone = doubted.filter((row) => valuedBy(valuing, row.predicate_key) !== 'single').map(({ ord }) => ord)
  if (alone.length > 0) yield* standings.readAhead(yield* rowsAt(known, [...new Set(alone)]))
  const chains = new Chains(standings, valuing, now)
  const ended = new Map<CitedRow, EndedHolding>()
  for (const row of doubted) {
    if (row.says !== says.is) yield* chains.addEnd(row)
    else {
      const holding = yield* endOf(standings, row, now)
      if (holding !== undefined) ended.set(row, yield* chains.add(holding))
    }
  }
  const source = typeof talk === 'number' ? talk : talk.source
  return yield* told({ source, known, rows, ended, chains })
}

const nothingEnded: EndedStates = { states: [], chains: [], tellsMore: () => true }

/** Gives the holding of a statement, if it is over and its object holds no longer. */
function* endOf(standings: Standings, row: CitedRow, now: number): Program<Standing | undefined> {
  const { entities } = standings
  const object = entities.objectOf(row.predicate_key, row.object_key)
  const slot = yield* standings.of(entities.of(row.subject_key), row.predicate_key, object)
  const holdings = slot.filter((holding) => holding.object === object)
  if (holdings.some((holding) => standings.isSaid(holding))) return undefined
  const own = holdings.find(({ rows }) => rows.some(({ ord }) => ord === row.ord))
  if (own === undefined || (own.isBelieved && own.until > now)) return undefined
  const isOnlyPast = own.isBelieved && own.closedBy === undefined && (isPlan(own.predicate) || standings.isPastEvent(own))
  return isOnlyPast ? undefined : own
}

interface Looked {
  readonly source: number
  readonly known: number
  readonly rows: readonly CitedRow[]
  readonly ended: ReadonlyMap<CitedRow, EndedHolding>
  readonly chains: Chains
}

/** Names the messages that ended the states, and the objects that hold in their place. */
function* told({ source, known, rows, ended, chains }: Looked): Program<EndedStates> {
  if (chains.isEmpty) return nothingEnded
  const closings = [...ended.values()].flatMap(({ standing: { closedBy } }) => closedBy?.ord ?? [])
  const places = yield* statedPlaces(known, [...new Set([...closings, ...chains.newest().map(({ ord }) => ord)])])
  yield* addReplacements({ source, chains, ended }, places)
  const states = [...ended].map(([row, holding]) => stateOf(row, holding, places))
  const more = new Set(rows.filter((row) => row.says === says.is && !ended.has(row)).map(({ session, seq }) => keyOf(session, seq)))
  return { states, chains: chains.told(places, rows), tellsMore: (session, seq) => more.has(keyOf(session, seq)) }
}

/** Adds to each chain the object that the ending message itself states in the place of the ended one. */
function* addReplacements({ source, chains, ended }: Omit<Looked, 'rows' | 'known'>, places: Map<number, StatedPlace>): Program<void> {
  const ending = [...ended.values()].flatMap((holding) => {
    const { closedBy } = holding.standing
    const place = closedBy === undefined || holding.chain.isSingle || closedBy.says === says.is ? undefined : places.get(closedBy.ord)
    return place === undefined ? [] : [{ holding, place }]
  })
  if (ending.length === 0) return
  const spans = ending.map(({ place: { session, seq } }) => ({ session, from: seq, to: seq }))
  const byMessage = Map.groupBy(yield* citedRows(source, spans, mostLooked), ({ session, seq }) => keyOf(session, seq))
  for (const { holding, place } of ending) {
    const beside = byMessage.get(keyOf(place.session, place.seq)) ?? []
    yield* chains.addBeside(holding, beside)
    for (const { ord, starts, ends } of beside) if (!places.has(ord)) places.set(ord, { ...place, from: starts, to: ends })
  }
}

function stateOf(row: CitedRow, holding: EndedHolding, places: ReadonlyMap<number, StatedPlace>): EndedState {
  const { isBelieved, until, closedBy } = holding.standing
  const by = closedBy === undefined ? undefined : places.get(closedBy.ord)?.id
  const now = nowOf(holding)
  return {
    session: row.session,
    seq: row.seq,
    predicate: row.predicate_key,
    object: row.object,
    on: isBelieved ? until : (closedBy?.said_at ?? row.said_at),
    ...(by === undefined ? {} : { by }),
    ...(now === undefined ? {} : { now }),
    ...(isBelieved ? {} : { wrong: true }),
    from: row.starts,
    to: row.ends,
  }
}

function keyOf(session: string, seq: number): string {
  return JSON.stringify([session, seq])
}
