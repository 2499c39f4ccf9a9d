/** The patterns by which standing instructions of one language are read. All match in upper and lower case. */
export interface InstructionPatterns {
  /** The beginning of an instruction, at the beginning of a clause, through the words that prove it. */
  readonly openings: readonly RegExp[]
  /** The same where the message asks for no piece of work. After `write a letter`, `use short sentences` holds for the letter alone. */
  readonly bareOpenings: readonly RegExp[]
  /** A request for a piece of work: `write a letter`. */
  readonly task: RegExp
  /** The beginning of a clause that takes back earlier instructions and asks nothing new. */
  readonly withdrawals: readonly RegExp[]
  /** Words before an instruction that are no part of it: `hey`, `also`, `and`. */
  readonly lead: RegExp
  /** Words before an instruction that is put as a question: `can you` before `always`. */
  readonly request: RegExp
  /** Polite words after an instruction. They are cut off. */
  readonly trail: RegExp
  /** The words and marks between two clauses. With the flag `g`. */
  readonly joint: RegExp
  /** The place after the opening where another clause begins. With the flag `g`. */
  readonly next: RegExp
  /** The instruction is understood only with the words of its sentence before it: `I prefer it over Foundation`. */
  readonly pointsBack: RegExp
  /** The instruction holds for one answer alone, or is an idiom. */
  readonly notStanding: RegExp
  /** Words before the clause that make it somebody else's, a wish or a supposition. */
  readonly notOwn: RegExp
  /** Words before a colon after which the speaker still speaks: `remember`, `my rules`. */
  readonly ownColon: RegExp
  /** A sentence after which the rest of the message is another's text: `proofread this:`. */
  readonly introduces: RegExp
  /** The same for a sentence that ends a paragraph: `can you improve my letter?`. */
  readonly introducesParagraph: RegExp
  /** Tells whether nothing in a message is meant, such as a pasted letter. */
  readonly isUnmeant: (text: string) => boolean
}
