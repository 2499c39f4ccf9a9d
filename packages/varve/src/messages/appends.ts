import type { PartitionId, SessionName } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { type Appended, appendMessages, type Prepare } from '../storage/log/messages.ts'
import type { PreparedBatch } from '../storage/log/prepared-message.ts'
import { answer } from '../storage/program.ts'
import { Preparation } from './preparation.ts'
import type { ValidMessage } from './validate.ts'

/** A batch with less text than this (UTF-16 code units) is analysed within its transaction: a few ms, in which the store's other writers wait. */
export const quickLength = 16_384

/** Text that counts as one message in a commit's bound. */
export const lengthPerWeight = 512

const ignore = (): void => undefined

/** Appends to one session are written in their order; those to others do not wait while a long one is analysed. */
export class Appends {
  readonly preparation: Preparation
  /** Sessions with an append that is still to be analysed, each with the last one. */
  readonly #lanes = new Map<string, Promise<void>>()
  /** The last of the batches that are analysed ahead of their transaction. */
  #lastLong: Promise<void> = Promise.resolve()

  /** `key`: the store's secret. */
  constructor(key: string) {
    this.preparation = new Preparation(key)
  }

  async append(here: WritingHere, partition: PartitionId, session: SessionName, batch: readonly ValidMessage[]): Promise<readonly Appended[]> {
    const detect = await this.preparation.detector()
    const length = batch.reduce((sum, message) => sum + message.content.length, 0)
    const isQuick = length < quickLength && (this.#lanes.size === 0 || !this.#lanes.has(laneOf(partition, session)))
    const prepared = isQuick ? undefined : await this.#inTurn(here, partition, session, batch)
    const prepare: Prepare = (owner, row) => (prepared === undefined ? this.preparation.prepare(owner, row, batch, detect) : answer(prepared))
    try {
      return await here.write(() => appendMessages(partition, session, prepare, here.now), Math.max(batch.length, Math.ceil(length / lengthPerWeight)))
    } catch (error) {
      this.preparation.forget()
      throw error
    }
  }

  /** Does some long analysis once those before it are done: one at a time, so that a quick append waits for a slice of one only. */
  afterLong<Result>(analyse: () => Promise<Result>): Promise<Result> {
    const analysed = this.#lastLong.then(analyse)
    this.#lastLong = analysed.then(ignore, ignore)
    return analysed
  }

  /** Analyses a long batch in its turn. */
  #inTurn(here: WritingHere, partition: PartitionId, session: SessionName, batch: readonly ValidMessage[]): Promise<PreparedBatch> {
    const lane = laneOf(partition, session)
    const prepared = this.afterLong(async () => this.preparation.prepareSlowly(await here.read(this.preparation.ground(partition, session)), batch))
    const done = prepared.then(ignore, ignore).then(() => {
      if (this.#lanes.get(lane) === done) this.#lanes.delete(lane)
    })
    this.#lanes.set(lane, done)
    return prepared
  }
}

function laneOf(partition: PartitionId, session: SessionName): string {
  return JSON.stringify([partition, session])
}

/** The appends that a place has under way. */
export function appendsIn(here: WritingHere): Appends {
  return here.keep(Appends, () => new Appends(here.key))
}
