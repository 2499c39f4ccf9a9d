import type { DerivedHit } from '../recall/hit.ts'
import { findDerivedHits } from '../recall/derived-hits.ts'
import type { Program } from '../storage/program.ts'
import { type Candidate, day, madeOf, reasonOf } from './candidates.ts'
import { endedBy, endNotes, withEndNotes } from './ended-notes.ts'
import { contextName, contextText } from './quoted-text.ts'
import { newestConversations } from './opening.ts'
import type { TierInput } from './tier-input.ts'

/** Gives the gists that answer the question. Where the newest conversations open the context, it gives these. */
export function* gistsTier(input: TierInput): Program<readonly Candidate[]> {
  const relevant = input.opening === 'asked' ? [] : yield* relevantGists(input)
  return relevant.length > 0 || input.opening === 'no' ? relevant : yield* newestConversations(input)
}

/** Finds gists that answer the question, without those of the running session and of an excluded one. */
function* relevantGists({ segments, partition, request, asked }: TierInput): Program<readonly Candidate[]> {
  const { session, tiers, recall } = request
  const { excludeSession = session } = recall
  // A session has one gist. The search leaves out one session; the other's gist may take a place.
  const wanted = { ...recall, kinds: ['gist' as const], limit: tiers.gists.limit + 1, excludeSession }
  const hits = yield* findDerivedHits(segments, partition, wanted, asked)
  return hits
    .flatMap((hit) => (hit.kind === 'gist' && (session === undefined || hit.session !== session) ? [gistCandidate(hit)] : []))
    .slice(0, tiers.gists.limit)
}

/** Makes a candidate from the gist of another session. */
export function gistCandidate(hit: DerivedHit): Candidate {
  const title = contextName(hit.name ?? hit.session ?? '')
  return {
    tier: 'gists',
    id: hit.id,
    reason: reasonOf(hit),
    line: `${day(hit.at)} ${title}: ${contextText(withEndNotes(hit.text, endNotes(hit.superseded)))}`,
    made: { ...madeOf(hit), by: endedBy(hit.superseded) },
    at: hit.at,
    seq: 0,
    session: hit.session ?? '',
  }
}
