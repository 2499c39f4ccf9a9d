import { NotFound } from '../errors/not-found.ts'
import type { PartitionId } from '../scope/partition.ts'
import { type RowFilter, rowsBefore, rowsOfFact } from '../storage/known/assertion-rows.ts'
import { anyPredicate, says } from '../storage/known/assertions.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import { findKnown, projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { Fact } from './fact.ts'
import { objectKey } from './keys.ts'
import { predicateKey } from './predicates.ts'
import { cursorTo, type Listed, type ListRequest, placeOf } from '../storage/listed.ts'
import { type FactRequest, mostFactsTold } from './request.ts'
import { valuingOf } from './settings.ts'
import { showFacts, showFitting, versionOfHolding } from './show-fact.ts'
import { type AskedTimes, factId, type Standing, type Standings, standingsOf } from './standing.ts'

/** Statements that are read in one go. */
const rowsPerPage = 256
/** Extra statements in the first go, beside the wanted number. */
const spareRows = 16

/** Reads the facts of a partition, as of some times; undefined while there are none. */
export function* knownAt(partition: PartitionId, times: AskedTimes): Program<Standings | undefined> {
  const known = yield* findKnown(partition)
  if (known === undefined) return undefined
  return yield* standingsOf(partition, known.id, times, valuingOf(yield* projectSettings(partition.project)))
}

/** A page of a counted list. `skipped` facts came before it; `needed` must be known to tell whether more come after it. */
interface CountedPage {
  readonly list: string
  readonly skipped: number
  readonly limit: number
  readonly needed: number
}

function countedPage(list: string, request: ListRequest): CountedPage {
  const skipped = Number(placeOf(list, request, /(\d{1,4})/)?.[0] ?? 0)
  return { list, skipped, limit: request.limit, needed: Math.min(mostFactsTold, skipped + request.limit + 1) }
}

/** Shows the facts of a page, as many as there is room for. `all` is the list from its begin. */
function* tellPage(standings: Standings, all: readonly Standing[], { list, skipped, limit }: CountedPage): Program<Listed<Fact>> {
  const most = Math.min(all.length, mostFactsTold)
  const items = yield* showFitting(standings, all.slice(skipped, Math.min(most, skipped + limit)))
  const end = skipped + items.length
  return { items, ...(items.length > 0 && end < most ? { cursor: cursorTo(list, end) } : {}) }
}

/** Finds facts that held at a time, as believed at another; the last said first. */
export function* queryFacts(partition: PartitionId, request: FactRequest): Program<Listed<Fact>> {
  const page = countedPage('fact', request)
  const standings = yield* knownAt(partition, request)
  if (standings === undefined) return { items: [] }
  return yield* tellPage(standings, yield* chosenOf(standings, request, page.needed), page)
}

/** Makes filters by keys: one for each name of the subject and the object. */
function filtersOf({ entities }: Standings, { subject, predicate, object }: FactRequest): RowFilter[] {
  const subjects = subject === undefined ? [undefined] : entities.namesOf(entities.asked(subject))
  const objects = object === undefined ? [undefined] : entities.namesOf(entities.of(objectKey(object)))
  const key = predicate === undefined ? {} : { predicate: predicateKey(predicate) }
  return subjects.flatMap((name) =>
    objects.map((one) => ({ ...(name === undefined ? {} : { subject: name }), ...key, ...(one === undefined ? {} : { object: one }) })),
  )
}

/** Chooses facts that hold, the last said first; at least the needed number, if there are as many. */
function* chosenOf(standings: Standings, request: FactRequest, needed: number): Program<readonly Standing[]> {
  const found = new Map<Standing, number>()
  for (const filter of filtersOf(standings, request)) yield* collect(standings, filter, needed, found)
  return [...found]
    .filter(([standing]) => standings.isValid(standing))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, needed)
    .map(([standing]) => standing)
}

/** Goes through statements from the newest back, until enough hold. */
function* collect(standings: Standings, filter: RowFilter, limit: number, found: Map<Standing, number>): Program<void> {
  const seen = new Set<string>()
  let valid = 0
  let before = yield* standings.recordedBefore()
  let page = Math.min(rowsPerPage, limit + spareRows)
  for (;;) {
    const rows = yield* rowsBefore(standings.known, filter, before, page)
    const fitting = rows.filter((row) => row.says === says.is && standings.mayHold(row) && matches(row, filter) && !isSeen(seen, row))
    while (fitting.length > 0) {
      valid += yield* collectFrom(standings, fitting.splice(0, limit - valid), found)
      if (valid >= limit) return
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < page) return
    before = last.ord
    page = rowsPerPage
  }
}

/** Adds the facts of some statements. Gives the number of valid facts that are new. */
function* collectFrom(standings: Standings, rows: readonly AssertionTable[], found: Map<Standing, number>): Program<number> {
  let valid = 0
  yield* standings.readAhead(rows)
  for (const row of rows) {
    for (const standing of yield* standings.ofRow(row)) {
      const before = found.get(standing)
      // An entity may have several names. Its place is that of the last statement under any of them, however many are
      // read.
      found.set(standing, Math.max(row.ord, before ?? 0))
      if (before === undefined && standings.isValid(standing)) valid += 1
    }
  }
  return valid
}

function matches(row: AssertionTable, { subject, predicate, object }: RowFilter): boolean {
  return (
    (subject === undefined || row.subject_key === subject) &&
    (predicate === undefined || row.predicate_key === predicate) &&
    (object === undefined || row.object_key === object)
  )
}

function isSeen(seen: Set<string>, { subject_key: subject, predicate_key: predicate, object_key: object }: AssertionTable): boolean {
  const key = `${subject}\n${predicate}\n${object}`
  if (seen.has(key)) return true
  seen.add(key)
  return false
}

/** Finds a fact by its id, in its standing or its last form. NotFound for another partition's. */
export function* factById(standings: Standings | undefined, id: string): Program<Standing> {
  const best = standings === undefined ? undefined : yield* standingOf(standings, id)
  if (best === undefined) throw new NotFound({ kind: 'fact', id })
  return best
}

function* standingOf(standings: Standings, id: string): Program<Standing | undefined> {
  const rows = yield* rowsOfFact(standings.known, id)
  const row = rows.find((one) => one.says === says.is)
  const found = row === undefined ? [] : yield* standings.ofRow(row)
  return (
    found.find((standing) => standings.isValid(standing)) ??
    found.toSorted((a, b) => Number(a.isBelieved) - Number(b.isBelieved) || byStart(a, b)).at(-1)
  )
}

/** Reads the facts with some ids as they stood at a time, by id; without those that are gone. */
export function* factsWith(partition: PartitionId, ids: readonly string[], times: AskedTimes): Program<ReadonlyMap<string, Fact>> {
  const standings = yield* knownAt(partition, times)
  if (standings === undefined) return new Map()
  const chosen = new Map<string, Standing>()
  for (const id of ids) {
    const standing = yield* standingOf(standings, id)
    if (standing !== undefined) chosen.set(id, standing)
  }
  // An earlier statement may have come since: then the fact has another id now.
  const facts = yield* showFacts(standings, [...chosen.values()])
  return new Map([...chosen.keys()].flatMap((id, place) => (facts[place] === undefined ? [] : [[id, facts[place]] as const])))
}

/** Gives the version of a fact, in its standing or its last form. NotFound for another partition's. */
export function* factVersion(partition: PartitionId, id: string, now: number): Program<string> {
  return versionOfHolding(yield* factById(yield* knownAt(partition, { validAt: now, asOf: Number.POSITIVE_INFINITY }), id))
}

/** Shows a fact with its sources. NotFound for another partition's, and for a forgotten one. */
export function* tellFact(partition: PartitionId, id: string, now: number): Program<Fact> {
  const standings = yield* knownAt(partition, { validAt: now, asOf: Number.POSITIVE_INFINITY })
  const standing = yield* factById(standings, id)
  const [told] = standings === undefined ? [] : yield* showFacts(standings, [standing])
  if (told === undefined) throw new NotFound({ kind: 'fact', id })
  return told
}

/**
 * Lists all that was ever believed of a subject and predicate, or of a fact's slot, but for edits by hand that were taken
 * back. The first to begin comes first.
 */
export function* factHistory(
  partition: PartitionId,
  of: { readonly id: string } | { readonly subject: string; readonly predicate: string | undefined },
  request: ListRequest,
  now: number,
): Program<Listed<Fact>> {
  const page = countedPage('history', request)
  const standings = yield* knownAt(partition, { validAt: now, asOf: Number.POSITIVE_INFINITY })
  if (standings === undefined) {
    if ('id' in of) throw new NotFound({ kind: 'fact', id: of.id })
    return { items: [] }
  }
  if ('id' in of) {
    const { entity, predicate } = yield* factById(standings, of.id)
    return yield* tellPage(standings, (yield* wholeSlot(standings, entity, predicate)).toSorted(byStart), page)
  }
  const { subject, predicate } = of
  const entity = standings.entities.asked(subject)
  const predicates = predicate === undefined ? yield* predicatesOf(standings, entity) : [predicateKey(predicate)]
  const all: Standing[] = []
  for (const key of predicates) {
    if (all.length >= page.needed) break
    all.push(...(yield* wholeSlot(standings, entity, key)).toSorted(byStart))
  }
  return yield* tellPage(standings, all, page)
}

function* predicatesOf(standings: Standings, entity: string): Program<readonly string[]> {
  const found = new Set<string>()
  for (const subject of standings.entities.namesOf(entity)) {
    for (const row of yield* rowsBefore(standings.known, { subject }, Number.MAX_SAFE_INTEGER, mostFactsTold)) found.add(row.predicate_key)
  }
  found.delete(anyPredicate)
  return [...found].toSorted()
}

function* wholeSlot(standings: Standings, entity: string, predicate: string): Program<readonly Standing[]> {
  return (yield* standings.of(entity, predicate, undefined)).slice(0, mostFactsTold)
}

function byStart(a: Standing, b: Standing): number {
  return a.from - b.from || (a.rows[0]?.said_at ?? 0) - (b.rows[0]?.said_at ?? 0) || factId(a).localeCompare(factId(b))
}

/** Finds facts that stand now within some steps of a name: its own, then those of the names in them. */
export function* factsAround(
  partition: PartitionId,
  name: string,
  { hops, limit, cursor, ...times }: AskedTimes & ListRequest & { readonly hops: number },
): Program<Listed<Fact & { readonly hops: number }>> {
  const page = countedPage('around', { limit, cursor })
  const standings = yield* knownAt(partition, times)
  if (standings === undefined) return { items: [] }
  const found = yield* foundAround(standings, name, hops, page.needed)
  const told = yield* tellPage(standings, [...found.keys()], page)
  const reached = [...found.values()].slice(page.skipped)
  return { ...told, items: told.items.map((fact, place) => ({ ...fact, hops: reached[place] ?? 1 })) }
}

/** Finds holdings within some steps of a name, with the number of steps to each. The nearest come first, up to the limit. */
function* foundAround(standings: Standings, name: string, hops: number, limit: number): Program<ReadonlyMap<Standing, number>> {
  const found = new Map<Standing, number>()
  let border = new Set([standings.entities.asked(name)])
  const visited = new Set(border)
  for (let hop = 1; hop <= hops && border.size > 0 && found.size < limit; hop += 1) {
    const next = new Set<string>()
    for (const entity of border) {
      for (const standing of yield* touching(standings, entity, limit)) {
        if (found.size >= limit) break
        if (!found.has(standing)) found.set(standing, hop)
        for (const other of [standing.entity, standings.entities.of(standing.object)]) {
          if (!visited.has(other)) next.add(other)
          visited.add(other)
        }
      }
    }
    border = next
  }
  return found
}

/** Gives the facts that hold with an entity as their subject or object. */
function* touching(standings: Standings, entity: string, limit: number): Program<readonly Standing[]> {
  const found = new Map<Standing, number>()
  for (const name of standings.entities.namesOf(entity)) {
    yield* collect(standings, { subject: name }, limit, found)
    yield* collect(standings, { object: name }, limit, found)
  }
  return [...found.keys()].filter((standing) => standings.isValid(standing))
}
