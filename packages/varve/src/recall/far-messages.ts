import { Segment } from '../index/segment.ts'
import { noVector } from '../index/vectors/vector-codes.ts'
import { answer, type Program } from '../storage/program.ts'
import type { EmbeddingKey } from '../storage/segment/embeddings.ts'
import type { FarRow, FarVectors } from '../storage/segment/far-vectors.ts'
import { type ComparedPassage, dot, partIn, type PassageReader } from './passages.ts'
import { type RankOptions, type Ranking, rankAs } from './rank.ts'

/** The part of a partition that the index in memory holds, as one question saw it. */
export interface HeldPart {
  /** The last ordinal that it leaves out. */
  readonly floor: number
  readonly liveSpeakers: number
  /** The mean length of its messages, in words. */
  readonly meanLength: number
  readonly ranking: Ranking
}

/** A question with its vector, and the vectors of the partition that it asks. */
export interface FarAsked {
  readonly key: EmbeddingKey
  readonly text: string
  readonly vector: Float32Array
}

/** Old messages that were found, ranked on the scale of those that the index in memory holds. */
export interface FarRanked {
  readonly ranking: Ranking
  readonly passages: PassageReader
  readonly lacksSome: boolean
}

/**
 * Finds messages that the index in memory leaves out, by meaning, and ranks them and those beside them by all signals.
 * Cosines of what was found are exact. Words weigh as they do among the messages in memory. The talk around a message is read
 * with it, so its signals count too. The order of old statements to new ones does not: that needs both in one ranking.
 */
export function* findFar(far: FarVectors, asked: FarAsked, held: HeldPart, options: RankOptions): Program<FarRanked> {
  const { key, vector } = asked
  const { rows, lacksSome } = yield* far.search({ key, upTo: held.floor, vector, wanted: options })
  const excerpt = excerptOf(rows, key.partition_id, held)
  const passages = rows.map((row) => passageIn(row, vector))
  const cosines = new Float32Array(rows.length + 1).fill(noVector)
  for (const [doc, passage] of passages.entries()) if (passage !== undefined) cosines[doc] = passage.cosine
  const ranking = rankAs(held.ranking, { segment: excerpt, cosines, upTo: held.floor }, asked, options)
  return { ranking, passages: reader(passages), lacksSome }
}

/** An index of some messages alone, with the measures of the one that holds the rest. */
function excerptOf(rows: readonly FarRow[], partition: number, { liveSpeakers, meanLength }: HeldPart): Segment {
  const excerpt = new Segment(partition, rows.length)
  for (const row of rows) excerpt.add(row)
  excerpt.settle()
  excerpt.totalLength = meanLength * excerpt.live
  excerpt.liveSpeakers = Math.max(excerpt.liveSpeakers, liveSpeakers)
  return excerpt
}

/** The cosine that the server gives is that of half numbers. Where the vector is there, it is computed from it. */
function passageIn({ passage }: FarRow, question: Float32Array): ComparedPassage | undefined {
  if (passage === undefined) return undefined
  const { from, to, cosine, vector } = passage
  return { from, to, cosine: vector === undefined ? cosine : dot(question, vector) }
}

/** The passages came with their messages: nothing is read any more. */
function reader(passages: readonly (ComparedPassage | undefined)[]): PassageReader {
  return {
    read: () => answer(undefined),
    all: (docs) =>
      answer(
        new Map(
          docs.flatMap((doc) => {
            const passage = passages[doc]
            return passage === undefined ? [] : [[doc, [passage]] as const]
          }),
        ),
      ),
    partOf: (doc, content) => answer(partIn(passages[doc], content)),
  }
}
