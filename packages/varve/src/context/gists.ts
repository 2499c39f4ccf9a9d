import { findDerivedHits } from '../recall/derived-hits.ts'
import type { Program } from '../storage/program.ts'
import { type Candidate, gistCandidate } from './candidates.ts'
import type { TierGround } from './tier-ground.ts'

/** What other sessions were about, as far as it has to do with the question. */
export function* relevantGists({ segments, partition, request, asked }: TierGround): Program<readonly Candidate[]> {
  const { session, tiers, recall } = request
  const wanted = { ...recall, kinds: ['gist' as const], limit: tiers.gists.limit, excludeSession: session }
  const hits = yield* findDerivedHits(segments, partition, wanted, asked)
  return hits.flatMap((hit) => (hit.kind === 'gist' ? [gistCandidate(hit)] : []))
}
