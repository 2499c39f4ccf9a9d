import { usualMemberShare } from './member-share.ts'

/** A project's settings for its banks. */
export interface BankSettings {
  /** IANA zone for days and sittings. */
  readonly timeZone: string
  /** The tokens of the rendered bank. */
  readonly maxTokens: number
  /** The part of the shared bank's room that one member may take when there are others. */
  readonly memberShare: number
}

/** The least, the most and the default tokens of a rendered bank. */
export const bankTokens = { least: 200, most: 10_000, usual: 2_000 } as const

/** Reads the settings from stored ones, which were checked when they were set. */
export function bankSettings(settings: Readonly<Record<string, unknown>>): BankSettings {
  const { timeZone, bank }: { timeZone?: string; bank?: { maxTokens?: number; memberShare?: number } } = settings
  return { timeZone: timeZone ?? 'UTC', maxTokens: bank?.maxTokens ?? bankTokens.usual, memberShare: bank?.memberShare ?? usualMemberShare }
}
