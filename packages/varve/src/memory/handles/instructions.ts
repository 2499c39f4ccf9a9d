// Written from operations/instructions.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { Instruction } from '../../instructions/instruction.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import { instructionOperations } from '../../operations/instructions.ts'

/** Options of `instructions.list`. */
export interface InstructionsListOptions extends CallOptions, ListOptions {
  /** Whether to list ended ones too. Default false. */
  readonly ended?: boolean | undefined
}

/** Options of `instructions.add`. */
export interface InstructionsAddOptions extends CallOptions {
  /** The name of the agent that notes it. Left out: a person. */
  readonly writer?: string | undefined
  /** The session from which an agent notes it: the note goes with the session. */
  readonly during?: string
}

/** Options of `instructions.edit`. */
export interface InstructionsEditOptions extends CallOptions {
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `instructions.withdraw`. */
export interface InstructionsWithdrawOptions extends CallOptions {
  /** The name of the agent that takes its note back. Left out: a person. */
  readonly writer?: string | undefined
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** Options of `instructions.restore`. */
export interface InstructionsRestoreOptions extends CallOptions {
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/**
 * Standing instructions: what a person wants done from now on, in the person’s words. Statements are stored, and the
 * end of an instruction is derived from them.
 */
export class UserInstructions {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Lists the instructions that stand, the last said first; with `ended` those that ended too. A page has at most 200
   * items by default.
   */
  list(options: InstructionsListOptions = {}): Listing<Instruction> {
    return this.calls.list(instructionOperations.list, {}, options)
  }

  /**
   * Adds an instruction by hand. Where it contradicts an earlier one, the earlier one ends. One of an agent (`writer`)
   * is a note: it ends nothing that a person said or added.
   *
   * @param text What is wanted, at most 300 characters.
   * @throws {VarveError} LIMIT_EXCEEDED
   * @example await ada.instructions.add('Always show code in TypeScript.')
   */
  add(text: string, options: InstructionsAddOptions = {}): Promise<Instruction> {
    return this.calls.call(instructionOperations.add, { text }, options)
  }

  /**
   * Puts other words in the place of an instruction that stands. They stay when its message is read again, and go when
   * it is forgotten.
   *
   * @param id The id of an instruction.
   * @param text What is wanted, at most 300 characters.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  edit(id: string, text: string, options: InstructionsEditOptions = {}): Promise<Instruction> {
    return this.calls.call(instructionOperations.edit, { id, text }, options)
  }

  /**
   * Ends an instruction now. It stays listed as ended, and comes back only when it is said anew. To erase its words,
   * forget its messages. `restore` takes it back. An agent (`writer`) may take back what agents noted, which erases it.
   *
   * @param id The id of an instruction.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  withdraw(id: string, options: InstructionsWithdrawOptions = {}): Promise<Instruction> {
    return this.calls.call(instructionOperations.withdraw, { id }, options)
  }

  /**
   * Takes back the last edit or withdrawal by hand of an instruction, within 30 days; called again, the one before.
   * Nothing changes when none is left. InvalidOption for an instruction that nobody edited or withdrew.
   *
   * @param id The id of an instruction.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  restore(id: string, options: InstructionsRestoreOptions = {}): Promise<Instruction> {
    return this.calls.call(instructionOperations.restore, { id }, options)
  }
}
