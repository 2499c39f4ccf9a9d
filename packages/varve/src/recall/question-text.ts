import { embeddingOf } from '../index/embedding-state.ts'
import { queryWords } from '../index/query.ts'
import type { Segments } from '../index/segments.ts'
import { partitionId, type PartitionId } from '../scope/partition.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import { findDerived } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { partitionState } from '../storage/segment/terms.ts'
import { isTold } from './degraded.ts'
import { namedSpeakers, withoutNames } from './speakers.ts'

/** The text of a question to embed. Without one: the number of messages that wait for a vector, if it is worth telling. */
export interface QuestionText {
  readonly text: string | undefined
  readonly waiting: number
}

/**
 * Gives a question without the names of the partition's speakers. Speakers seldom say their own names
 * (docs/reference/recall-quality.md).
 */
export function* questionText(segments: Segments, partition: PartitionId, query: string, maker: VectorMaker): Program<QuestionText> {
  const state = yield* askedState(partition)
  if (state === undefined) return { text: undefined, waiting: 0 }
  const embedding = yield* embeddingOf(state.id, maker)
  if (embedding === undefined) return { text: undefined, waiting: isTold(state.messages, state.messages) ? state.messages : 0 }
  const names = yield* segments.look(
    state,
    embedding,
    ({ segment }) => namedSpeakers(segment, queryWords(query, segment.languages), query).names,
  )
  return { text: withoutNames(query, names), waiting: 0 }
}

/**
 * Chooses the store's rows that a question searches: the user's messages, else the user's working memory, else the
 * shared part.
 */
function* askedState(partition: PartitionId) {
  const said = yield* partitionState(partition)
  if (said !== undefined && said.messages > 0) return said
  const own = yield* findDerived(partition)
  return own !== undefined && own.messages > 0 ? own : yield* findDerived(partitionId(partition.project, { kind: 'shared' }))
}
