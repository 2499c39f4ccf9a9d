import type { Segments } from '../index/segments.ts'
import { sectionsToTell } from '../notes/told.ts'
import { standingNotes } from '../notes/read-notes.ts'
import type { AskedVector } from '../recall/asked-vector.ts'
import { findDerivedHits } from '../recall/derived-hits.ts'
import { leastOfDocuments, tellingDocuments } from '../recall/telling-documents.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { type Candidate, documentCandidate, notesCandidate } from './candidates.ts'
import type { ContextRequest } from './request.ts'

/** Passages of documents that have to do with the question, the best first. */
export function* relevantDocuments(
  segments: Segments,
  partition: PartitionId,
  { tiers: { documents }, recall }: ContextRequest,
  asked: AskedVector | undefined,
): Program<readonly Candidate[]> {
  if (documents.limit === 0 || documents.share === 0) return []
  const hits = tellingDocuments(
    yield* findDerivedHits(
      segments,
      partition,
      { ...recall, kinds: ['document'], limit: documents.limit, minScore: leastOfDocuments.byWords },
      asked,
    ),
  )
  return hits.flatMap((hit) => (hit.kind === 'document' ? [hit] : [])).map(documentCandidate)
}

/** Sections of the notes of the running session: what must not be done twice and what is going on first. */
export function* runningNotes(partition: PartitionId, { session, tiers: { notes } }: ContextRequest): Program<readonly Candidate[]> {
  const page = session === undefined || notes.limit === 0 || notes.share === 0 ? undefined : yield* standingNotes(partition, session)
  return page === undefined
    ? []
    : sectionsToTell(page.content)
        .slice(0, notes.limit)
        .map(({ place, ...section }) => notesCandidate(uuidText(page.uuid), section, place))
}
