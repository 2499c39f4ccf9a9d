import type { PartitionId } from '../scope/partition.ts'
import { endingStates } from '../storage/known/assertion-ends.ts'
import { recordedUpTo, rowsBefore, rowsOfFact } from '../storage/known/assertion-rows.ts'
import { anyPredicate, durations, isNote, says } from '../storage/known/assertions.ts'
import { self } from '../storage/known/entities.ts'
import { countedRows } from '../storage/known/loose-rows.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { aimedEnds, endsOfAll } from './aimed-ends.ts'
import type { Holding } from './derive.ts'
import { type Entities, entitiesOf } from './entities.ts'
import { holdingsOf } from './holdings.ts'
import { askedToForget, dismissedForget } from '../models/writer.ts'
import { isPlan, isReplaceable, marriage, oppositeOf, rivalOf, type Valuing, valuedBy } from './predicates.ts'
import { type About, StatedRows } from './stated-rows.ts'

/** A holding of a subject and predicate, by their entity and key. */
export interface Standing extends Holding<AssertionTable> {
  readonly entity: string
  readonly predicate: string
}

/** The time of belief and the time of truth of a question: UTC milliseconds. */
export interface AskedTimes {
  readonly validAt: number
  readonly asOf: number
}

/** The most grounds that are looked at for one fact. Further ones are taken to stand. */
const mostGrounds = 10_000

/**
 * The most corrected objects of a subject and predicate that are derived by themselves. Each may read everything that
 * all of them were corrected from.
 */
const mostNarrowed = 32

/** Predicates whose ends may be about an object of any other one. */
const openly = [anyPredicate, 'uses', 'has']

/** The ids of facts on which each statement of a holding rests. */
type Rests = readonly (readonly string[])[]

/** The holdings of a partition, as of a time. Serves one question, and keeps all that it derived. */
export class Standings {
  readonly known: number
  readonly entities: Entities
  readonly #times: AskedTimes
  readonly #valuing: Valuing
  readonly #stated: StatedRows
  readonly #slots = new Map<string, readonly Standing[]>()
  readonly #narrowed = new Map<string, number>()
  readonly #cameBack = new Map<string, readonly AssertionTable[]>()
  readonly #byObject = new WeakMap<readonly Standing[], ReadonlyMap<string, readonly AssertionTable[]>>()
  readonly #open = new Map<string, readonly AssertionTable[]>()
  #before: number | undefined
  readonly #gone = new Map<string, boolean>()
  readonly #labels = new Map<string, string>()

  constructor(known: number, entities: Entities, times: AskedTimes, valuing: Valuing) {
    this.known = known
    this.entities = entities
    this.#stated = new StatedRows(known, entities)
    this.#times = times
    this.#valuing = valuing
  }

  /** Gives the ordinal before which all statements stand that were recorded by then. */
  *recordedBefore(): Program<number> {
    this.#before ??= Number.isFinite(this.#times.asOf) ? yield* recordedUpTo(this.known, this.#times.asOf) : Number.MAX_SAFE_INTEGER
    return this.#before
  }

  /** Gives the holdings of a statement's object, also disbelieved ones. */
  *ofRow(row: AssertionTable): Program<readonly Standing[]> {
    const object = this.entities.objectOf(row.predicate_key, row.object_key)
    return (yield* this.of(this.entities.of(row.subject_key), row.predicate_key, object)).filter((standing) => standing.object === object)
  }

  /** Reads in one go the statements that will be asked for one by one. */
  *readAhead(rows: readonly AssertionTable[]): Program<void> {
    const asked = rows.map((row) => ({
      entity: this.entities.of(row.subject_key),
      predicate: row.predicate_key,
      object: this.entities.objectOf(row.predicate_key, row.object_key),
    }))
    yield* this.#stated.readWhole(asked.filter(({ predicate }) => this.#valued(predicate) === undefined))
    const several: About[] = []
    for (const about of asked) {
      if (yield* this.#isWhole(about.entity, about.predicate)) continue
      const opposite = oppositeOf(about.predicate)
      several.push(about, ...(opposite === undefined ? [] : [{ ...about, predicate: opposite }]))
    }
    yield* this.#stated.read(several, rows)
  }

  /**
   * Gives the holdings of a subject and predicate. Where several objects may hold beside each other, it derives the one
   * object alone.
   */
  *of(entity: string, predicate: string, object: string | undefined): Program<readonly Standing[]> {
    const narrowed = (yield* this.#isWhole(entity, predicate)) ? undefined : object
    const key = JSON.stringify([entity, predicate, narrowed])
    // An earlier answer is given again, so that callers can compare holdings by identity.
    const known = this.#slots.get(key) ?? this.#slots.get(JSON.stringify([entity, predicate, undefined]))
    if (known !== undefined) return known
    const slot = JSON.stringify([entity, predicate])
    if (narrowed !== undefined && (this.#narrowed.get(slot) ?? 0) >= mostNarrowed) return yield* this.of(entity, predicate, undefined)
    yield* this.#stated.readSlots(entity, narrowed === undefined ? [predicate, ...openly] : openly)
    const rows = [
      ...(yield* countedRows(this.known, yield* this.#stated.of(entity, predicate, narrowed))),
      ...(yield* this.#opposites(entity, predicate, narrowed)),
      ...(yield* this.#rivals(entity, predicate)),
    ].map((row) => this.#merged(row))
    rows.push(...(yield* this.#endings(rows)))
    rows.push(
      ...aimedEnds(yield* this.#openEnds(entity, predicate), rows, predicate),
      ...endsOfAll(yield* this.#forgets(entity), rows, predicate),
    )
    if (narrowed !== undefined && rows.some((row) => row.instead_key !== null))
      this.#narrowed.set(slot, (this.#narrowed.get(slot) ?? 0) + 1)
    const standings = holdingsOf(rows, this.#valued(predicate), this.#times.asOf, isPlan(predicate)).map((holding) => ({
      ...holding,
      entity,
      predicate,
    }))
    this.#slots.set(key, standings)
    return standings
  }

  /** Tells whether one object holds at a time; undefined when the statements decide. */
  #valued(predicate: string): boolean | undefined {
    const valued = valuedBy(this.#valuing, predicate)
    return valued === undefined ? undefined : valued === 'single'
  }

  /** Tells whether all objects are derived together. */
  *#isWhole(entity: string, predicate: string): Program<boolean> {
    return this.#valued(predicate) ?? (yield* this.#stated.isWhole(entity, predicate))
  }

  /** Gives a subject's name as it was said; of merged names, the main one. */
  *subjectOf({ entity, rows }: Standing): Program<string> {
    if (entity === self) return this.entities.label
    const known =
      this.#labels.get(entity) ??
      rows.findLast((row) => row.subject_key === entity)?.subject ??
      (yield* this.#saidName(entity)) ??
      rows.at(-1)?.subject ??
      entity
    this.#labels.set(entity, known)
    return known
  }

  /** Finds a merged entity's name in statements about others. */
  *#saidName(entity: string): Program<string | undefined> {
    const [subject] = yield* rowsBefore(this.known, { subject: entity }, Number.MAX_SAFE_INTEGER, 1)
    if (subject !== undefined) return subject.subject
    return (yield* rowsBefore(this.known, { object: entity }, Number.MAX_SAFE_INTEGER, 1))[0]?.object
  }

  /** Makes ends from later statements that say the same state in other words, and are believed. */
  *#endings(rows: readonly AssertionTable[]): Program<readonly AssertionTable[]> {
    const held = new Map(rows.filter((row) => row.says === says.is).map((row) => [row.ord, row]))
    if (held.size === 0) return []
    const found = yield* endingStates(this.known, [...held.keys()])
    const ends: AssertionTable[] = []
    const slots = new Map<string, readonly AssertionTable[]>()
    for (const { ended, ...row } of found) {
      const slot = JSON.stringify([row.subject_key, row.predicate_key])
      const others = slots.get(slot) ?? (yield* this.#stated.of(this.entities.of(row.subject_key), row.predicate_key, undefined))
      slots.set(slot, others)
      const before = held.get(ended)
      // It cannot have ended before it was said to hold. A correction still says that it is over, a retraction does not.
      if (before !== undefined && !others.some((other) => this.#takesBack(other, row)))
        ends.push({ ...endOf(row, before.object_key), valid_until: Math.max(row.valid_from ?? row.said_at, before.said_at) })
    }
    return ends
  }

  /** Tells whether a statement takes another one back, as far as is known at the time of belief. */
  #takesBack(later: AssertionTable, row: AssertionTable): boolean {
    const isLater = later.said_at > row.said_at || (later.said_at === row.said_at && later.ord > row.ord)
    const isKnown = later.recorded_at <= this.#times.asOf && (later.withdrawn_at === null || later.withdrawn_at > this.#times.asOf)
    return later.says === says.wrong && later.object_key === row.object_key && isLater && isKnown
  }

  /**
   * Gives the ends that name no predicate: "forget what I said about the car". A tool that is no longer used, or a thing
   * that was sold, is out under every attribute, but its name may also be that of a firm, a sister or a dog: those stand.
   */
  *#openEnds(entity: string, predicate: string): Program<readonly AssertionTable[]> {
    if (predicate === anyPredicate) return []
    if (!this.#open.has(entity)) {
      const rows: AssertionTable[] = []
      for (const known of openly) rows.push(...(yield* this.#stated.of(entity, known, undefined)))
      this.#open.set(
        entity,
        rows.filter((row) => row.says === says.ends && row.object_key !== ''),
      )
    }
    return (this.#open.get(entity) ?? []).filter((row) => row.predicate_key !== predicate && (isForget(row) || isReplaceable(predicate)))
  }

  /**
   * Gives the user's requests to forget what was said of somebody else: "forget what I said about Anna". They end nothing
   * that Anna said of herself.
   */
  *#forgets(entity: string): Program<readonly AssertionTable[]> {
    if (entity === self) return []
    const rows = yield* this.#stated.of(self, anyPredicate, undefined)
    return rows.filter((row) => isForget(row) && this.entities.of(row.object_key) === entity).map((row) => ({ ...row, of_other: 2 }))
  }

  /** Makes ends from opposites: a person who says that he dislikes something no longer likes it. */
  *#opposites(entity: string, predicate: string, object: string | undefined): Program<readonly AssertionTable[]> {
    const opposite = oppositeOf(predicate)
    if (opposite === undefined) return []
    return (yield* this.#believed(entity, opposite, object)).map((row) => endOf(row, row.object_key))
  }

  /** Makes ends from rivals: a married person has no other partner, and the other way about. */
  *#rivals(entity: string, predicate: string): Program<readonly AssertionTable[]> {
    const rival = rivalOf(predicate)
    if (rival === undefined) return []
    const rows = yield* this.#believed(entity, rival, undefined)
    const objects =
      rows.length === 0
        ? []
        : [...new Set((yield* this.#stated.of(entity, predicate, undefined)).map((row) => this.#merged(row).object_key))]
    // A spouse is still a partner: the marriage does not end that.
    return rows.flatMap((row) =>
      objects.filter((object) => predicate !== marriage || object !== row.object_key).map((object) => endOf(row, object)),
    )
  }

  *#believed(entity: string, predicate: string, object: string | undefined): Program<readonly AssertionTable[]> {
    const rows = (yield* this.#stated.of(entity, predicate, object)).map((row) => this.#merged(row))
    return holdingsOf(rows, this.#valued(predicate), this.#times.asOf)
      .filter(({ isBelieved }) => isBelieved)
      .flatMap((holding) => holding.rows)
  }

  /** Gives all statements of a fact, over all the times at which it held. It gives the same list each time. */
  *sameFact({ entity, predicate, object, isBelieved, rows }: Standing): Program<readonly AssertionTable[]> {
    if (!isBelieved) return rows
    const key = JSON.stringify([entity, predicate, object])
    const known = this.#cameBack.get(key)
    if (known !== undefined) return known
    const all = this.#believedIn(yield* this.of(entity, predicate, object)).get(object) ?? []
    this.#cameBack.set(key, all)
    return all
  }

  /** Gives the statements of the believed holdings of a list, by their object: one look at a list serves all of its facts. */
  #believedIn(standings: readonly Standing[]): ReadonlyMap<string, readonly AssertionTable[]> {
    const known = this.#byObject.get(standings)
    if (known !== undefined) return known
    const found = new Map<string, AssertionTable[]>()
    for (const { isBelieved, object, rows } of standings) {
      if (!isBelieved) continue
      const some = found.get(object)
      if (some === undefined) found.set(object, [...rows])
      else some.push(...rows)
    }
    this.#byObject.set(standings, found)
    return found
  }

  /** Tells whether a statement alone may hold at the time: it began by then, or takes the place of one that may have. */
  mayHold({ valid_from: from, said_at: said, instead_key: instead }: AssertionTable): boolean {
    return instead !== null || (from ?? said) <= this.#times.validAt
  }

  isValid({ isBelieved, from, until }: Standing): boolean {
    return isBelieved && from <= this.#times.validAt && this.#times.validAt < until
  }

  /** Tells whether a holding is an event that is over at the time. It is told with its day, and holds no more. */
  isPastEvent({ isBelieved, until, rows }: Standing): boolean {
    return isBelieved && until <= this.#times.validAt && rows.every((row) => row.says === says.is && row.passing === durations.once)
  }

  /** Tells whether a holding is valid by persons' words, and not by an agent's note alone. */
  isSaid(standing: Standing): boolean {
    return this.isValid(standing) && standing.isUnverified !== true && !standing.rows.every(isNote)
  }

  /** Tells whether all statements of a holding rest on a fact that no longer holds. */
  *isDoubtful({ rows }: Standing): Program<boolean> {
    const grounds = rows.map(groundsOf)
    if (grounds.some(({ length }) => length === 0)) return false
    yield* this.#settle(grounds.flat())
    return this.#haveFallen(grounds)
  }

  #haveFallen(grounds: Rests): boolean {
    return grounds.every((some) => some.some((fact) => this.#gone.get(fact) === true))
  }

  /**
   * Finds the gone facts among these and all of their grounds: facts that do not hold, then facts whose every holding
   * rests on a gone one. Facts that rest on themselves stand as long as nothing else falls. Each is looked at once, in
   * however many circles it is.
   */
  *#settle(facts: readonly string[]): Program<void> {
    const found = new Map<string, readonly Rests[]>()
    const resting = new Map<string, string[]>()
    const fallen: string[] = []
    const waiting = facts.filter((fact) => !this.#gone.has(fact))
    for (let fact = waiting.pop(); fact !== undefined; fact = waiting.pop()) {
      if (found.has(fact) || found.size >= mostGrounds) continue
      const holdings = yield* this.#holdingsOf(fact)
      found.set(fact, holdings)
      if (holdings.every((grounds) => this.#haveFallen(grounds))) fallen.push(fact)
      for (const ground of new Set(holdings.flat(2))) {
        if (this.#gone.has(ground)) continue
        resting.set(ground, [...(resting.get(ground) ?? []), fact])
        waiting.push(ground)
      }
    }
    for (let fact = fallen.pop(); fact !== undefined; fact = fallen.pop()) {
      if (this.#gone.get(fact) === true) continue
      this.#gone.set(fact, true)
      fallen.push(...(resting.get(fact) ?? []).filter((other) => (found.get(other) ?? []).every((grounds) => this.#haveFallen(grounds))))
    }
    for (const fact of found.keys()) if (!this.#gone.has(fact)) this.#gone.set(fact, false)
  }

  /** Gives the grounds of a fact, for each time at which it holds; none when it does not hold. */
  *#holdingsOf(fact: string): Program<readonly Rests[]> {
    const [row] = yield* rowsOfFact(this.known, fact)
    const standings = row === undefined ? [] : yield* this.ofRow(row)
    const isRefuted = ({ isUnverified, rows }: Standing): boolean => isUnverified === true && rows.every(isNote)
    return standings.filter((one) => this.isValid(one) && !isRefuted(one)).map(({ rows }) => rows.map(groundsOf))
  }

  /** Gives a statement with one key for all names of an entity. */
  #merged(row: AssertionTable): AssertionTable {
    const object = this.entities.objectOf(row.predicate_key, row.object_key)
    const instead = row.instead_key === null ? null : this.entities.objectOf(row.predicate_key, row.instead_key)
    // The user spoke by a name of the user's own.
    const other = row.of_other === 2 && this.entities.of(row.subject_key) === self ? 0 : row.of_other
    const isAsStored = object === row.object_key && instead === row.instead_key && other === row.of_other
    return isAsStored ? row : { ...row, object_key: object, instead_key: instead, of_other: other }
  }
}

/** Tells whether an end was asked for by a person: "forget …". */
function isForget(row: AssertionTable): boolean {
  return row.says === says.ends && !isNote(row) && (row.predicate === askedToForget || row.predicate === dismissedForget)
}

/** Makes a statement into the end of another that cannot hold beside it. */
function endOf(row: AssertionTable, object: string): AssertionTable {
  return { ...row, says: says.ends, object_key: object, valid_until: row.valid_from ?? row.said_at, instead_key: null }
}

function groundsOf({ depends_on: grounds }: AssertionTable): readonly string[] {
  return grounds === '[]' ? [] : JSON.parse(grounds)
}

/** Gives the id of a holding: that of its first statement's fact. */
export function factId({ rows }: Holding<AssertionTable>): string {
  const [first] = rows
  return first === undefined ? '' : uuidText(first.fact)
}

export function* standingsOf(partition: PartitionId, known: number, times: AskedTimes, valuing: Valuing): Program<Standings> {
  return new Standings(known, yield* entitiesOf(partition, known, times.asOf), times, valuing)
}
