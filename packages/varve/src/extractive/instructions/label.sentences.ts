/**
 * A message of a person: its kind, its text, and the instructions in it as they are read.
 *
 * - A kind that begins with `trap: ` has no instruction.
 * - With no text named, the whole message is the instruction, without its last mark.
 * - A kind that begins with `withdrawal` takes back instructions.
 */
export type Case = readonly [kind: string, text: string, ...expected: string[]]

/** A later message, an earlier instruction, and whether the later one ends the earlier one. */
export type Pair = readonly [later: string, earlier: string, ends: boolean]
