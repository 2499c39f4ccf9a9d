/** How much the host's own model reads, in one local day. */
export interface ReadingsBounds {
  /** The most readings of one session. */
  readonly perSession: number
  /** The most readings of one user's memory. */
  readonly perDay: number
}

/** The bounds of each, and what holds where readings are on and nothing else is said. */
export const readingsBounds = { perSession: { least: 1, most: 1_000, usual: 10 }, perDay: { least: 1, most: 10_000, usual: 30 } } as const

/** Gives the bounds of a project that has readings on. The settings were checked when they were set. */
export function readingsOf({ readings }: { readonly readings?: Partial<ReadingsBounds> }): ReadingsBounds | undefined {
  if (readings === undefined) return undefined
  return { perSession: readings.perSession ?? readingsBounds.perSession.usual, perDay: readings.perDay ?? readingsBounds.perDay.usual }
}
