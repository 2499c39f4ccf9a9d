import { byHand } from '../models/writer.ts'
import { says } from '../storage/known/assertions.ts'
import { type FactSource, sourcesAt } from '../storage/known/assertion-rows.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import { mostListedBytes } from '../storage/listed.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { stateVersion } from '../storage/versions.ts'
import type { Fact, SaidTime } from './fact.ts'
import { factId, type Standing, type Standings } from './standing.ts'

/** The highest confidence that several sources give together. Only a writer can say that a fact is certain. */
const mostSure = 0.99

/** Facts that are made at once, and statements whose sources are read at once: each may bring a message of 1 MiB. */
const madeAtOnce = 64

/** The sources of each list of statements. */
type Sources = Map<readonly AssertionTable[], readonly FactSource[]>

/** Shows holdings as facts, with their sources and their doubt. */
export function* showFacts(standings: Standings, chosen: readonly Standing[]): Program<readonly Fact[]> {
  return yield* factsOf(standings, chosen, new Map())
}

/** Shows holdings as facts, as many as an answer has room for. */
export function* showFitting(standings: Standings, chosen: readonly Standing[]): Program<readonly Fact[]> {
  const sources: Sources = new Map()
  const counted = new Set<Fact['sources']>()
  const told: Fact[] = []
  let bytes = 0
  for (let at = 0; at < chosen.length; at += madeAtOnce) {
    for (const fact of yield* factsOf(standings, chosen.slice(at, at + madeAtOnce), sources)) {
      bytes += bytesOf(fact, counted)
      if (bytes > mostListedBytes && told.length > 0) return told
      told.push(fact)
    }
  }
  return told
}

/** Counts the bytes of text that a fact adds to an answer. Sources that several facts share count once. */
function bytesOf({ subject, predicate, object, when, sources }: Fact, counted: Set<Fact['sources']>): number {
  const texts = [subject, predicate, object, when?.phrase ?? '']
  if (!counted.has(sources)) texts.push(...sources.flatMap(({ session, text }) => [session, text]))
  counted.add(sources)
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0)
}

function* factsOf(standings: Standings, chosen: readonly Standing[], sources: Sources): Program<readonly Fact[]> {
  const statements = new Map<Standing, readonly AssertionTable[]>()
  for (const standing of chosen) statements.set(standing, yield* standings.sameFact(standing))
  yield* readSources(standings, new Set(statements.values()), sources)
  const facts: Fact[] = []
  for (const standing of chosen) {
    facts.push(
      factOf(
        standing,
        yield* standings.subjectOf(standing),
        sources.get(statements.get(standing) ?? []) ?? [],
        yield* standings.isDoubtful(standing),
      ),
    )
  }
  return facts
}

/**
 * Reads sources that are not read yet. A fact that held several times has one list: a copy for each time would grow
 * with the square.
 */
function* readSources(standings: Standings, lists: ReadonlySet<readonly AssertionTable[]>, sources: Sources): Program<void> {
  const unread = [...lists].filter((rows) => !sources.has(rows))
  const ords = unread.flatMap((rows) => rows.map(({ ord }) => ord))
  const byOrd = new Map<number, readonly FactSource[]>()
  for (let at = 0; at < ords.length; at += madeAtOnce) {
    for (const [ord, some] of yield* sourcesAt(standings.known, ords.slice(at, at + madeAtOnce))) byOrd.set(ord, some)
  }
  for (const rows of unread) {
    sources.set(
      rows,
      rows.flatMap(({ ord }) => byOrd.get(ord) ?? []).toSorted((a, b) => a.at - b.at || a.seq - b.seq),
    )
  }
}

function factOf(standing: Standing, subject: string, sources: readonly FactSource[], doubtful: boolean): Fact {
  const { rows, from, until, closedBy } = standing
  const [first] = rows
  const last = rows.at(-1)
  const when = rows.map(saidTime).findLast((time) => time !== undefined)
  return {
    id: factId(standing),
    subject,
    predicate: last?.predicate ?? '',
    object: last?.object ?? '',
    validFrom: from,
    ...(Number.isFinite(until) ? { validUntil: until } : {}),
    recordedAt: Math.min(...rows.map((row) => row.recorded_at)),
    ...(closedBy === undefined
      ? {}
      : {
          supersededAt: Math.max(closedBy.recorded_at, first?.recorded_at ?? 0),
          ...(isSuccessor(closedBy, standing) ? { supersededBy: uuidText(closedBy.fact) } : {}),
        }),
    retracted: !standing.isBelieved,
    confidence: confidenceOf(rows),
    sources,
    writer: writerOf(rows),
    dependsOn: groundsOf(rows),
    doubtful,
    ...(standing.isUnverified === true ? { unverified: true } : {}),
    ...(when === undefined ? {} : { when }),
    version: versionOfHolding(standing),
  }
}

/** Gives the version of a fact at a time at which it held: its statements, and the end that others made of it. */
export function versionOfHolding({ rows, from, until, closedBy, isBelieved, isUnverified }: Standing): string {
  return stateVersion([rows.map(({ ord }) => ord), from, until, closedBy?.ord ?? 0, isBelieved, isUnverified === true])
}

/** Tells whether a statement that closed a holding is a fact of its own, be it in other words, and no mere end. */
function isSuccessor({ says: said, predicate_key: predicate }: AssertionTable, closed: Standing): boolean {
  return said === says.is || predicate !== closed.predicate
}

function saidTime({ phrase, when_from: from, when_to: to }: AssertionTable): SaidTime | undefined {
  return phrase === null ? undefined : { phrase, ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }
}

/** Gives the confidence of several statements: the highest, and for each of the others a part of the remaining doubt. */
export function confidenceOf(rows: readonly Pick<AssertionTable, 'confidence'>[]): number {
  const [most = 0, ...others] = rows.map(({ confidence }) => confidence).toSorted((a, b) => b - a)
  const doubt = others.reduce((left, confidence) => left * (1 - confidence / 2), 1 - most)
  return Math.max(most, Math.min(mostSure, Math.round((1 - doubt) * 1_000) / 1_000))
}

function writerOf(rows: readonly AssertionTable[]): string {
  return rows.some(({ writer }) => writer === byHand) ? byHand : (rows.at(-1)?.writer ?? '')
}

/** Lists the grounds of a fact. One statement that stands by itself makes them none. */
function groundsOf(rows: readonly AssertionTable[]): readonly string[] {
  const grounds = rows.map(({ depends_on: stored }): readonly string[] => JSON.parse(stored))
  return grounds.some(({ length }) => length === 0) ? [] : [...new Set(grounds.flat())]
}
