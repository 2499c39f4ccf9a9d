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

export const usualDoorLimits: Required<DoorLimits> = { maxTokens: 2_000, deadlineMs: 1_000 }
