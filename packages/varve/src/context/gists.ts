import type { DerivedHit } from '../recall/hit.ts'
import { findDerivedHits } from '../recall/derived-hits.ts'
import type { Program } from '../storage/program.ts'
import { type Candidate, day, reasonOf } from './candidates.ts'
import { endNotes, withEndNotes } from './ended-notes.ts'
import { contextLine, contextText } from './quoted-text.ts'
import type { TierInput } from './tier-input.ts'

/** Finds gists of other sessions that answer the question. */
export function* relevantGists({ segments, partition, request, asked }: TierInput): Program<readonly Candidate[]> {
  const { session, tiers, recall } = request
  const wanted = { ...recall, kinds: ['gist' as const], limit: tiers.gists.limit, excludeSession: session }
  const hits = yield* findDerivedHits(segments, partition, wanted, asked)
  return hits.flatMap((hit) => (hit.kind === 'gist' ? [gistCandidate(hit)] : []))
}

/** Makes a candidate from the gist of another session. */
function gistCandidate(hit: DerivedHit): Candidate {
  const title = contextLine(hit.name ?? hit.session ?? '')
  return {
    tier: 'gists',
    id: hit.id,
    reason: reasonOf(hit),
    line: `${day(hit.at)} ${title}: ${contextText(withEndNotes(hit.text, endNotes(hit.superseded)))}`,
    at: hit.at,
    seq: 0,
    session: hit.session ?? '',
  }
}
