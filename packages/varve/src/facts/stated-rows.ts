import { areWhole, ordsAbout, rowsAt, rowsOfSlots, type Slot } from '../storage/known/assertion-rows.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import type { Program } from '../storage/program.ts'
import type { Entities } from './entities.ts'

/** The slot of statements: an entity, a predicate's key, and the entity that is its object. */
export interface About {
  readonly entity: string
  readonly predicate: string
  readonly object: string
}

/** Statements by the entities that they are about. Serves one question: reads each statement once, and many in one go. */
export class StatedRows {
  readonly #known: number
  readonly #entities: Entities
  readonly #rows = new Map<number, AssertionTable>()
  readonly #about = new Map<string, readonly number[]>()
  readonly #whole = new Map<string, boolean>()
  readonly #slots = new Map<string, readonly AssertionTable[]>()

  constructor(known: number, entities: Entities) {
    this.#known = known
    this.#entities = entities
  }

  /**
   * Gives the statements that are derived together: all of a subject and predicate, or those about one object and the
   * objects that it corrected.
   */
  *of(entity: string, predicate: string, object: string | undefined): Program<readonly AssertionTable[]> {
    if (object === undefined) {
      yield* this.readSlots(entity, [predicate])
      return this.#slots.get(keyOf(entity, predicate)) ?? []
    }
    const rows = new Set<AssertionTable>()
    const read = new Set([object])
    for (const next of read) {
      yield* this.read([{ entity, predicate, object: next }])
      for (const ord of this.#about.get(keyOf(entity, predicate, next)) ?? []) {
        const row = this.#rows.get(ord)
        if (row === undefined) continue
        rows.add(row)
        if (row.instead_key !== null && this.#entities.objectOf(predicate, row.object_key) === next)
          read.add(this.#entities.objectOf(predicate, row.instead_key))
      }
    }
    return [...rows]
  }

  /** Reads in one go all statements of some predicates about an entity. */
  *readSlots(entity: string, predicates: readonly string[]): Program<void> {
    const unread = predicates.filter((predicate) => !this.#slots.has(keyOf(entity, predicate)))
    if (unread.length === 0) return
    const rows = yield* rowsOfSlots(this.#known, this.#entities.namesOf(entity), unread)
    const found = Map.groupBy(rows, (row) => row.predicate_key)
    for (const predicate of unread) this.#slots.set(keyOf(entity, predicate), found.get(predicate) ?? [])
  }

  /** Reads the statements about each slot. Rows at hand are not read again. */
  *read(asked: readonly About[], atHand: readonly AssertionTable[] = []): Program<void> {
    for (const row of atHand) this.#rows.set(row.ord, row)
    const unread = new Map(
      asked.map((one) => [keyOf(one.entity, one.predicate, one.object), one] as const).filter(([key]) => !this.#about.has(key)),
    )
    const places = [...unread].flatMap(([key, { object, ...slot }]) =>
      this.#slotsOf(slot).flatMap((names) =>
        this.#entities.namesOfObject(slot.predicate, object).map((name) => ({ key, asked: { ...names, object: name } })),
      ),
    )
    if (places.length === 0) return
    const found = yield* ordsAbout(
      this.#known,
      places.map((place) => place.asked),
    )
    for (const [place, { key }] of places.entries()) this.#about.set(key, [...(this.#about.get(key) ?? []), ...(found[place] ?? [])])
    const missing = found.flat().filter((ord) => !this.#rows.has(ord))
    if (missing.length > 0) for (const row of yield* rowsAt(this.#known, missing)) this.#rows.set(row.ord, row)
  }

  /** Tells whether the objects of a predicate depend on each other: one at a time, or ended without a name. */
  *isWhole(entity: string, predicate: string): Program<boolean> {
    yield* this.readWhole([{ entity, predicate }])
    return this.#whole.get(keyOf(entity, predicate)) ?? false
  }

  /** Reads for each slot whether its objects depend on each other. */
  *readWhole(asked: readonly Omit<About, 'object'>[]): Program<void> {
    const unread = new Map(asked.map((one) => [keyOf(one.entity, one.predicate), one] as const).filter(([key]) => !this.#whole.has(key)))
    const places = [...unread].flatMap(([key, slot]) => this.#slotsOf(slot).map((names) => ({ key, asked: names })))
    if (places.length === 0) return
    const found = yield* areWhole(
      this.#known,
      places.map((place) => place.asked),
    )
    for (const [place, { key }] of places.entries()) this.#whole.set(key, found[place] === true || this.#whole.get(key) === true)
  }

  #slotsOf({ entity, predicate }: Omit<About, 'object'>): Slot[] {
    return this.#entities.namesOf(entity).map((subject) => ({ subject, predicate }))
  }
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}
