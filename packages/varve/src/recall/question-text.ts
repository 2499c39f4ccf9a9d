import { embeddingOf } from '../index/embedding-state.ts'
import { queryWords } from '../index/query.ts'
import type { Segments } from '../index/segments.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { VectorMaker } from '../storage/embeddings.ts'
import type { Program } from '../storage/program.ts'
import { partitionState } from '../storage/terms.ts'
import { namedSpeakers, withoutNames } from './speakers.ts'

/**
 * What of a question is to be embedded for a partition: all but the names of its speakers, which are seldom in what they
 * say (+.02 any-hit@10, docs/reference/recall-quality.md). Undefined when nothing there has a vector by that maker.
 */
export function* questionText(segments: Segments, partition: PartitionId, query: string, maker: VectorMaker): Program<string | undefined> {
  const state = yield* partitionState(partition)
  const embedding = state === undefined ? undefined : yield* embeddingOf(state.id, maker)
  if (state === undefined || embedding === undefined) return undefined
  const segment = yield* segments.current(state, embedding)
  return withoutNames(query, namedSpeakers(segment, queryWords(query, segment.languages)).names)
}
