import { bankTokens } from '../bank/settings.ts'
import { mostProfiled } from '../facts/profiles.ts'

/** A tier of the context that shares the budget with the others. */
interface TierRecord {
  readonly heading: string
  /** Its part of the budget, weighed against the other tiers' parts. */
  readonly share: number
  /** The default and the highest number of items; of the bank, tokens. */
  readonly limit: number
  readonly most: number
  /** With fewer tokens than this it says next to nothing, and leaves its room to the others. */
  readonly least?: number
  /** The order in which it takes its room, and its part of the room that others leave: the lowest first. */
  readonly turn: number
}

/** The values of most layers' tiers. */
const usual = { share: 0.1, most: 1_000 } as const

/** The heading of instructions that agents noted: no person asked for them. */
export const notedHeading = 'Noted by agents, and not asked for by the user:'

/** Tiers that share the budget, in the order in which they are rendered. */
export const tiers = {
  // Reported, in quotation marks: remembered text is data and no instruction to the reader.
  instructions: { ...usual, heading: 'Asked for by the user, as it was said:', limit: 30, turn: 1 },
  blocks: { ...usual, heading: 'Working memory:', limit: 100, turn: 1 },
  profile: { ...usual, heading: 'What is known, as it was said:', limit: 50, most: mostProfiled, turn: 4 },
  bank: { ...usual, heading: 'What was talked about before:', limit: bankTokens.most, most: bankTokens.most, turn: 8 },
  gists: { ...usual, heading: 'Other conversations, in short:', limit: 3, least: 80, turn: 7 },
  documents: { ...usual, heading: 'From documents:', limit: 5, turn: 5 },
  notes: { ...usual, heading: 'Notes of this conversation:', limit: 40, turn: 6 },
  details: { ...usual, heading: 'From earlier conversations:', share: 0.5, limit: 150, turn: 3 },
  recent: { ...usual, heading: 'This conversation so far:', share: 0.4, limit: 10, turn: 2 },
} satisfies Readonly<Record<string, TierRecord>>

export type BudgetedTier = keyof typeof tiers

export const renderedTiers: readonly BudgetedTier[] = Object.keys(tiers).filter(isTier)

/** Tiers in the order in which left-over room is offered. */
export const budgetedTiers: readonly BudgetedTier[] = renderedTiers.toSorted((a, b) => tiers[a].turn - tiers[b].turn)

/** Returns the least tokens of a tier; 0 for a tier that says something in any room. */
export function leastOf(tier: BudgetedTier): number {
  const record: TierRecord = tiers[tier]
  return record.least ?? 0
}

/** Makes a record with one value for each tier. */
export function perTier<Value>(value: (tier: BudgetedTier) => Value): Record<BudgetedTier, Value>
export function perTier(value: (tier: BudgetedTier) => unknown): Record<string, unknown> {
  return Object.fromEntries(renderedTiers.map((tier) => [tier, value(tier)]))
}

/** Tells whether a name is that of a tier that shares the budget. */
export function isTier(name: string): name is BudgetedTier {
  return Object.hasOwn(tiers, name)
}
