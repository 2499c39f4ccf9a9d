import { isNote, says } from '../storage/known/assertions.ts'
import type { CitedRow, StatedKeys, StatedPlace } from '../storage/known/ended-states.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import type { Program } from '../storage/program.ts'
import { objectKey } from './keys.ts'
import { type Valuing, predicateWords, valuedBy } from './predicates.ts'
import type { Standing, Standings } from './standing.ts'

/** The part of a message in a chain: it states the object that holds now, states one that held, or only ends one. */
export type ChainRole = 'holds' | 'held' | 'ends'

/** A message of a chain. */
interface Member {
  readonly session: string
  readonly seq: number
  readonly role: ChainRole
}

/** The messages that state one thing, one after the other: all of a subject and predicate, or one object of several. */
export interface Chain {
  /** The words of its predicate and its objects. */
  readonly words: string
  /** True when an object of it holds now. */
  readonly holds: boolean
  /** The newest statement of the object that holds now; absent where only a person's edit states it. */
  readonly newest: StatedPlace | undefined
  /** The messages of it that were asked about, a row for each statement. */
  readonly members: readonly Member[]
}

/** A chain while it is gathered. */
interface Gathered {
  readonly entity: string
  readonly predicate: string
  readonly isSingle: boolean
  /** By the ordinal of a statement. */
  readonly roles: Map<number, ChainRole>
  /** Its predicate and objects, as they were said. */
  readonly said: Map<string, Pick<StatedKeys, 'predicate' | 'object'>>
  /** Statements of the objects that hold now, by the objects' keys. */
  readonly current: Map<string, readonly StatedKeys[]>
}

/** A holding that is over, and its chain. */
export interface EndedHolding {
  readonly standing: Standing
  readonly chain: Gathered
}

/** The newest statements of a chain's present object whose messages are looked up. */
const mostPlaced = 4

/** Gathers the chains of ended states. Serves one question. */
export class Chains {
  readonly #standings: Standings
  readonly #valuing: Valuing
  readonly #now: number
  readonly #chains = new Map<string, Gathered>()

  constructor(standings: Standings, valuing: Valuing, now: number) {
    this.#standings = standings
    this.#valuing = valuing
    this.#now = now
  }

  get isEmpty(): boolean {
    return this.#chains.size === 0
  }

  /** Adds the chain of a holding that is over. */
  *add(standing: Standing): Program<EndedHolding> {
    const { entity, predicate, object } = standing
    const slot = yield* this.#standings.of(entity, predicate, object)
    const isSingle = this.#isSingle(predicate, slot)
    const key = JSON.stringify([entity, predicate, ...(isSingle ? [] : [object])])
    const known = this.#chains.get(key)
    if (known !== undefined) return { standing, chain: known }
    const chain: Gathered = { entity, predicate, isSingle, roles: new Map(), said: new Map(), current: new Map() }
    this.#chains.set(key, chain)
    for (const one of slot) if (isSingle || one.object === object) yield* this.#gather(chain, one)
    return { standing, chain }
  }

  /** Adds the chains of all holdings that a statement ended. */
  *addEnd(row: StatedKeys): Program<void> {
    const { entities } = this.#standings
    const object = row.object_key === '' ? undefined : entities.objectOf(row.predicate_key, row.object_key)
    const slot = yield* this.#standings.of(entities.of(row.subject_key), row.predicate_key, object)
    const holds = new Set(slot.filter((one) => this.#standings.isSaid(one)).map((one) => one.object))
    for (const one of slot) if (one.closedBy?.ord === row.ord && !holds.has(one.object) && this.#isOver(one)) yield* this.add(one)
  }

  #isSingle(predicate: string, slot: readonly Standing[]): boolean {
    const valued = valuedBy(this.#valuing, predicate)
    return valued === undefined ? slot.some(({ rows }) => rows.some(({ single }) => single === 1)) : valued === 'single'
  }

  #isOver({ isBelieved, until }: Standing): boolean {
    return !isBelieved || until <= this.#now
  }

  *#gather(chain: Gathered, standing: Standing): Program<void> {
    const { rows, closedBy, object } = standing
    if (this.#standings.isSaid(standing)) return addCurrent(chain, object, rows)
    if (!this.#isOver(standing) || standing.rows.every(isNote)) return
    for (const row of rows) addRow(chain, row, 'held')
    if (closedBy === undefined) return
    // A statement of another predicate tells by itself what holds now: a dislike, or the same state in other words.
    if (closedBy.predicate_key !== chain.predicate) yield* this.#gatherOther(chain, standing, closedBy)
    else if (closedBy.says !== says.is) addRow(chain, closedBy, 'ends')
    else if (!chain.isSingle && (yield* this.#stands(chain, closedBy))) addCurrent(chain, closedBy.object_key, [closedBy])
  }

  *#gatherOther(chain: Gathered, { object }: Standing, closedBy: AssertionTable): Program<void> {
    const own = { ...closedBy, object_key: objectKey(closedBy.object) }
    const isStanding = yield* this.#stands({ entity: chain.entity, predicate: own.predicate_key }, own)
    if (!isStanding) addRow(chain, own, 'held')
    else if (own.object_key === object) addRow(chain, own, 'holds')
    else addCurrent(chain, own.object_key, [own])
  }

  /** Tells whether the object of a statement holds now. */
  *#stands({ entity, predicate }: Pick<Gathered, 'entity' | 'predicate'>, { object_key: key }: StatedKeys): Program<boolean> {
    const object = this.#standings.entities.objectOf(predicate, key)
    return (yield* this.#standings.of(entity, predicate, object)).some((one) => one.object === object && this.#standings.isSaid(one))
  }

  /**
   * Adds the object that an ending message states itself, where it states one alone: "we left A for B". Where one object
   * holds at a time, that is in the chain already.
   */
  *addBeside({ chain, standing: { closedBy } }: EndedHolding, beside: readonly CitedRow[]): Program<void> {
    if (chain.isSingle || closedBy === undefined || closedBy.says === says.is) return
    const { entities } = this.#standings
    const said = beside.filter(
      (row) => row.says === says.is && row.predicate_key === chain.predicate && entities.of(row.subject_key) === chain.entity,
    )
    const [first, ...others] = new Map(said.map((row) => [row.object_key, row])).values()
    if (first !== undefined && others.length === 0 && (yield* this.#stands(chain, first))) addCurrent(chain, first.object_key, [first])
  }

  /** Gives the newest statements of what holds now in any chain. */
  newest(): readonly StatedKeys[] {
    return [...this.#chains.values()].flatMap(newestOf)
  }

  /** Gives the chains, with the places of their statements by ordinal and the statements that were asked about. */
  told(places: ReadonlyMap<number, StatedPlace>, asked: readonly CitedRow[]): Chain[] {
    return [...this.#chains.values()].map((chain) => ({
      words: wordsOfChain(chain),
      holds: chain.current.size > 0 || [...chain.roles.values()].includes('holds'),
      newest: newestOf(chain)
        .flatMap(({ ord }) => places.get(ord) ?? [])
        .toSorted((a, b) => b.at - a.at || b.ord - a.ord)[0],
      members: asked.flatMap(({ ord, session, seq }) => {
        const role = chain.roles.get(ord)
        return role === undefined ? [] : [{ session, seq, role }]
      }),
    }))
  }
}

function wordsOfChain({ said }: Gathered): string {
  const all = [...said.values()]
  const predicates = [...new Set(all.map(({ predicate }) => predicate))].map(predicateWords)
  return [...predicates, ...all.map(({ object }) => object)].join(' ')
}

function addRow(chain: Gathered, row: StatedKeys, role: ChainRole): void {
  chain.roles.set(row.ord, role)
  const { predicate, object } = row
  chain.said.set(`${predicate}\n${object}`, { predicate, object })
}

function addCurrent(chain: Gathered, object: string, rows: readonly StatedKeys[]): void {
  for (const row of rows) addRow(chain, row, 'holds')
  chain.current.set(object, [...(chain.current.get(object) ?? []), ...rows])
}

function newestOf({ current }: Gathered): readonly StatedKeys[] {
  return [...current.values()]
    .flat()
    .toSorted((a, b) => b.said_at - a.said_at || b.ord - a.ord)
    .slice(0, mostPlaced)
}

/** Gives the object that holds now in the place of one that ended, as it was said last; undefined unless it is the only one. */
export function nowOf({ chain: { current } }: EndedHolding): string | undefined {
  const [rows, ...others] = current.values()
  return others.length > 0 ? undefined : rows?.at(-1)?.object
}
