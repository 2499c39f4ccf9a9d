/** A secret's place in a text: the half-open range [from, to), in UTF-16 code units. */
export interface Finding {
  readonly from: number
  readonly to: number
  /** What stands in the marker: `AWS key`. */
  readonly label: string
  /** Known by its own form, and not by the name that stands before it: its label is the better one. */
  readonly specific: boolean
}

/** What every scanner here must see whole: twice the largest private key in use (RSA 16384: 12.7 KB). */
export const longestSecret = 16_384
