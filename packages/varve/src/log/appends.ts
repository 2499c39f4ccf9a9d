import { AppendIncomplete } from '../errors/append-incomplete.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { laneOfPartition } from '../storage/lane.ts'
import {
  keptOf,
  type Once,
  onceOf,
  type PartOfBatch,
  retold,
  retoldAsForgotten,
  type Retold,
  storeOnce,
} from '../storage/log/append-keys.ts'
import type { Appended } from '../storage/log/appended.ts'
import { appendMessages, type AskedOfAppend, nothingAsked, type Prepare } from '../storage/log/append.ts'
import { namesOfForgotten } from '../storage/log/forgotten-ids.ts'
import { KeptTalks } from '../storage/log/kept-talks.ts'
import type { PreparedBatch } from '../storage/log/prepared-message.ts'
import { pruneJournal } from '../storage/journal/prune.ts'
import { answer, type Program } from '../storage/program.ts'
import type { DetectLanguage } from '../index/language.ts'
import { JoinedAppends } from './joined-appends.ts'
import { Preparation } from './preparation.ts'
import { namedBy } from '../messages/goes-with.ts'
import type { ValidMessage } from '../messages/validate.ts'

/**
 * A batch with less text than this (UTF-16 code units) is analysed within its transaction: a few ms, in which the
 * store's other writers wait.
 */
export const quickLength = 16_384

/** The UTF-16 code units of content, parts and metadata that count as one message in a commit's bound. */
export const lengthPerWeight = 512

/** The appends of a process from one pruning of the journal to the next. */
const appendsPerPruning = 256

const ignore = (): void => undefined

/** The most that one transaction stores: some 10 to 30 ms of a processor. */
export interface AppendBounds {
  readonly messages: number
  /** Characters of contents, parts and metadata; a message that has more goes alone. */
  readonly characters: number
  /** The messages that their ids name. Each is hashed twice, to tell whether it was forgotten. */
  readonly named: number
}

const usualBounds: AppendBounds = { messages: 1_000, characters: 2 * 1024 * 1024, named: 1_000 }

/** Writes appends. Appends to one session keep their order; those to others do not wait while a long one is analysed. */
export class Appends {
  readonly preparation: Preparation
  /** Sessions with an append that is still to be analysed, each with the last one. */
  readonly #lanes = new Map<string, Promise<void>>()
  /** The last of the batches that are analysed ahead of their transaction. */
  #lastLong: Promise<void> = Promise.resolve()

  readonly #bounds: AppendBounds
  readonly #joined = new JoinedAppends()
  readonly #talks = new KeptTalks()
  #appends = 0

  /** `key`: the store's secret. */
  constructor(key: string, bounds: Partial<AppendBounds> = {}) {
    this.preparation = new Preparation(key)
    this.#bounds = { ...usualBounds, ...bounds }
  }

  async append(
    here: WritingHere,
    partition: PartitionId,
    session: SessionName,
    batch: readonly ValidMessage[],
    restores = false,
    idempotencyKey?: string,
  ): Promise<readonly Retold[]> {
    const once =
      idempotencyKey === undefined
        ? undefined
        : onceOf(here.key, { partition, session, key: idempotencyKey }, batch.values().map(sentFields))
    const detect = await this.preparation.detector()
    const parts = partsOf(batch, this.#bounds)
    if (parts.length > 1)
      return once === undefined
        ? await this.#inParts(here, partition, session, parts, restores)
        : await this.#again(here, { partition, session, once, restores }, batch)
    const isQuick = lengthOf(batch) < quickLength && (this.#lanes.size === 0 || !this.#lanes.has(laneOf(partition, session)))
    if (isQuick && once === undefined && batch.every(({ externalId }) => externalId === null))
      return await this.#joinedAppend(here, partition, session, batch, detect)
    // Whatever comes after this append must not be stored with what came before it.
    this.#joined.end(laneOf(partition, session))
    const prepared = isQuick ? undefined : await this.#inTurn(here, partition, session, batch)
    const prepare: Prepare = (owner, row, contexts) =>
      prepared === undefined ? this.preparation.prepare(owner, row, batch, detect, contexts) : answer(prepared)
    const asked: AskedOfAppend = { ...askedOf(batch, restores), ...(prepared === undefined ? { looksAround: true } : {}) }
    const isGranted = here.isFar === true && prepared === undefined && once === undefined && !restores
    const named = () => ({ session: laneOf(partition, session), owners: namesOfForgotten(here.key, partition) })
    const attempts = isGranted ? { attempts: this.#talks.begin<Appended>(named()) } : {}
    const append = (isWhole?: true) =>
      appendMessages(partition, session, prepare, here.now, { ...asked, ...attempts, ...(isWhole === undefined ? {} : { isWhole }) })
    const lane = laneOfPartition(partition)
    try {
      if (once === undefined) return await here.write(this.#pruning(here.now, append), weightOf(batch), 'full', lane)
      const store = () => storeOnce(partition, session, once, partOf(batch, 0), () => append(), here.now)
      const stored = await here.write(this.#pruning(here.now, store), weightOf(batch), 'full', lane)
      return stored ?? (await this.#again(here, { partition, session, once, restores }, batch))
    } catch (error) {
      this.preparation.forget()
      this.#talks.forget()
      throw error
    }
  }

  /** Stores messages without ids, with those that wait for the same transaction. Each message has a result. */
  async #joinedAppend(
    here: WritingHere,
    partition: PartitionId,
    session: SessionName,
    batch: readonly ValidMessage[],
    detect: DetectLanguage,
  ): Promise<readonly Appended[]> {
    const weight = weightOf(batch)
    const lane = laneOf(partition, session)
    const store = (take: () => readonly ValidMessage[]): Promise<readonly Appended[]> => {
      const attempts = here.isFar === true ? { attempts: this.#talks.begin<Appended>({ session: lane }) } : {}
      const append = (isWhole?: true): Program<readonly Appended[]> => {
        const taken = take()
        const prepare: Prepare = (owner, row, contexts) => this.preparation.prepare(owner, row, taken, detect, contexts)
        const asked: AskedOfAppend = { ...nothingAsked, looksAround: true, ...attempts }
        return appendMessages(partition, session, prepare, here.now, isWhole === undefined ? asked : { ...asked, isWhole })
      }
      return here.write(this.#pruning(here.now, append), weight, 'full', laneOfPartition(partition))
    }
    try {
      return await this.#joined.append(lane, batch, weight, store)
    } catch (error) {
      this.preparation.forget()
      this.#talks.forget()
      throw error
    }
  }

  /** Answers an append that was sent before, and stores what an earlier call left of it. */
  #again(here: WritingHere, asked: OfOnce, batch: readonly ValidMessage[]): Promise<readonly Retold[]> {
    const { partition, session, once } = asked
    return this.#inLane(laneOf(partition, session), async () => {
      for (;;) {
        const { places: kept, isForgotten } = (await here.read(keptOf(partition, once, here.now))) ?? { places: [], isForgotten: false }
        if (isForgotten) return retoldAsForgotten(kept, batch.length)
        if (kept.length >= batch.length) return await here.read(retold(partition, session, kept))
        const before = kept.length === 0 ? [] : await here.read(retold(partition, session, kept))
        const rest = await this.#rest(here, asked, batch, kept.length)
        // Undefined: another call went ahead with the same key.
        if (rest !== undefined) return [...before, ...rest]
      }
    })
  }

  async #rest(
    here: WritingHere,
    { partition, session, once, restores }: OfOnce,
    batch: readonly ValidMessage[],
    from: number,
  ): Promise<readonly Appended[] | undefined> {
    const left = batch.slice(from)
    const { messages, ...heard } = await this.#prepared(here, partition, session, left)()
    const appended: Appended[] = []
    let done = 0
    for (const part of partsOf(left, this.#bounds)) {
      const prepared = { messages: messages.slice(done, done + part.length), ...heard }
      const place = partOf(part, from + done)
      const append = () => appendMessages(partition, session, () => answer(prepared), here.now, askedOf(part, restores))
      try {
        const store = this.#pruning(here.now, () => storeOnce(partition, session, once, place, append, here.now))
        const stored = await here.write(store, weightOf(part), 'full', laneOfPartition(partition))
        if (stored === undefined) return undefined
        appended.push(...stored)
        done += part.length
      } catch (error) {
        this.preparation.forget()
        throw from + done === 0 ? error : incomplete(error, from + done, batch.length)
      }
    }
    return appended
  }

  /** Does a long analysis after those before it. One at a time, so that a quick append waits for a slice of one only. */
  afterLong<Result>(analyse: () => Promise<Result>): Promise<Result> {
    const analysed = this.#lastLong.then(analyse)
    this.#lastLong = analysed.then(ignore, ignore)
    return analysed
  }

  /** Analyses a long batch in its turn. */
  #inTurn(here: WritingHere, partition: PartitionId, session: SessionName, batch: readonly ValidMessage[]): Promise<PreparedBatch> {
    return this.#inLane(laneOf(partition, session), this.#prepared(here, partition, session, batch))
  }

  /** Stores a long batch part after part. No other append to its session comes between; those to others do. */
  #inParts(
    here: WritingHere,
    partition: PartitionId,
    session: SessionName,
    parts: readonly (readonly ValidMessage[])[],
    restores: boolean,
  ): Promise<readonly Appended[]> {
    return this.#inLane(laneOf(partition, session), async () => {
      const { messages, ...heard } = await this.#prepared(here, partition, session, parts.flat())()
      const appended: Appended[] = []
      let done = 0
      for (const part of parts) {
        const asked = askedOf(part, restores)
        const prepared = { messages: messages.slice(done, done + part.length), ...heard }
        try {
          const store = this.#pruning(here.now, () => appendMessages(partition, session, () => answer(prepared), here.now, asked))
          appended.push(...(await here.write(store, weightOf(part), 'full', laneOfPartition(partition))))
          done += part.length
        } catch (error) {
          this.preparation.forget()
          throw done === 0 ? error : incomplete(error, done, messages.length)
        }
      }
      return appended
    })
  }

  /** Prunes the journal with the first append, and then with one in many: it stays bounded where no upkeep runs. */
  #pruning<Result>(now: number, append: (isWhole?: true) => Program<Result>): () => Program<Result> {
    const isDue = this.#appends % appendsPerPruning === 0
    this.#appends += 1
    if (!isDue) return () => append(true)
    return function* () {
      const result = yield* append()
      yield* pruneJournal(now)
      return result
    }
  }

  #prepared(here: WritingHere, partition: PartitionId, session: SessionName, batch: readonly ValidMessage[]): () => Promise<PreparedBatch> {
    return async () => this.preparation.prepareSlowly(await here.read(this.preparation.state(partition, session)), batch)
  }

  /** Does some work in its turn. Until it is done, appends to the same session come after it. */
  #inLane<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    const result = this.afterLong(work)
    const done = result.then(ignore, ignore).then(() => {
      if (this.#lanes.get(lane) === done) this.#lanes.delete(lane)
    })
    this.#lanes.set(lane, done)
    return result
  }
}

function partOf(batch: readonly ValidMessage[], before: number): PartOfBatch {
  return { before, externalIds: batch.map(({ externalId }) => externalId) }
}

interface OfOnce {
  readonly partition: PartitionId
  readonly session: SessionName
  readonly once: Once
  readonly restores: boolean
}

/** The fields of a message as its caller gave them: a time that the store filled in differs from call to call. */
function sentFields({
  role,
  origin,
  name,
  externalId,
  thread,
  parts,
  metadata,
  content,
  saidAt,
  isTimed,
}: ValidMessage): readonly unknown[] {
  return [role, origin, name, externalId, thread, parts, metadata, content, isTimed === true ? saidAt : null]
}

function askedOf(batch: readonly ValidMessage[], restores: boolean): AskedOfAppend {
  const messages = batch.flatMap(({ externalId, role, saidAt, isTimed }) =>
    externalId === null ? [] : [{ externalId, role, ...(isTimed === true ? { saidAt } : {}) }],
  )
  return { messages, isAll: messages.length === batch.length, restores }
}

function incomplete(error: unknown, stored: number, messages: number): AppendIncomplete {
  // Only the first sentence: a later one may say that nothing was stored.
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('. ')
  return new AppendIncomplete({ stored, messages, reason, reasonCode: VarveError.is(error) ? error.code : undefined }, { cause: error })
}

function lengthOf(batch: readonly ValidMessage[]): number {
  return batch.reduce((sum, message) => sum + message.content.length, 0)
}

/** Gives the work of storing a batch, in messages. */
function weightOf(batch: readonly ValidMessage[]): number {
  return Math.max(batch.length, Math.ceil(batch.reduce((sum, message) => sum + sizeOf(message), 0) / lengthPerWeight))
}

function sizeOf({ content, parts, metadata }: ValidMessage): number {
  return content.length + (parts?.length ?? 0) + (metadata?.length ?? 0)
}

/** Cuts a batch into parts that one transaction takes each. */
function partsOf(batch: readonly ValidMessage[], most: AppendBounds): readonly (readonly ValidMessage[])[] {
  const parts: ValidMessage[][] = []
  let part: ValidMessage[] = []
  let characters = 0
  let named = 0
  for (const message of batch) {
    characters += sizeOf(message)
    named += namedBy(message).length
    if (part.length > 0 && (part.length === most.messages || characters > most.characters || named > most.named)) {
      parts.push(part)
      part = []
      characters = sizeOf(message)
      named = namedBy(message).length
    }
    part.push(message)
  }
  return part.length === 0 ? parts : [...parts, part]
}

function laneOf(partition: PartitionId, session: SessionName): string {
  return JSON.stringify([partition, session])
}

/** Gives the appends that are under way in a place. */
export function appendsIn(here: WritingHere): Appends {
  return here.keep(Appends, () => new Appends(here.key))
}
