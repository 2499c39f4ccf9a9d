import { abreast, type Program } from '../storage/program.ts'
import type { FarRanked } from './far-messages.ts'
import type { PassageReader } from './passages.ts'
import type { Ranked, Ranking } from './rank.ts'

/** The best messages for a question, wherever they are held. */
export type Ranks = Pick<Ranking, 'best' | 'evidence' | 'matched' | 'signals'>

/** Messages with their scores, and the passages of long ones. */
export interface RankedParts {
  readonly ranking: Ranks
  readonly passages: PassageReader
}

/** Numbers of old messages begin here: a segment has fewer. */
const firstFar = 2 ** 30

/**
 * Joins the ranking of the messages in memory with that of old ones. Both are on one scale. Of equal scores those in memory
 * come first: they were stored later.
 */
export function withFar(near: RankedParts, far: FarRanked): RankedParts {
  const ranksAt = (at: number): readonly [Ranks, number] => (at >= firstFar ? [far.ranking, at - firstFar] : [near.ranking, at])
  return {
    ranking: {
      matched: near.ranking.matched + far.ranking.matched,
      best: (most) => {
        const old = far.ranking.best(most).map((one): Ranked => ({ ...one, doc: one.doc + firstFar, at: one.at + firstFar }))
        return [...near.ranking.best(most), ...old].toSorted((a, b) => b.score - a.score).slice(0, most)
      },
      evidence: (at) => {
        const [ranks, place] = ranksAt(at)
        return ranks.evidence(place)
      },
      signals: (at) => {
        const [ranks, place] = ranksAt(at)
        return ranks.signals(place)
      },
    },
    passages: bothPassages(near.passages, far.passages),
  }
}

function bothPassages(near: PassageReader, far: PassageReader): PassageReader {
  const old = (docs: readonly number[]): number[] => docs.flatMap((doc) => (doc >= firstFar ? [doc - firstFar] : []))
  const held = (docs: readonly number[]): number[] => docs.filter((doc) => doc < firstFar)
  return {
    read: (docs) => near.read(held(docs)),
    *all(docs): ReturnType<PassageReader['all']> {
      const [some, others] = yield* abreast([near.all(held(docs)), far.all(old(docs))])
      return new Map([...some, ...[...others].map(([doc, passages]) => [doc + firstFar, passages] as const)])
    },
    partOf: (doc, content): ReturnType<PassageReader['partOf']> =>
      doc >= firstFar ? far.partOf(doc - firstFar, content) : near.partOf(doc, content),
  }
}

/** Runs two programs in the steps of the longer one; the second may be none. */
export function* beside<Result>(one: Program<void>, other: Program<Result> | undefined): Program<Result | undefined> {
  if (other === undefined) {
    yield* one
    return undefined
  }
  const [, result] = yield* abreast([one, other])
  return result
}
