/** The functions that the caller lends to the extractive writer, which imports no other room. */
export interface ExtractiveMeans {
  /** The content terms of a text: its words as the index stems them, without stop words. */
  readonly terms: (text: string) => readonly string[]
  /** Tells whether a sentence is kept out of what is written, because it would steer a later reader. Default: none is. */
  readonly isKeptOut?: (sentence: string) => boolean
}
