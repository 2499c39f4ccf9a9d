import { segmentsIn } from '../index/segments.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Here } from '../storage/here.ts'
import { foundAt } from '../storage/epochs.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import type { AskedVector } from './asked-vector.ts'
import { type FactRecallRequest, recallFacts } from './fact-hits.ts'
import { nearDocuments } from './near-documents.ts'
import { questionText } from './question-text.ts'
import { recall } from './recall.ts'
import type { RecallRequest } from './request.ts'
import { timeline, type TimelineRequest } from './timeline.ts'
import { follow, type FollowRequest } from './follow.ts'

/** The reads that search a partition. */
export const recallReads = {
  question: (here: Here, partition: PartitionId, query: string, maker: VectorMaker) =>
    questionText(segmentsIn(here), partition, query, maker),
  hits: (here: Here, partition: PartitionId, request: RecallRequest, asked?: AskedVector) =>
    foundAt(partition, recall(segmentsIn(here), partition, request, asked)),
  timeline: (_here: Here, partition: PartitionId, request: TimelineRequest) => timeline(partition, request),
  follow: (_here: Here, partition: PartitionId, request: FollowRequest) => follow(partition, request),
  facts: (here: Here, partition: PartitionId, request: FactRecallRequest, asked?: AskedVector) =>
    foundAt(partition, recallFacts(segmentsIn(here), partition, request, asked)),
  /** Compares documents with a subject: their descriptions with its name, their passages with its facts, as cosines. */
  documents: (here: Here, partition: number, maker: VectorMaker, asked: { name: Float32Array; facts: Float32Array }) =>
    nearDocuments(segmentsIn(here), partition, maker, asked),
}
