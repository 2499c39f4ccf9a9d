/** Bounds of memory in a host's turns. */
export interface DoorLimits {
  /** The most tokens of a context. Default 2,000. */
  readonly maxTokens?: number
  /**
   * The longest wait for memory, in milliseconds. After it the turn goes on without. Default 1,000: the first question to a new
   * process loads the memory.
   */
  readonly deadlineMs?: number
}

/** Gives the bounds, with the usual ones in the place of those that are absent or undefined. */
export function doorLimits({ maxTokens = 2_000, deadlineMs = 1_000 }: DoorLimits = {}): Required<DoorLimits> {
  return { maxTokens, deadlineMs }
}
