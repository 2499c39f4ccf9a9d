import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { uuidv7 } from '../ids/uuid.ts'
import { type DetectLanguage, type LanguageVotes, loadDetector } from '../index/language.ts'
import { shinglesIn, type ShownHashes } from '../messages/echo.ts'
import type { Message } from '../messages/message.ts'
import { languageAfter, prepareMessage, type SessionGround } from '../messages/prepare.ts'
import type { ValidMessage } from '../messages/validate.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { type ContextRecord, contextKeys, saveContext, shownAfter } from '../storage/contexts.ts'
import { type Erasure, eraseProject, forget, type ForgetSelection, replaceMessage } from '../storage/erasure.ts'
import { type Appended, appendMessages, findMessageRow, messageOf } from '../storage/messages.ts'
import { ensureProject, findPartition, setProjectSettings } from '../storage/partitions.ts'
import type { PreparedMessage } from '../storage/prepared-message.ts'
import type { Program } from '../storage/program.ts'
import { claimErasures, finishErasures, type Receipt, releaseErasures } from '../storage/receipts.ts'
import { changeSession, ensureSession, findSessionRow, partitionLanguage, type SessionChanges, sessionRowById } from '../storage/sessions.ts'
import { classify } from '../storage/sqlite/classify.ts'
import { eraseBytes } from '../storage/sqlite/erase-bytes.ts'
import { execute } from '../storage/sqlite/execute.ts'
import type { Writer } from '../storage/sqlite/writer.ts'

/** Partitions whose language is kept at hand, at most. */
const maxLanguages = 10_000
const languagesLastMs = 60_000

/** Sessions whose shown words are kept at hand, at most; each is up to 20 contexts of some thousand hashes. */
const maxShownSessions = 32

/** Erased words that are kept in memory until the files were searched for them; over this the file is rewritten instead. */
const maxNeedleBytes = 16 * 1024 * 1024

/** How long an erasure is claimed for: a rewrite of a large file takes seconds. */
const erasureLeaseMs = 60_000

/** Messages analysed in one go: some 3 ms, after which other appends get their turn. */
const messagesPerTurn = 64

const ignore = (): void => undefined

type Shown = Map<number, ReadonlySet<number>>

/** What the writing thread offers. All of it returns when it is durable. */
export class WriteService {
  readonly #writer: Writer
  readonly #file: string
  readonly #key: string
  readonly #holder = uuidv7()
  readonly #languages = new LRUCache<number, string>({ max: maxLanguages, ttl: languagesLastMs })
  readonly #shown = new LRUCache<string, Shown>({ max: maxShownSessions })
  /** The last append to each session that is still being analysed. */
  readonly #lanes = new Map<string, Promise<unknown>>()
  readonly #needles = new Map<string, readonly Uint8Array[]>()
  #needleBytes = 0
  #detector: Promise<DetectLanguage> | undefined

  constructor(writer: Writer, file: string, key: string) {
    this.#writer = writer
    this.#file = file
    this.#key = key
  }

  /** Appends to one session are written in their order; those to others do not wait while a long one is analysed. */
  async append(partition: PartitionId, session: SessionName, batch: readonly ValidMessage[], now: number): Promise<readonly Appended[]> {
    const lane = JSON.stringify([partition, session])
    const before = this.#lanes.get(lane) ?? this.#detect()
    const prepared = before.then(() => this.#prepare(partition, session, batch))
    const done = prepared.then(ignore, ignore).then(() => {
      if (this.#lanes.get(lane) === done) this.#lanes.delete(lane)
    })
    this.#lanes.set(lane, done)
    const { messages, language, votes } = await prepared
    return this.#writer.write(() => appendMessages(partition, session, messages, language, JSON.stringify(votes), now), batch.length)
  }

  async #prepare(partition: PartitionId, session: SessionName, batch: readonly ValidMessage[]) {
    const ground = this.#read('append', this.#ground(partition, session))
    const heard = languageAfter(batch, ground, await this.#detect())
    const messages: PreparedMessage[] = []
    for (let from = 0; from < batch.length; from += messagesPerTurn) {
      if (from > 0) await nextTurn()
      for (const message of batch.slice(from, from + messagesPerTurn)) messages.push(prepareMessage(message, heard.language, ground))
    }
    return { messages, ...heard }
  }

  async replace(partition: PartitionId, id: string, content: string, now: number) {
    const { message, ...erasure } = await this.#writer.write(() => this.#replace(partition, id, content, now))
    return { message, receipt: this.#remember(erasure) }
  }

  *#replace(partition: PartitionId, id: string, content: string, now: number) {
    const owner = yield* findPartition(partition)
    const { session_id: sessionId } = yield* findMessageRow(owner, id)
    const session = yield* sessionRowById(sessionId)
    const shown = owner === undefined || session === undefined ? new Set<number>() : yield* this.#shownTo(owner.id, session.external_id)
    return yield* replaceMessage(partition, id, (old, { external_id: name, language }) => {
      const message = replacement(messageOf(old, name), old.metadata, content)
      return prepareMessage(message, language, { key: this.#key, shown })
    }, uuidv7(now), now)
  }

  async forget(partition: PartitionId, selection: ForgetSelection, now: number): Promise<Receipt> {
    return this.#remember(await this.#writer.write(() => forget(partition, selection, uuidv7(now), now)))
  }

  async deleteProject(name: string, now: number): Promise<Receipt> {
    return this.#remember(await this.#writer.write(() => eraseProject(name, uuidv7(now), now)))
  }

  createProject(name: string, now: number) {
    return this.#writer.write(() => ensureProject(name, now))
  }

  setProjectSettings(name: string, changes: Readonly<Record<string, unknown>>, now: number) {
    return this.#writer.write(() => setProjectSettings(name, changes, now))
  }

  ensureSession(partition: PartitionId, session: SessionName, changes: SessionChanges, now: number) {
    return this.#writer.write(() => ensureSession(partition, session, changes, now))
  }

  changeSession(partition: PartitionId, session: SessionName, changes: SessionChanges) {
    return this.#writer.write(() => changeSession(partition, session, changes))
  }

  saveContext(partition: PartitionId, session: SessionName, record: ContextRecord, now: number) {
    return this.#writer.write(() => saveContext(partition, session, record, now))
  }

  /** Gets what was erased out of the files' bytes, as far as nobody else is at it; gives back how many receipts are done. */
  async finishErasures(now: number): Promise<{ done: number; reason: string | undefined }> {
    const { ids, upTo } = await this.#writer.write(() => claimErasures(this.#holder, now, now + erasureLeaseMs))
    if (ids.length === 0) return { done: 0, reason: undefined }
    const words = ids.every((id) => this.#needles.has(id)) ? ids.flatMap((id) => this.#needles.get(id) ?? []) : undefined
    const reason = await this.#tryErasing(words)
    if (reason !== undefined) {
      await this.#writer.write(() => releaseErasures(this.#holder, reason))
      return { done: 0, reason }
    }
    await this.#writer.write(() => finishErasures(this.#holder, upTo, now))
    for (const id of ids) this.#dropNeedles(id)
    return { done: ids.length, reason: undefined }
  }

  close(): void {
    this.#writer.close()
  }

  async #tryErasing(words: readonly Uint8Array[] | undefined): Promise<string | undefined> {
    try {
      const outcome = await eraseBytes(this.#writer.connection, words)
      return outcome.done ? undefined : outcome.reason
    } catch (error) {
      return classify(error, this.#file, 'erasure').message
    }
  }

  #remember({ receipt, needles }: Erasure): Receipt {
    if (receipt.physical === 'done') return receipt
    const bytes = needles.reduce((sum, needle) => sum + needle.length, 0)
    if (this.#needleBytes + bytes > maxNeedleBytes) return receipt
    this.#needleBytes += bytes
    this.#needles.set(receipt.id, needles)
    return receipt
  }

  #dropNeedles(id: string): void {
    for (const needle of this.#needles.get(id) ?? []) this.#needleBytes -= needle.length
    this.#needles.delete(id)
  }

  #read<Result>(operation: string, program: Program<Result>): Result {
    try {
      return execute(this.#writer.connection, program)
    } catch (error) {
      throw classify(error, this.#file, operation)
    }
  }

  *#ground(partition: PartitionId, session: SessionName): Program<SessionGround> {
    const owner = yield* findPartition(partition)
    if (owner === undefined) return { votes: {}, fallback: '', shown: new Set<number>(), key: this.#key }
    const row = yield* findSessionRow(owner.id, session)
    const votes = row === undefined ? {} : (JSON.parse(row.language_votes) as LanguageVotes)
    const shown = yield* this.#shownTo(owner.id, session)
    return { votes, fallback: row?.language || (yield* this.#languageIn(owner.id)), shown, key: this.#key }
  }

  /** What the partition's newest session spoke when it was last asked: near enough for one that has said too little. */
  *#languageIn(partition: number): Program<string> {
    const known = this.#languages.get(partition)
    if (known !== undefined) return known
    const language = yield* partitionLanguage(partition)
    this.#languages.set(partition, language)
    return language
  }

  *#shownTo(partition: number, session: string): Program<ShownHashes> {
    const keys = yield* contextKeys(partition, session)
    if (keys.length === 0) return new Set<number>()
    const name = `${partition} ${session}`
    const known = this.#shown.get(name) ?? new Map<number, ReadonlySet<number>>()
    for (const key of known.keys()) if (!keys.includes(key)) known.delete(key)
    const newest = Math.max(0, ...known.keys())
    for (const record of yield* shownAfter(partition, session, newest)) known.set(record.id, new Set(shinglesIn(record.shingles)))
    this.#shown.set(name, known)
    const all = [...known.values()]
    return { has: (hash) => all.some((hashes) => hashes.has(hash)), size: all.length }
  }

  #detect(): Promise<DetectLanguage> {
    this.#detector ??= loadDetector()
    return this.#detector
  }
}

/** New words in an old message's place; the parts were those of the old words. */
function replacement({ role, origin, name, externalId, thread, at }: Message, metadata: string | null, content: string): ValidMessage {
  return { role, origin, name: name ?? null, externalId: externalId ?? null, thread: thread ?? null, parts: null, metadata, content, saidAt: at }
}
