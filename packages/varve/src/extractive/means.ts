/** What the extractive writer needs and does not have itself: an adapter imports no room. */
export interface ExtractiveMeans {
  /** The content terms of a text: its words as the index stems them, without stop words. */
  readonly terms: (text: string) => readonly string[]
}
