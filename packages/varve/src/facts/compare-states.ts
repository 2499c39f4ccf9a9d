import { type ExtractiveWriter, extractive, type SaidState } from '../models/writer.ts'
import { valuedOf } from './predicates.ts'
import { type ComparedStates, endingStates, freshStates } from '../storage/known/assertion-ends.ts'
import { type FactSource, rowsBefore, sourcesIn } from '../storage/known/assertion-rows.ts'
import { durations, says } from '../storage/known/assertions.ts'
import { isLoose } from '../storage/known/loose-rows.ts'
import { self } from '../storage/known/entities.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import { abreast, answer, type Program } from '../storage/program.ts'

/** The statements about one subject with which a new one is compared: the newest. */
const mostCompared = 200

/** The subjects whose statements are read at once: each takes some hundreds of rows. */
const subjectsAtOnce = 8

/**
 * Compares the new statements of a partition with the others about the same subject: of each two, the later one may end
 * the earlier one in other words. `statesEndedBy` tells whether it does. Two statements of one predicate need no
 * comparison where that has one object at a time. A passing state and an event end nothing.
 */
export function* newStateEnds({ source, known }: KnownPlace, statesEndedBy: ExtractiveWriter['statesEndedBy']): Program<ComparedStates> {
  const fresh = yield* freshStates(known)
  const subjects = [...Map.groupBy(fresh, ownerOf)]
  const ends = yield* abreast(
    subjects.map(([subject, some]) => endsAmong({ source, known }, subject, some, statesEndedBy)),
    subjectsAtOnce,
  )
  return { partition: known, compared: fresh.map(({ ord }) => ord), ends: ends.flat() }
}

/** The partition of statements, and the one from whose messages they were read. */
interface KnownPlace {
  readonly source: number
  readonly known: number
}

type End = ComparedStates['ends'][number]

/** Finds the ends among new statements about a subject and the others about it. */
function* endsAmong(
  { source, known }: KnownPlace,
  subject: string,
  fresh: readonly AssertionTable[],
  statesEndedBy: ExtractiveWriter['statesEndedBy'],
): Program<readonly End[]> {
  const others = (yield* earlierOf(known, subject)).filter(isHolding)
  const rows = [...new Map([...others, ...fresh].map((row) => [row.ord, row])).values()]
  const ords = rows.map(({ ord }) => ord)
  const [sources, standing] = yield* abreast([sourcesIn(source, known, ords), endingStates(known, ords)])
  const [states, between] = [statesOf(rows, sources), new KnownEnds(standing)]
  const isFresh = new Set(fresh.map(({ ord }) => ord))
  const ends: End[] = []
  for (const later of rows.toSorted((a, b) => (isSaidBefore(a, b) ? -1 : 1))) {
    const after = states.get(later.ord)
    if (after === undefined || later.passing !== durations.on) continue
    const open = new Map<SaidState, AssertionTable>()
    for (const earlier of rows) {
      const isNew = isFresh.has(later.ord) || isFresh.has(earlier.ord)
      const before = states.get(earlier.ord)
      const isOpen = isNew && isSaidBefore(earlier, later) && !isSame(later, earlier) && between.count(earlier, later) < mostEnds
      if (before !== undefined && isOpen && isOfOne(later, earlier, after, before)) open.set(before, earlier)
    }
    for (const ended of statesEndedBy(after, [...open.keys()])) {
      const earlier = open.get(ended)
      if (earlier === undefined) continue
      ends.push({ later: later.ord, earlier: earlier.ord })
      between.add(earlier, later)
    }
  }
  return ends
}

/** The key of the person or thing whose states are compared with each other. The user's things count as the user's. */
function ownerOf(row: AssertionTable): string {
  return isOfThing(row) ? self : row.subject_key
}

/** A subject without a capital is a thing: `tickets`. */
function isOfThing({ subject, subject_key: key }: AssertionTable): boolean {
  return key !== self && !/\p{Lu}/u.test(subject)
}

/** Tells whether two statements have one subject, or the one about the user says the thing that the other one is about. */
function isOfOne(later: AssertionTable, earlier: AssertionTable, after: SaidState, before: SaidState): boolean {
  const says = ({ text }: SaidState, { subject, subject_key: key }: AssertionTable): boolean =>
    key !== self && text.toLowerCase().includes(subject.toLowerCase())
  return (
    later.subject_key === earlier.subject_key ||
    (says(before, later) && says(after, later)) ||
    (says(after, earlier) && says(before, earlier))
  )
}

function* earlierOf(partition: number, subject: string): Program<readonly AssertionTable[]> {
  const [own, newest] = yield* abreast([
    rowsBefore(partition, { subject }, Number.MAX_SAFE_INTEGER, mostCompared),
    subject === self ? rowsBefore(partition, {}, Number.MAX_SAFE_INTEGER, mostCompared) : answer([]),
  ])
  return [...own, ...newest.filter(isOfThing)]
}

function isHolding({ says: kind, withdrawn_at: withdrawn, session_id: session }: AssertionTable): boolean {
  return kind === says.is && withdrawn === null && session > 0
}

function isSaidBefore(a: AssertionTable, b: AssertionTable): boolean {
  return a.said_at < b.said_at || (a.said_at === b.said_at && a.ord < b.ord)
}

/** The ends of one statement that are kept: the nearest ones. A further one says nothing new, unless all of these are taken back. */
const mostEnds = 3

/** The times at which the known ends of statements were said. */
class KnownEnds {
  readonly #saidAt = new Map<number, number[]>()

  constructor(known: readonly { readonly ended: number; readonly said_at: number }[]) {
    for (const { ended, said_at: at } of known) this.#add(ended, at)
  }

  add(earlier: AssertionTable, { said_at: at }: AssertionTable): void {
    this.#add(earlier.ord, at)
  }

  /** Counts the ends of a statement that were said before another. */
  count({ ord }: AssertionTable, { said_at: at }: AssertionTable): number {
    return (this.#saidAt.get(ord) ?? []).filter((other) => other <= at).length
  }

  #add(ord: number, at: number): void {
    const known = this.#saidAt.get(ord)
    if (known === undefined) this.#saidAt.set(ord, [at])
    else known.push(at)
  }
}

/** Known predicates of which one object may take another's place, though several may hold. */
const replaceable: ReadonlySet<string> = new Set(['uses', 'takes', 'has', 'prefers'])

/**
 * Tells whether two statements need no comparison: they say the same, or their predicates decide. Of one with a single
 * object the later statement ends the earlier one anyway. Likings and kin hold beside each other, and so do the objects
 * that a model tells of one predicate. Two known predicates say different things.
 */
function isSame(a: AssertionTable, b: AssertionTable): boolean {
  if (a.object_key === b.object_key) return true
  const isByModel = a.writer !== extractive || b.writer !== extractive
  const [isKnown, isOtherKnown] = [a, b].map(({ predicate_key: key }) => valuedOf(key) !== undefined && !replaceable.has(key))
  if (a.predicate_key !== b.predicate_key) return isKnown === true && isOtherKnown === true
  return a.single === 1 || b.single === 1 || isKnown === true || isByModel
}

function statesOf(rows: readonly AssertionTable[], sources: ReadonlyMap<number, readonly FactSource[]>): ReadonlyMap<number, SaidState> {
  return new Map(
    rows.map((row) => [
      row.ord,
      {
        predicate: isOfThing(row) ? `${row.subject.toLowerCase()} ${row.predicate_key}` : row.predicate_key,
        object: row.object,
        text: sources.get(row.ord)?.[0]?.text ?? '',
        at: row.said_at,
        isLoose: isLoose(row),
      },
    ]),
  )
}
