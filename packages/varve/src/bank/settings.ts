/** What a project's settings say about its banks. */
export interface BankSettings {
  /** IANA zone for days and sittings. */
  readonly timeZone: string
  /** Tokens of the rendered bank. */
  readonly maxTokens: number
}

/** Tokens of a rendered bank, at least, at most, and where nothing is said. */
export const bankTokens = { least: 200, most: 10_000, usual: 2_000 } as const

/** From stored settings, which were checked when they were set. */
export function bankSettings(settings: Readonly<Record<string, unknown>>): BankSettings {
  const { timeZone, bank }: { timeZone?: string; bank?: { maxTokens?: number } } = settings
  return { timeZone: timeZone ?? 'UTC', maxTokens: bank?.maxTokens ?? bankTokens.usual }
}
