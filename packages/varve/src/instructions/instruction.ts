/** A message that says an instruction, and the words there. */
export interface InstructionSource {
  /** The id of the message. */
  readonly message: string
  readonly session: string
  readonly seq: number
  /** Characters [from, to) of the message. */
  readonly from: number
  readonly to: number
  /** The words, in one line. */
  readonly text: string
  readonly at: number
  /** The name of the speaker; `user` without one. */
  readonly by: string
}

/** The end of an instruction. */
export interface InstructionEnd {
  /** The name of the speaker; `user` without one, and for a withdrawal by hand. */
  readonly by: string
  /** The words that ended it; absent for a withdrawal by hand. */
  readonly text?: string
  /** The message of these words. */
  readonly source?: InstructionSource
  /** Id of the instruction that took its place. */
  readonly id?: string
}

/**
 * Something that a person wants done from now on, said once. Times are UTC milliseconds. Statements in the same words
 * are one instruction, which has all of their sources.
 */
export interface Instruction {
  readonly id: string
  /** In the person's words, or as it was edited. */
  readonly text: string
  /** The time when it was first said. */
  readonly since: number
  /** The time when it ended. Absent while it stands. */
  readonly until?: number
  readonly endedBy?: InstructionEnd
  /** The name of the speaker; `user` without one, and for an instruction that was added by hand. An agent's name where it noted it. */
  readonly by: string
  /** True when an agent noted it: no person said or added it. */
  readonly noted?: true
  /** The messages that say it, in the order of saying; empty for one that was added by hand. */
  readonly sources: readonly InstructionSource[]
  readonly recordedAt: number
  /** `extractive`, the model's name, `person` for one that was added by hand, or the name of the agent that noted it. */
  readonly writer: string
  /** True when a person put other words in its place. */
  readonly edited: boolean
  /** True when it was written without the model that should have; upkeep reads it again. */
  readonly provisional: boolean
  /** Changes with every edit, withdrawal and further statement of it: for `expectedVersion`. */
  readonly version: string
}
