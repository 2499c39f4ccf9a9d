import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { ownPartsOf } from '../extractive/portrait-writer.ts'
import { type Entities, entitiesOf, ownName } from '../facts/entities.ts'
import { entityKey } from '../facts/keys.ts'
import { contentTerms } from '../index/content-terms.ts'
import { withoutAddedDates } from '../models/added-dates.ts'
import type { PartitionId } from '../scope/partition.ts'
import { itemKinds, itemsAt, newestItems } from '../storage/derived/items.ts'
import type { Here } from '../storage/here.ts'
import { self } from '../storage/known/entities.ts'
import { newest } from '../storage/listed.ts'
import { findDerived, findKnown, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { speaksToReader } from '../tasks/speaks-to-reader.ts'
import { ownSentencesOf, type SaidSentence } from './pooled.ts'
import { mostTelling, placeKey, type PortraitLine, tellingOf, type Themes, themesOf } from './telling.ts'

/** The newest gists whose sentences are pooled, and those that are read without a turn for others. */
const mostGists = 100
const gistsAtOnce = 10

/** The persons of whom sentences are chosen. */
const mostPersons = 8

/** The sentences of one person that are read in parts, and the lines that are kept: more than a portrait has room for. */
const mostInParts = 32
const roomKept = { most: 24, maxWords: 400 } as const

/** Partitions whose sayings are kept. */
const mostKept = 64

/** A sentence of a gist, or a part of one, with the content terms in it. */
export interface TellingSentence extends SaidSentence, PortraitLine {}

/** The sentences that tell most of one person, the best first. */
export interface PersonSayings {
  /** The person's key: the same for all names of the person. */
  readonly key: string
  readonly subject: string
  readonly sentences: readonly TellingSentence[]
  readonly themes: Themes
  /** The language of most sentences. */
  readonly language: string
}

/** The persons whose words the gists of a partition have: the user first, then those with the most sentences. */
export interface Pooled {
  readonly persons: readonly PersonSayings[]
  /** The names that are one person, as far as the facts tell. */
  readonly entities?: Entities | undefined
}

interface State {
  readonly owner: number
  readonly derived: number
  readonly known: number | undefined
  readonly ownEpoch: number
  /** The epochs: another one means that words were erased or replaced. */
  readonly erased: string
  /** The places of the newest gist and of the newest fact. */
  readonly written: string
}

interface Kept extends State {
  /** The sentences of each gist, by its ordinal. */
  readonly said: ReadonlyMap<number, readonly SaidSentence[]>
  readonly pooled: Pooled
}

const nobody: Pooled = { persons: [] }

/**
 * Chooses from the gists of one partition the sentences that tell most of each person, in pieces with turns for others.
 * They are kept in memory: nothing is stored that a forget would have to erase.
 */
export class Sayings {
  readonly #kept: LRUCache<number, Kept>

  constructor() {
    this.#kept = new LRUCache({ max: mostKept })
  }

  /** Returns what was pooled last; nothing when words were erased or replaced since. */
  *of(partition: PartitionId): Program<Pooled> {
    const state = yield* stateOf(partition)
    const kept = state === undefined ? undefined : this.#kept.get(state.owner)
    return kept !== undefined && kept.erased === state?.erased ? kept.pooled : nobody
  }

  /** Pools the sentences, if a gist or a fact is new. Gists that were read before are not read again. */
  async pool(here: Pick<Here, 'read'>, partition: PartitionId): Promise<void> {
    const state = await here.read(stateOf(partition))
    if (state === undefined) return
    const before = this.#kept.get(state.owner)
    if (before?.erased === state.erased && before.written === state.written) return
    const said = await gistsRead(here, state, before?.ownEpoch === state.ownEpoch ? before.said : new Map())
    const { known } = state
    const entities = known === undefined ? undefined : await here.read(entitiesOf(partition, known, Number.POSITIVE_INFINITY))
    const persons: PersonSayings[] = []
    for (const [key, sentences] of byPerson([...said.values()].flat(), partition, entities)) {
      const subject = key === self ? ownName(partition) : (sentences[0]?.name ?? '')
      persons.push({ key, subject, ...(await chosenOf(sentences)) })
      await nextTurn()
    }
    // Words that were erased meanwhile may stand among them: of() then sees other epochs than these.
    this.#kept.set(state.owner, { ...state, said, pooled: { persons, entities } })
  }
}

function* stateOf(partition: PartitionId): Program<State | undefined> {
  const [owner, derived, known] = [yield* findPartition(partition), yield* findDerived(partition), yield* findKnown(partition)]
  if (owner === undefined || derived === undefined) return undefined
  return {
    owner: owner.id,
    derived: derived.id,
    known: known?.id,
    ownEpoch: owner.epoch,
    erased: [owner, derived, known].map((row) => row?.epoch).join(' '),
    written: [derived, known].map((row) => row?.seq).join(' '),
  }
}

type Said = Map<number, readonly SaidSentence[]>

/** Reads the newest gists, the newest first; those in `before` were read already. */
async function gistsRead(here: Pick<Here, 'read'>, { owner, derived }: State, before: Kept['said']): Promise<Said> {
  const places = (await here.read(newestItems(derived, itemKinds.gist, newest, mostGists))).map(({ key }) => key)
  const said: Said = new Map(places.map((place) => [place, before.get(place) ?? []]))
  const lacking = places.filter((place) => !before.has(place))
  for (let at = 0; at < lacking.length; at += gistsAtOnce) {
    const read = await here.read(saidAt(owner, derived, lacking.slice(at, at + gistsAtOnce)))
    for (const [place, sentences] of read) said.set(place, sentences)
    await nextTurn()
  }
  return said
}

function* saidAt(owner: number, derived: number, places: readonly number[]): Program<readonly [number, readonly SaidSentence[]][]> {
  const gists = yield* itemsAt(derived, places)
  const said = yield* ownSentencesOf(owner, gists)
  return gists.map(({ ord }, at) => [ord, said[at] ?? []])
}

function byPerson(
  said: readonly SaidSentence[],
  partition: PartitionId,
  entities: Entities | undefined,
): readonly (readonly [key: string, readonly SaidSentence[]])[] {
  return [...Map.groupBy(said, ({ name }) => personKey(name, partition, entities))]
    .toSorted(([a, ofA], [b, ofB]) => Number(b === self) - Number(a === self) || ofB.length - ofA.length)
    .slice(0, mostPersons)
}

/** Chooses the sentences that tell most of a person, in the language of most of them. None of them steers a reader. */
async function chosenOf(sentences: readonly SaidSentence[]): Promise<Pick<PersonSayings, 'sentences' | 'themes' | 'language'>> {
  const [[language] = ['']] = [...Map.groupBy(sentences, (one) => one.language)].toSorted(([, a], [, b]) => b.length - a.length)
  const whole = sentences.map((one) => telling(one, language))
  const themes = themesOf(whole)
  await nextTurn()
  const rates = new Map(whole.map((one) => [one, tellingOf(one, themes)]))
  const best = whole.toSorted((a, b) => (rates.get(b) ?? 0) - (rates.get(a) ?? 0)).slice(0, mostInParts)
  const parts = best.flatMap((one) =>
    ownPartsOf(one, one.name ?? undefined, one.language).map((part) => telling({ ...one, ...part }, language)),
  )
  return { sentences: mostTelling(parts, themes, roomKept).filter(({ text }) => !speaksToReader(text)), themes, language }
}

function telling(one: SaidSentence, language: string): TellingSentence {
  return {
    ...one,
    terms: new Set(contentTerms(withoutAddedDates(one.text), language)),
    places: one.from.map((seq) => placeKey(one.session, seq)),
  }
}

/** Gives the key of the person with a name. Null is the user. */
export function personKey(name: string | null, partition: PartitionId, entities: Entities | undefined): string {
  if (name === null) return self
  if (entities !== undefined) return entities.asked(name)
  const key = entityKey(name)
  return key === entityKey(ownName(partition)) ? self : key
}

/** Gives the sayings that are kept in a place. */
export function sayingsIn(here: Pick<Here, 'keep'>): Sayings {
  return here.keep(Sayings, () => new Sayings())
}
