import type { Here } from '../storage/here.ts'
import { LRUCache } from 'lru-cache'
import type { PartitionId } from '../scope/partition.ts'
import { countFacts, rowsAt } from '../storage/known/assertion-rows.ts'
import { self } from '../storage/known/entities.ts'
import { type FactUse, mostUsed, usedSince } from '../storage/known/fact-uses.ts'
import { findKnown, type PartitionRow } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { Fact } from './fact.ts'
import { knownAt } from './read-facts.ts'
import { showFacts } from './show-fact.ts'
import type { Standing } from './standing.ts'

/** The facts that hold of one subject, the most said first. */
export interface SubjectFacts {
  readonly subject: string
  readonly facts: readonly Fact[]
}

/** Facts that are looked at for a profile, facts whose counts are kept, and the most facts that it tells. */
const mostLooked = 300
const mostCounted = 2_000
export const mostProfiled = 200

/** The time for which a profile is used before another look whether a ground fell by the passing of time. */
const looksLastMs = 60_000

/** Partitions whose profile is kept. */
const mostKept = 64

interface Kept {
  readonly epoch: number
  readonly seq: number
  readonly madeAt: number
  /** The next time at which one of its facts begins or ends, as far as is known. */
  readonly changesAt: number
  readonly uses: ReadonlyMap<string, FactUse>
  readonly subjects: readonly SubjectFacts[]
}

/**
 * The facts on users and on others they spoke of. They hold now and are not doubtful; the user comes first, then the
 * most mentioned subjects. Profiles are kept in memory and updated from new statements: to count 100,000 statements
 * takes too long for a prompt. Programs may take turns at each step. One with an older state of the store than the kept
 * profile counts for itself, and keeps nothing.
 */
export class Profiles {
  readonly #kept: LRUCache<number, Kept>
  readonly #counts: LRUCache<number, { readonly epoch: number; readonly seq: number; readonly facts: number }>

  constructor() {
    this.#kept = new LRUCache({ max: mostKept })
    this.#counts = new LRUCache({ max: mostKept })
  }

  /** Counts the facts that were ever stated. */
  *countOf({ id, epoch, seq }: PartitionRow): Program<number> {
    const known = this.#counts.get(id)
    if (known?.epoch === epoch && known.seq === seq) return known.facts
    const facts = yield* countFacts(id)
    this.#counts.set(id, { epoch, seq, facts })
    return facts
  }

  *of(partition: PartitionId, now: number): Program<readonly SubjectFacts[]> {
    const owner = yield* findKnown(partition)
    if (owner === undefined || owner.messages === 0) return []
    const before = this.#kept.get(owner.id)
    const isSame =
      before !== undefined &&
      before.epoch === owner.epoch &&
      before.seq === owner.seq &&
      now >= before.madeAt &&
      now < Math.min(before.changesAt, before.madeAt + looksLastMs)
    const kept = isSame
      ? before
      : yield* this.#make(partition, owner, before?.epoch === owner.epoch && before.seq <= owner.seq ? before : undefined, now)
    return kept.subjects
      .map(({ subject, facts }) => ({
        subject,
        facts: facts.filter((fact) => fact.validFrom <= now && now < (fact.validUntil ?? Number.POSITIVE_INFINITY)),
      }))
      .filter(({ facts }) => facts.length > 0)
  }

  *#make(partition: PartitionId, owner: PartitionRow, before: Kept | undefined, now: number): Program<Kept> {
    const uses = new Map(before?.uses ?? (yield* mostUsed(owner.id, mostCounted)).map((use) => [uuidText(use.fact), use]))
    for (const use of before === undefined ? [] : yield* usedSince(owner.id, before.seq)) uses.set(uuidText(use.fact), use)
    const ordered = [...uses].toSorted(([, a], [, b]) => b.uses - a.uses || b.ord - a.ord).slice(0, mostCounted)
    const { subjects, changesAt } = yield* subjectsOf(
      partition,
      owner.id,
      ordered.slice(0, mostLooked).map(([, use]) => use),
      now,
    )
    const kept = { epoch: owner.epoch, seq: owner.seq, madeAt: now, changesAt, uses: new Map(ordered), subjects }
    const known = this.#kept.get(owner.id)
    if (known === undefined || known.epoch < kept.epoch || (known.epoch === kept.epoch && known.seq <= kept.seq))
      this.#kept.set(owner.id, kept)
    return kept
  }
}

function* subjectsOf(
  partition: PartitionId,
  known: number,
  uses: readonly FactUse[],
  now: number,
): Program<Pick<Kept, 'subjects' | 'changesAt'>> {
  const standings = yield* knownAt(partition, { validAt: now, asOf: Number.POSITIVE_INFINITY })
  if (standings === undefined) return { subjects: [], changesAt: Number.POSITIVE_INFINITY }
  let changesAt = Number.POSITIVE_INFINITY
  const rows = new Map(
    (yield* rowsAt(
      known,
      uses.map(({ ord }) => ord),
    )).map((row) => [row.ord, row]),
  )
  yield* standings.readAhead([...rows.values()])
  const chosen = new Map<Standing, number>()
  for (const { ord, uses: times } of uses) {
    const row = rows.get(ord)
    if (row === undefined || chosen.size >= mostProfiled) continue
    for (const standing of yield* standings.ofRow(row)) {
      for (const time of [standing.from, standing.until]) if (time > now) changesAt = Math.min(changesAt, time)
      if (
        !chosen.has(standing) &&
        standing.isUnverified !== true &&
        standings.isValid(standing) &&
        !(yield* standings.isDoubtful(standing))
      )
        chosen.set(standing, times)
    }
  }
  const facts = yield* showFacts(standings, [...chosen.keys()])
  const bySubject = Map.groupBy(
    [...chosen].map(([standing, times], place) => ({ standing, times, fact: facts[place] })),
    ({ standing }) => standing.entity,
  )
  const weight = (entity: string): number =>
    entity === self ? Number.POSITIVE_INFINITY : (bySubject.get(entity) ?? []).reduce((sum, { times }) => sum + times, 0)
  const subjects = [...bySubject]
    .toSorted(([a], [b]) => weight(b) - weight(a))
    .map(([, of]) => ({ subject: of[0]?.fact?.subject ?? '', facts: of.flatMap(({ fact }) => fact ?? []) }))
  return { subjects, changesAt }
}

/** Gives the profiles that are kept in a place. */
export function profilesIn(here: Pick<Here, 'keep'>): Profiles {
  return here.keep(Profiles, () => new Profiles())
}
