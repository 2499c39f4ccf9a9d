import type { PageHit } from '../recall/hit.ts'
import { sectionsToTell } from '../notes/told.ts'
import { standingNotes } from '../notes/read-notes.ts'
import { findDerivedHits } from '../recall/derived-hits.ts'
import { leastOfDocuments, tellingDocuments } from '../recall/telling-documents.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { type Candidate, day, madeOf, reasonOf } from './candidates.ts'
import { endedBy, endNotes, withEndNotes } from './ended-notes.ts'
import { contextName, contextText } from './quoted-text.ts'
import type { TierInput } from './tier-input.ts'

/** Finds passages of documents that answer the question, the best first. */
export function* relevantDocuments({ segments, partition, request, asked }: TierInput): Program<readonly Candidate[]> {
  const { tiers, recall } = request
  const hits = tellingDocuments(
    yield* findDerivedHits(
      segments,
      partition,
      { ...recall, kinds: ['document'], limit: tiers.documents.limit, minScore: leastOfDocuments.byWords },
      asked,
    ),
  )
  return hits.flatMap((hit) => (hit.kind === 'document' ? [hit] : [])).map(documentCandidate)
}

/** Gives sections of the running session's notes. Things that must not be done twice and things under way come first. */
export function* runningNotes({ partition, request: { session, tiers, recall } }: TierInput): Program<readonly Candidate[]> {
  const page = session === undefined || session === recall.excludeSession ? undefined : yield* standingNotes(partition, session)
  return page === undefined
    ? []
    : sectionsToTell(page.content)
        .slice(0, tiers.notes.limit)
        .map(({ place, ...section }) => notesCandidate({ id: uuidText(page.uuid), revision: page.revision }, section, place))
}

/** Makes a candidate from a passage of a document, under the document's name and the day of its last change. */
export function documentCandidate(hit: PageHit, place: number): Candidate {
  const name = contextName(hit.name)
  const whose = hit.shared === true ? `${day(hit.at)}, all members of this project` : day(hit.at)
  return {
    tier: 'documents',
    id: hit.id,
    reason: reasonOf(hit),
    line: `${name} (${whose}):\n  ${contextText(withEndNotes(hit.text, endNotes(hit.superseded)))}`,
    made: { ...madeOf(hit), revision: hit.revision, by: endedBy(hit.superseded) },
    at: 0,
    seq: place,
    session: '',
  }
}

/** Makes a candidate from a section of the running session's notes. */
export function notesCandidate(
  { id, revision }: { readonly id: string; readonly revision: number },
  { heading, text }: { readonly heading: string; readonly text: string },
  place: number,
): Candidate {
  return {
    tier: 'notes',
    id,
    reason: 'the notes of this conversation',
    line: `${contextName(heading)}:\n  ${contextText(text)}`,
    made: { revision },
    at: 0,
    seq: place,
    session: '',
  }
}
