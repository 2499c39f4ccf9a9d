import { LRUCache } from 'lru-cache'
import { extractiveWriter } from '../extractive/extractive-writer.ts'
import { entitiesOf } from '../facts/entities.ts'
import { endedStates } from '../facts/superseded.ts'
import { contentTerms } from '../index/content-terms.ts'
import type { PartitionId } from '../scope/partition.ts'
import { itemKinds, itemsAt, newestItems } from '../storage/derived/items.ts'
import type { Here } from '../storage/here.ts'
import { newest } from '../storage/listed.ts'
import { findDerived, findKnown, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { speaksToReader } from '../tasks/speaks-to-reader.ts'
import { type PersonPool, pooled } from './pooled.ts'
import type { PersonSayings, Saying } from './saying.ts'

/** The newest gists whose sentences are pooled, the persons of whom some are told, and the bounds of one person's. */
const mostGists = 100
const mostPersons = 8
const bounds = { maxBullets: 10, maxWords: 150 } as const

/** A shorter sentence counts in proportion: a scrap tells nothing by itself. Chosen on half of a public set of talks (bench/profile.ts). */
const fullWords = 18

/** Partitions whose sayings are kept. */
const mostKept = 64

interface KeptSayings {
  readonly state: string
  readonly persons: readonly PersonSayings[]
}

/**
 * Chooses from the gists of one partition the sentences that tell most of each person. They are chosen at reading, and
 * kept in memory until a gist or a name changes: nothing is stored that a forget would have to erase.
 */
export class Sayings {
  readonly #kept: LRUCache<number, KeptSayings>

  constructor() {
    this.#kept = new LRUCache({ max: mostKept })
  }

  *of(partition: PartitionId, now: number): Program<readonly PersonSayings[]> {
    const [owner, derived, known] = [yield* findPartition(partition), yield* findDerived(partition), yield* findKnown(partition)]
    if (owner === undefined || derived === undefined) return []
    const state = [owner, derived, known].map((row) => (row === undefined ? '' : `${row.seq}.${row.epoch}`)).join(' ')
    const before = this.#kept.get(derived.id)
    const persons = before?.state === state ? before.persons : yield* this.#choose(partition, derived.id, known?.id)
    if (before?.state !== state) this.#kept.set(derived.id, { state, persons })
    return yield* standing(partition, owner.id, persons, now)
  }

  *#choose(partition: PartitionId, derived: number, known: number | undefined): Program<readonly PersonSayings[]> {
    const places = yield* newestItems(derived, itemKinds.gist, newest, mostGists)
    const gists = yield* itemsAt(
      derived,
      places.map(({ key }) => key),
    )
    const entities = known === undefined ? undefined : yield* entitiesOf(partition, known, Number.POSITIVE_INFINITY)
    const pools = yield* pooled(partition, entities, gists)
    return pools.slice(0, mostPersons).map(mostTelling)
  }
}

/** Chooses by the writer's own measure. */
function mostTelling({ subject, sayings, language }: PersonPool): PersonSayings {
  const writer = extractiveWriter({ terms: (text) => contentTerms(text, language), isKeptOut: speaksToReader })
  const sources = sayings.map(({ text }) => ({ bullets: [{ text }], weight: Math.min(1, text.split(/\s+/u).length / fullWords) }))
  const chosen = writer.digest(sources, bounds)
  return {
    subject,
    sayings: chosen.flatMap(({ text, from: [place = 0] }) => sayings.slice(place, place + 1).map((saying) => ({ ...saying, text }))),
  }
}

/** Leaves out what rests on a message of which a state has ended: it may be the one that the sentence tells. */
function* standing(
  partition: PartitionId,
  source: number,
  persons: readonly PersonSayings[],
  now: number,
): Program<readonly PersonSayings[]> {
  const spans = persons.flatMap(({ sayings }) =>
    sayings.flatMap(({ session, from }) => from.map((seq) => ({ session, from: seq, to: seq }))),
  )
  const { states } = yield* endedStates(partition, source, spans, now)
  const isOver = ({ session, from }: Saying): boolean => states.some((state) => state.session === session && from.includes(state.seq))
  return persons
    .map(({ subject, sayings }) => ({ subject, sayings: sayings.filter((saying) => !isOver(saying)) }))
    .filter(({ sayings }) => sayings.length > 0)
}

/** Gives the sayings that are kept in a place. */
export function sayingsIn(here: Pick<Here, 'keep'>): Sayings {
  return here.keep(Sayings, () => new Sayings())
}
