import type { Program } from '../storage/program.ts'
import { workingMemory } from './blocks.ts'
import type { Candidate } from './candidates.ts'
import { relevantGists } from './gists.ts'
import { relevantDocuments, runningNotes } from './pages.ts'
import { profileTier } from './profile-tier.ts'
import type { TierGround } from './tier-ground.ts'
import type { BudgetedTier } from './tiers.ts'

/** Tiers that are filled by themselves. The turns leave room among the details, and the bank takes the room that is left. */
type OwnTier = Exclude<BudgetedTier, 'bank' | 'recent' | 'details'>

const fills: Readonly<Record<OwnTier, (ground: TierGround) => Program<readonly Candidate[]>>> = {
  blocks: workingMemory,
  gists: relevantGists,
  profile: profileTier,
  documents: relevantDocuments,
  notes: runningNotes,
}

/** What each of these tiers may show, the most wanted first; of a tier without room or items, nothing. */
export function* fillTiers(ground: TierGround): Program<ReadonlyMap<BudgetedTier, readonly Candidate[]>> {
  const filled = new Map<BudgetedTier, readonly Candidate[]>()
  for (const tier of Object.keys(fills).filter(isOwn)) {
    const { limit, share } = ground.request.tiers[tier]
    filled.set(tier, limit === 0 || share === 0 ? [] : yield* fills[tier](ground))
  }
  return filled
}

function isOwn(name: string): name is OwnTier {
  return Object.hasOwn(fills, name)
}
