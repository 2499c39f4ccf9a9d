import { setImmediate as nextTurn } from 'node:timers/promises'
import { growingCache } from '../caches/growing-cache.ts'
import { type DetectLanguage, type LanguageVotes, loadDetector } from '../index/language.ts'
import type { ShownBefore } from '../messages/echo.ts'
import { languageAfter, prepareMessage, type SessionState } from './prepare.ts'
import { ShownTexts } from './shown-texts.ts'
import type { ValidMessage } from '../messages/validate.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { findPartition, type PartitionRow } from '../storage/partitions.ts'
import type { PreparedBatch, PreparedMessage } from '../storage/log/prepared-message.ts'
import type { ContextsAround } from '../storage/log/contexts-around.ts'
import { abreast, answer, type Program } from '../storage/program.ts'
import type { SessionTable } from '../storage/schema.ts'
import { findSessionRow, partitionLanguage } from '../storage/log/sessions.ts'

/** The most partitions whose language is kept. */
const maxLanguages = 10_000
const languagesLastMs = 60_000

/** Messages analysed in one go: some 2 ms, after which other appends get their turn. */
const messagesPerTurn = 32

const shownNothing: ShownBefore = { here: new Set<number>(), elsewhere: new Set<number>() }

/** The facts on a session that a replacement needs. Its language is settled. */
export interface ReplacementState {
  readonly language: string
  readonly shown: ShownBefore
}

/** Analyses messages for their sessions: by the session's language, and by the words that it was shown. */
export class Preparation {
  readonly #key: string
  readonly #languages = growingCache<number, string>(maxLanguages, { ttl: languagesLastMs })
  readonly #shown = new ShownTexts()
  #detector: Promise<DetectLanguage> | undefined

  /** `key`: the store's secret, by which fences and shingles are keyed. */
  constructor(key: string) {
    this.#key = key
  }

  /** Gives the language detector, which is loaded with the first append. */
  detector(): Promise<DetectLanguage> {
    this.#detector ??= loadDetector()
    return this.#detector
  }

  /** Prepares a batch in one go, within the transaction that stores it. */
  *prepare(
    owner: PartitionRow,
    session: SessionTable,
    batch: readonly ValidMessage[],
    detect: DetectLanguage,
    contexts?: ContextsAround,
  ): Program<PreparedBatch> {
    const state = yield* this.#stateOf(owner.id, session.external_id, session, contexts)
    const heard = languageAfter(batch, state, detect)
    return { messages: batch.map((message) => prepareMessage(message, heard.language, state)), ...heard }
  }

  /** Prepares a batch ahead of its transaction, letting others have their turn in between. */
  async prepareSlowly(state: SessionState, batch: readonly ValidMessage[]): Promise<PreparedBatch> {
    const heard = languageAfter(batch, state, await this.detector())
    const messages: PreparedMessage[] = []
    for (let from = 0; from < batch.length; from += messagesPerTurn) {
      if (from > 0) await nextTurn()
      for (const message of batch.slice(from, from + messagesPerTurn)) messages.push(prepareMessage(message, heard.language, state))
    }
    return { messages, ...heard }
  }

  /** Reads the state of a session before a batch comes to it. */
  *state(partition: PartitionId, session: SessionName): Program<SessionState> {
    const owner = yield* findPartition(partition)
    if (owner === undefined) return { votes: {}, fallback: '', shown: shownNothing, key: this.#key }
    return yield* this.#stateOf(owner.id, session, yield* findSessionRow(owner.id, session))
  }

  /** Prepares the words that take a message's place. */
  prepareReplacement(message: ValidMessage, { language, shown }: ReplacementState): PreparedMessage {
    return prepareMessage(message, language, { key: this.#key, shown })
  }

  /** Reads the state of the session in which a message is replaced. */
  *replacementState({ partition_id: partition, external_id: name, language }: SessionTable): Program<ReplacementState> {
    return { language, shown: yield* this.#shown.to(partition, name) }
  }

  /** Forgets everything kept. Call it after a failed commit: values that were read within it may never have been stored. */
  forget(): void {
    this.#languages.clear()
    this.#shown.forget()
  }

  *#stateOf(partition: number, session: string, row: SessionTable | undefined, contexts?: ContextsAround): Program<SessionState> {
    const votes = row === undefined ? {} : (JSON.parse(row.language_votes) as LanguageVotes)
    const language = row?.language ?? ''
    const [shown, fallback] = yield* abreast([
      contexts === undefined ? this.#shown.to(partition, session) : this.#shown.of(partition, contexts),
      language === '' ? this.#languageIn(partition) : answer(language),
    ])
    return { votes, fallback, shown, key: this.#key }
  }

  /**
   * Gives the language of the partition's newest session at the last look. It is near enough for a session that has
   * said too little.
   */
  *#languageIn(partition: number): Program<string> {
    const known = this.#languages.get(partition)
    if (known !== undefined) return known
    const language = yield* partitionLanguage(partition)
    this.#languages.set(partition, language)
    return language
  }
}
