/** The words of one language by which a later instruction is seen to end an earlier one. */
export interface InstructionEndings {
  /** The text takes earlier instructions on a subject back, whatever they asked. Its group `subject` names it. */
  readonly forgets: RegExp
  /** The text takes back an instruction that it need not name in full: `you can stop …`. */
  readonly relieves: RegExp
  /** The text asks to leave something out. */
  readonly isNegative: RegExp
  /** The cases to which the instruction is limited: `when I ask about law`. With the flag `g`. */
  readonly scope: RegExp
  /** Words without which an instruction asks for the same. With the flag `g`. */
  readonly idle: RegExp
  /** Words that do not tell what an instruction is about. */
  readonly fillers: ReadonlySet<string>
  /** Returns the form that is common to the forms of a word. */
  readonly stem: (word: string) => string
  /** Things that have one value at a time. The group `value` holds it. */
  readonly values: readonly RegExp[]
  /** The form of a thing, in the groups `thing` and `value`: `prices in euros`. */
  readonly form: RegExp
  /** Things that have one of some known values at a time. */
  readonly choices: readonly (readonly RegExp[])[]
  /** Two instructions with the same words are contrary when one has a word of the first set, the other one of the second. */
  readonly contraries: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[]
  /** A preference of one thing over another, in the groups `first` and `second`. */
  readonly preference: RegExp
}
