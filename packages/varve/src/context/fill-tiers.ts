import type { Program } from '../storage/program.ts'
import { workingMemory } from './blocks.ts'
import type { Candidate } from './candidates.ts'
import { gistsTier } from './gists.ts'
import { instructionsTier } from './instructions.ts'
import { relevantDocuments, runningNotes } from './pages.ts'
import { profileTier } from './profile-tier.ts'
import type { TierInput } from './tier-input.ts'
import type { BudgetedTier } from './tiers.ts'

/** Tiers that fill themselves. The turns leave room among the details, and the bank takes the room that is left. */
type OwnTier = Exclude<BudgetedTier, 'bank' | 'recent' | 'details'>

const fills: Readonly<Record<OwnTier, (input: TierInput) => Program<readonly Candidate[]>>> = {
  instructions: instructionsTier,
  blocks: workingMemory,
  gists: gistsTier,
  profile: profileTier,
  documents: relevantDocuments,
  notes: runningNotes,
}

/** Gives the candidates of each of these tiers, the most wanted first. A tier without room or items gets none. */
export function* fillTiers(input: TierInput): Program<ReadonlyMap<BudgetedTier, readonly Candidate[]>> {
  const filled = new Map<BudgetedTier, readonly Candidate[]>()
  for (const tier of Object.keys(fills).filter(isOwn)) {
    const { limit, share } = input.request.tiers[tier]
    filled.set(tier, limit === 0 || share === 0 ? [] : yield* fills[tier](input))
  }
  return filled
}

function isOwn(name: string): name is OwnTier {
  return Object.hasOwn(fills, name)
}
