import { type DigestAges, defaultAges } from './frontier.ts'
import { usualMemberShare } from './member-share.ts'

/** A project's settings for its banks. */
export interface BankSettings {
  /** IANA zone for days and sittings. */
  readonly timeZone: string
  /** The tokens of the rendered bank. */
  readonly maxTokens: number
  /** The part of the shared bank's room that one member may take when there are others. */
  readonly memberShare: number
  /** Digests are made when the bank would exceed its budget by this factor. */
  readonly overBudget: number
  /** The age in days after which an ended day, week, month or year is shown as one entry while there is room. */
  readonly ages: DigestAges
}

/** The least, the most and the default tokens of a rendered bank. */
export const bankTokens = { least: 200, most: 10_000, usual: 2_000 } as const

/** The least, the most and the default factor on the budget. */
export const overBudgets = { least: 1, most: 4, usual: 1.25 } as const

/** The largest age of a digest, in days. */
export const mostAgeDays = 3_650

/** The settings of a bank as they are stored. */
export interface StoredBank {
  readonly maxTokens?: number | undefined
  readonly memberShare?: number | undefined
  readonly overBudget?: number | undefined
  readonly dayAgeDays?: number | undefined
  readonly weekAgeDays?: number | undefined
  readonly monthAgeDays?: number | undefined
  readonly yearAgeDays?: number | undefined
}

/** Gives the ages of a bank's digests, the usual ones where none is set. */
export function agesOf({ dayAgeDays, weekAgeDays, monthAgeDays, yearAgeDays }: StoredBank): DigestAges {
  const { day, week, month, year } = defaultAges
  return { day: dayAgeDays ?? day, week: weekAgeDays ?? week, month: monthAgeDays ?? month, year: yearAgeDays ?? year }
}

/** Reads the settings from stored ones, which were checked when they were set. */
export function bankSettings(settings: Readonly<Record<string, unknown>>): BankSettings {
  const { timeZone, bank = {} }: { timeZone?: string; bank?: StoredBank } = settings
  return {
    timeZone: timeZone ?? 'UTC',
    maxTokens: bank.maxTokens ?? bankTokens.usual,
    memberShare: bank.memberShare ?? usualMemberShare,
    overBudget: bank.overBudget ?? overBudgets.usual,
    ages: agesOf(bank),
  }
}
