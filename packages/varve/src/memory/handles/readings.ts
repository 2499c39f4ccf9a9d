// Written from operations/readings.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { DoneReading, NextReading } from '../../upkeep/due-reading.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import { readingOperations } from '../../operations/readings.ts'

/** Options of `readings.next`. */
export interface ReadingsNextOptions extends CallOptions {
  /** The name of the model that will answer: it stands as the writer of its texts, as `host:<model>`. Default: agent. */
  readonly model?: string | undefined
}

/**
 * What is due to be read, handed to the model of the agent that asks: gists, facts, instructions and documents are
 * written by it, without a second model. Off unless the project’s setting `readings` is on.
 */
export class UserReadings {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Hands out one due piece of this user’s memory for the agent’s own model to read, with its instructions, its prompt
   * and the schema of the answer. It is held for five minutes; then another agent may get it. `none` says why there is
   * nothing.
   *
   * @example const { reading, about } = await ada.readings.next({ model: 'claude' })
   */
  next(options: ReadingsNextOptions = {}): Promise<NextReading> {
    return this.calls.call(readingOperations.next, {}, options)
  }

  /**
   * Takes the answer to a reading, through the checks that the answer of a configured model passes. `outcome` says what
   * became of it; parts that cannot be used are asked for once more, in a `reading` of their own. NotFound for an id
   * that this user was not handed.
   *
   * @param id The id of the reading.
   * @param answer The answer: a JSON object of the reading’s schema, or a text that holds one.
   * @throws {VarveError} NOT_FOUND
   * @example const { outcome } = await ada.readings.done(reading.id, answer)
   */
  done(id: string, answer: string | Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<DoneReading> {
    return this.calls.call(readingOperations.done, { id, answer }, options)
  }
}
