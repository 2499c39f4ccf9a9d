/** A secret's place in a text: the half-open range [from, to), in UTF-16 code units. */
export interface Finding {
  readonly from: number
  readonly to: number
  /** The text of the marker: `AWS key`. */
  readonly label: string
  /** True when the secret's own form gave it away, not the name before it: then its label is the better one. */
  readonly specific: boolean
  /** True for the name of a person or an account: it opens nothing. */
  readonly isPersonal?: boolean
}

/** The length that every scanner here must see whole: twice the largest private key in use (RSA 16384: 12.7 KB). */
export const longestSecret = 16_384
