import type { Span } from '../lineage/span.ts'
import type { PartitionId } from '../scope/partition.ts'
import { says } from '../storage/known/assertions.ts'
import { areStated, type CitedRow, citedRows, statedPlaces, type StatedPlace } from '../storage/known/ended-states.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import { findKnown, projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { type Chain, Chains, type EndedHolding, nowOf } from './chains.ts'
import { isPlan, oppositeOf, rivalOf, type Valuing, valuedBy } from './predicates.ts'
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
 * hold, and its subject, predicate and object hold no longer. A plan whose day has passed is none.
 *
 * Most messages state nothing, or nothing that another statement touches: then one or two queries are all.
 */
export function* endedStates(partition: PartitionId, source: number, spans: readonly Span[], now: number): Program<EndedStates> {
  const known = spans.length === 0 ? undefined : yield* findKnown(partition)
  if (known === undefined || known.messages === 0) return nothingEnded
  const rows = eachOnce(yield* citedRows(source, known.id, spans, mostLooked))
  if (rows.length === 0) return nothingEnded
  const valuing = valuingOf(yield* projectSettings(partition.project))
  const standings = yield* standingsOf(partition, known.id, { validAt: now, asOf: Number.POSITIVE_INFINITY }, valuing)
  const doubted = yield* doubtedAmong(standings, valuing, rows, now)
  if (doubted.length === 0) return nothingEnded
  yield* standings.readAhead(doubted)
  const chains = new Chains(standings, valuing, now)
  const ended = new Map<CitedRow, EndedHolding>()
  for (const row of doubted) {
    if (row.says !== says.is) yield* chains.addEnd(row)
    else {
      const holding = yield* endOf(standings, row, now)
      if (holding !== undefined) ended.set(row, yield* chains.add(holding))
    }
  }
  return yield* told({ source, known: known.id, rows, ended, chains })
}

/** Spans may overlap. */
function eachOnce(rows: readonly CitedRow[]): readonly CitedRow[] {
  return [...new Map(rows.map((row) => [JSON.stringify([row.ord, row.session, row.seq, row.starts]), row])).values()]
}

const nothingEnded: EndedStates = { states: [], chains: [], tellsMore: () => true }

/** Gives the statements that may hold no longer, by the statements beside them. */
function* doubtedAmong(standings: Standings, valuing: Valuing, rows: readonly CitedRow[], now: number): Program<readonly CitedRow[]> {
  const { entities } = standings
  const slots: { readonly row: CitedRow; readonly asked: { readonly subject: string; readonly predicate: string } }[] = []
  const doubted = new Set<CitedRow>()
  for (const row of rows) {
    if (
      isTouched(row, valuing, now) ||
      entities.namesOfObject(row.predicate_key, entities.objectOf(row.predicate_key, row.object_key)).length > 1
    )
      doubted.add(row)
    const names = entities.namesOf(entities.of(row.subject_key))
    const others = [oppositeOf(row.predicate_key), rivalOf(row.predicate_key)].flatMap((predicate) => predicate ?? [])
    for (const subject of names) {
      if (subject !== row.subject_key) slots.push({ row, asked: { subject, predicate: row.predicate_key } })
      for (const predicate of others) slots.push({ row, asked: { subject, predicate } })
    }
  }
  const open = slots.filter(({ row }) => !doubted.has(row))
  const stated =
    open.length === 0
      ? []
      : yield* areStated(
          standings.known,
          open.map(({ asked }) => asked),
        )
  for (const [place, { row }] of open.entries()) if (stated[place] === true) doubted.add(row)
  return rows.filter((row) => doubted.has(row))
}

/** Tells whether a statement of the same names may have ended it, or its own told time. */
function isTouched(row: CitedRow, valuing: Valuing, now: number): boolean {
  if (row.says !== says.is || row.is_ended === 1 || row.is_corrected === 1) return true
  if (row.valid_until !== null && row.valid_until <= now && !isPlan(row.predicate_key)) return true
  const valued = valuedBy(valuing, row.predicate_key)
  return row.is_contested === 1 && (valued === 'single' || (valued === undefined && row.is_single === 1))
}

/** Gives the holding of a statement, if it is over and its object holds no longer. */
function* endOf(standings: Standings, row: AssertionTable, now: number): Program<Standing | undefined> {
  const holdings = yield* standings.ofRow(row)
  if (holdings.some((holding) => standings.isValid(holding))) return undefined
  const own = holdings.find(({ rows }) => rows.some(({ ord }) => ord === row.ord))
  if (own === undefined || (own.isBelieved && own.until > now)) return undefined
  return own.isBelieved && own.closedBy === undefined && isPlan(own.predicate) ? undefined : own
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
  yield* addReplacements({ source, known, chains, ended }, places)
  const states = [...ended].map(([row, holding]) => stateOf(row, holding, places))
  const more = new Set(rows.filter((row) => row.says === says.is && !ended.has(row)).map(({ session, seq }) => keyOf(session, seq)))
  return { states, chains: chains.told(places, rows), tellsMore: (session, seq) => more.has(keyOf(session, seq)) }
}

/** Adds to each chain the object that the ending message itself states in the place of the ended one. */
function* addReplacements({ source, known, chains, ended }: Omit<Looked, 'rows'>, places: Map<number, StatedPlace>): Program<void> {
  const ending = [...ended.values()].flatMap((holding) => {
    const { closedBy } = holding.standing
    const place = closedBy === undefined || holding.chain.isSingle || closedBy.says === says.is ? undefined : places.get(closedBy.ord)
    return place === undefined ? [] : [{ holding, place }]
  })
  if (ending.length === 0) return
  const spans = ending.map(({ place: { session, seq } }) => ({ session, from: seq, to: seq }))
  const byMessage = Map.groupBy(yield* citedRows(source, known, spans, mostLooked), ({ session, seq }) => keyOf(session, seq))
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
