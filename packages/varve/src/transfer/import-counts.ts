/** What was done with the records of an import, by kind. */
export interface ImportCounts {
  /** Records that were stored. */
  readonly stored: Record<string, number>
  /** Records that were there already. */
  readonly duplicates: Record<string, number>
  /** Records that are here in another form, by a later change or by hand: what is here stays. */
  readonly kept: Record<string, number>
  /** Records that were left out: what they rest on is not there, or nobody vouches for them. */
  readonly leftOut: Record<string, number>
  /** Messages that were forgotten, here or where they come from, and what else was forgotten here with no message. */
  forgotten: number
}

export function noCounts(): ImportCounts {
  return { stored: {}, duplicates: {}, kept: {}, leftOut: {}, forgotten: 0 }
}

export type CountedAs = Exclude<keyof ImportCounts, 'forgotten'>

export function countIn(counts: ImportCounts, as: CountedAs, kind: string, more = 1): void {
  counts[as][kind] = (counts[as][kind] ?? 0) + more
}
