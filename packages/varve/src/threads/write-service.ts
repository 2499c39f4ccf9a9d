import { uuidv7 } from '../ids/uuid.ts'
import { type ClaimBound, claimEmbeddings, type Claimant, dropOutdated, type EmbeddingClaim, type MadeVectors, putOffEmbeddings, storeEmbeddings } from '../index/embedding-work.ts'
import type { Message } from '../messages/message.ts'
import type { ValidMessage } from '../messages/validate.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { type ContextRecord, saveContext } from '../storage/log/contexts.ts'
import { eraseProject, forget, replaceMessage } from '../storage/erase/erasure.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import { type Appended, appendMessages, messageOf, type Prepare } from '../storage/log/messages.ts'
import { ensureProject, setProjectSettings } from '../storage/partitions.ts'
import type { PreparedBatch } from '../storage/log/prepared-message.ts'
import { answer, type Program } from '../storage/program.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import { keepPrivate, setSharing, shareByDefault } from '../storage/bank/sharing.ts'
import { changeSession, ensureSession, type Session, type SessionChanges } from '../storage/log/sessions.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import { type BlockAddress, type BlockWriter, appendToBlock, deleteBlock, reorderBlocks, restoreBlock, setBlock } from '../blocks/write-block.ts'
import { type DocumentChange, type DocumentWriter, deleteDocument, editDocument, restoreDocument } from '../documents/write-documents.ts'
import { type DocumentWrite, workIn } from '../documents/work-in.ts'
import { deleteNotes, editNotes, type NotesRead, restoreNotes, storeNotes, type WrittenNotes } from '../notes/write-notes.ts'
import { claimDocuments, releaseDocuments } from '../storage/pages/page-facts.ts'
import { claimNotes, releaseNotes } from '../storage/pages/notes-work.ts'
import { indexPages } from '../pages/index-page.ts'
import { clear, correct, deleteOne, pin, rebuild } from '../bank/change-bank.ts'
import { writeGist } from '../gists/write-gist.ts'
import { addFact, type CheckedCorrection, type CheckedFact, correctFact, mergeEntities, retractFact } from '../facts/write-facts.ts'
import { claimBank, claimSession, type Finished, finishReading, type HeldBank, type NewDigest, type ReadState, releaseBank, releaseSession, seenBank, storeDigest, storeParts } from '../storage/derived/distilled.ts'
import { beginCall, type Ceiling, endCall, type NewCall } from '../storage/log/ledger.ts'
import type { NewPart } from '../storage/derived/parts.ts'
import type { DueSession } from '../storage/derived/reading.ts'
import type { CallEnd } from '../models/language-model.ts'
import { classify } from '../storage/sqlite/classify.ts'
import { execute } from '../storage/sqlite/execute.ts'
import type { Writer } from '../storage/sqlite/writer.ts'
import { PendingErasures } from './pending-erasures.ts'
import { Preparation } from './preparation.ts'

/** A batch with less text than this (UTF-16 code units) is analysed within its transaction: a few ms, in which the store's other writers wait. */
const quickLength = 16_384

/** Text that counts as one message in a commit's bound. */
const lengthPerWeight = 512

/** A session as it was changed; with a receipt when it is not to feed what the project shares any more, and what it did feed is withdrawn. */
export interface ChangedSession {
  readonly session: Session
  readonly receipt?: Receipt
}

const ignore = (): void => undefined

/** What the writing thread offers. All of it returns when it is durable. */
export class WriteService {
  readonly #writer: Writer
  readonly #file: string
  readonly #erasures: PendingErasures
  readonly #preparation: Preparation
  /** Sessions with an append that is still to be analysed, each with the last one. */
  readonly #lanes = new Map<string, Promise<void>>()
  /** The last of the batches that are analysed ahead of their transaction. */
  #lastLong: Promise<void> = Promise.resolve()

  constructor(writer: Writer, file: string, key: string) {
    this.#writer = writer
    this.#file = file
    this.#erasures = new PendingErasures(writer, file)
    this.#preparation = new Preparation(key)
  }

  /** Appends to one session are written in their order; those to others do not wait while a long one is analysed. */
  async append(partition: PartitionId, session: SessionName, batch: readonly ValidMessage[], now: number): Promise<readonly Appended[]> {
    const detect = await this.#preparation.detector()
    const length = batch.reduce((sum, message) => sum + message.content.length, 0)
    const lane = JSON.stringify([partition, session])
    const isQuick = length < quickLength && !this.#lanes.has(lane)
    const prepared = isQuick ? undefined : await this.#inTurn(lane, partition, session, batch)
    const prepare: Prepare = (owner, row) => (prepared === undefined ? this.#preparation.prepare(owner, row, batch, detect) : answer(prepared))
    try {
      return await this.#writer.write(() => appendMessages(partition, session, prepare, now), Math.max(batch.length, Math.ceil(length / lengthPerWeight)))
    } catch (error) {
      this.#preparation.forget()
      throw error
    }
  }

  /** Analyses a long batch once the long ones before it are: one at a time, so that a quick append waits for a slice of one only. */
  #inTurn(lane: string, partition: PartitionId, session: SessionName, batch: readonly ValidMessage[]): Promise<PreparedBatch> {
    const prepared = this.#lastLong.then(() => {
      const ground = this.#read('append', this.#preparation.ground(partition, session))
      return this.#preparation.prepareSlowly(ground, batch)
    })
    const done = prepared.then(ignore, ignore).then(() => {
      if (this.#lanes.get(lane) === done) this.#lanes.delete(lane)
    })
    this.#lanes.set(lane, done)
    this.#lastLong = done
    return prepared
  }

  async replace(partition: PartitionId, id: string, content: string, now: number) {
    const { message, ...erasure } = await this.#writer.write(() => thenIndexed(this.#replace(partition, id, content, now), now))
    return { message, receipt: this.#erasures.remember(erasure) }
  }

  *#replace(partition: PartitionId, id: string, content: string, now: number) {
    return yield* replaceMessage(partition, id, (old, session) => {
      const message = replacement(messageOf(old, session.external_id), old.metadata, content)
      return this.#preparation.prepareReplacement(message, session)
    }, uuidv7(now), now)
  }

  async forget(partition: PartitionId, selection: ForgetSelection, now: number): Promise<Receipt> {
    return this.#erasures.remember(await this.#writer.write(() => thenIndexed(forget(partition, selection, uuidv7(now), now), now)))
  }

  async deleteProject(name: string, now: number): Promise<Receipt> {
    return this.#erasures.remember(await this.#writer.write(() => eraseProject(name, uuidv7(now), now)))
  }

  createProject(name: string, now: number) {
    return this.#writer.write(() => ensureProject(name, now))
  }

  setProjectSettings(name: string, changes: Readonly<Record<string, unknown>>, now: number) {
    return this.#writer.write(() => setProjectSettings(name, changes, now))
  }

  ensureSession(partition: PartitionId, session: SessionName, changes: SessionChanges, now: number): Promise<ChangedSession> {
    return this.#change(partition, session, changes, () => ensureSession(partition, session, changes, now), now)
  }

  changeSession(partition: PartitionId, session: SessionName, changes: SessionChanges, now: number): Promise<ChangedSession> {
    return this.#change(partition, session, changes, () => changeSession(partition, session, changes), now)
  }

  async #change(partition: PartitionId, session: SessionName, { share }: SessionChanges, change: () => Program<Session>, now: number): Promise<ChangedSession> {
    if (share !== false) return { session: await this.#writer.write(change) }
    const { result, erasure } = await this.#writer.write(() => keepPrivate(partition, session, change, uuidv7(now), now))
    return { session: result, ...(erasure === undefined ? {} : { receipt: this.#erasures.remember(erasure) }) }
  }

  saveContext(partition: PartitionId, session: SessionName, record: ContextRecord, now: number) {
    return this.#writer.write(() => saveContext(partition, session, record, now))
  }

  /** Gets what was erased out of the files' bytes, as far as nobody else is at it; gives back how many receipts are done. */
  finishErasures(now: number): Promise<{ done: number; reason: string | undefined }> {
    return this.#erasures.finish(now)
  }

  claimEmbeddings(maker: VectorMaker, claimant: Claimant, bound: ClaimBound) {
    return this.#writer.write(() => claimEmbeddings(maker, claimant, bound))
  }

  storeEmbeddings(claim: Pick<EmbeddingClaim, 'items' | 'progress'>, vectors: MadeVectors, holder: string) {
    return this.#writer.write(() => storeEmbeddings(claim, vectors, holder), claim.items.length)
  }

  putOffEmbeddings(claim: Pick<EmbeddingClaim, 'progress'>, holder: string, dueAt: number, reason: string) {
    return this.#writer.write(() => putOffEmbeddings(claim, holder, dueAt, reason))
  }

  claimSession(due: DueSession, holder: string, now: number, until: number) {
    return this.#writer.write(() => claimSession(due, { holder, now, until }))
  }

  releaseSession(session: number, holder: string, now: number, reason?: string) {
    return this.#writer.write(() => releaseSession(session, holder, now, reason))
  }

  storeParts(read: ReadState, parts: readonly NewPart[], now: number, until: number) {
    return this.#writer.write(() => storeParts(read, parts, now, until))
  }

  finishReading(read: ReadState, finished: Finished, now: number) {
    return this.#writer.write(() => finishReading(read, finished, now))
  }

  claimBank(partition: number, holder: string, now: number, until: number) {
    return this.#writer.write(() => claimBank(partition, { holder, now, until }))
  }

  releaseBank(partition: number, holder: string, now: number, reason?: string, notBefore = 0) {
    return this.#writer.write(() => releaseBank(partition, holder, now, reason, notBefore))
  }

  seenBank(partition: number, holder: string, state: number, dueAt: number) {
    return this.#writer.write(() => seenBank(partition, holder, state, dueAt))
  }

  storeDigest(digest: NewDigest, held: HeldBank, now: number, until: number) {
    return this.#writer.write(() => storeDigest(digest, held, now, until))
  }

  writeGist(partition: PartitionId, session: SessionName, lines: readonly string[], now: number) {
    return this.#writer.write(() => writeGist(partition, session, lines, now))
  }

  addFact(partition: PartitionId, fact: CheckedFact, now: number) {
    return this.#writer.write(() => addFact(partition, fact, now))
  }

  correctFact(partition: PartitionId, id: string, changes: CheckedCorrection, now: number) {
    return this.#writer.write(() => correctFact(partition, id, changes, now))
  }

  retractFact(partition: PartitionId, id: string, validUntil: number | null, now: number) {
    return this.#writer.write(() => retractFact(partition, id, validUntil, now))
  }

  mergeEntities(partition: PartitionId, name: string, into: string, now: number) {
    return this.#writer.write(() => mergeEntities(partition, name, into, now))
  }

  pinEntry(partition: PartitionId, id: string, pinned: boolean) {
    return this.#writer.write(() => pin(partition, id, pinned))
  }

  correctEntry(partition: PartitionId, id: string, lines: readonly string[], now: number) {
    return this.#writer.write(() => correct(partition, id, lines, now))
  }

  async deleteEntry(partition: PartitionId, id: string, now: number): Promise<Receipt> {
    return this.#erasures.remember(await this.#writer.write(() => deleteOne(partition, id, uuidv7(now), now)))
  }

  async clearBank(partition: PartitionId, now: number): Promise<Receipt> {
    return this.#erasures.remember(await this.#writer.write(() => clear(partition, uuidv7(now), now)))
  }

  async shareByDefault(partition: PartitionId, share: boolean, now: number): Promise<{ receipt?: Receipt }> {
    const { erasure } = await this.#writer.write(() => shareByDefault(partition, share, uuidv7(now), now))
    return erasure === undefined ? {} : { receipt: this.#erasures.remember(erasure) }
  }

  async setSharing(project: string, on: boolean, backfill: boolean, now: number) {
    const { sharing, erasure } = await this.#writer.write(() => setSharing(project, on, backfill, uuidv7(now), now))
    return { sharing, ...(erasure === undefined ? {} : { receipt: this.#erasures.remember(erasure) }) }
  }

  rebuildBank(partition: PartitionId) {
    return this.#writer.write(() => rebuild(partition))
  }

  setBlock(partition: PartitionId, address: BlockAddress, change: { text: string; maxChars: number | undefined }, by: BlockWriter, now: number) {
    return this.#writer.write(() => setBlock(partition, address, change, by, now))
  }

  appendToBlock(partition: PartitionId, address: BlockAddress, change: { text: string; separator: string }, by: BlockWriter, now: number) {
    return this.#writer.write(() => appendToBlock(partition, address, change, by, now))
  }

  restoreBlock(partition: PartitionId, address: BlockAddress, revision: number, by: BlockWriter, now: number) {
    return this.#writer.write(() => restoreBlock(partition, address, revision, by, now))
  }

  reorderBlocks(partition: PartitionId, names: readonly string[], session: SessionName | undefined) {
    return this.#writer.write(() => reorderBlocks(partition, names, session))
  }

  async deleteBlock(partition: PartitionId, address: BlockAddress, now: number): Promise<Receipt> {
    return this.#erasures.remember(await this.#writer.write(() => deleteBlock(partition, address, uuidv7(now), now)))
  }

  editDocument(partition: PartitionId, name: string, change: DocumentChange, by: DocumentWriter, now: number) {
    return this.#writer.write(() => editDocument(partition, name, change, by, now))
  }

  restoreDocument(partition: PartitionId, name: string, revision: number, writer: string, now: number) {
    return this.#writer.write(() => restoreDocument(partition, name, revision, writer, now))
  }

  async deleteDocument(partition: PartitionId, name: string, now: number): Promise<Receipt> {
    return this.#erasures.remember(await this.#writer.write(() => deleteDocument(partition, name, uuidv7(now), now)))
  }

  claimDocuments(partition: number, holder: string, now: number, until: number) {
    return this.#writer.write(() => claimDocuments(partition, { holder, now, until }))
  }

  releaseDocuments(partition: number, holder: string, now: number, reason?: string, notBefore = 0) {
    return this.#writer.write(() => releaseDocuments(partition, holder, now, reason, notBefore))
  }

  workIn(partition: number, holder: string, writes: readonly DocumentWrite[], now: number) {
    return this.#writer.write(() => workIn(partition, holder, writes, now))
  }

  claimNotes(session: number, partition: number, holder: string, now: number, until: number) {
    return this.#writer.write(() => claimNotes(session, partition, { holder, now, until }))
  }

  releaseNotes(session: number, holder: string, now: number, reason?: string, notBefore = 0) {
    return this.#writer.write(() => releaseNotes(session, holder, now, reason, notBefore))
  }

  storeNotes(read: NotesRead, written: WrittenNotes, now: number) {
    return this.#writer.write(() => storeNotes(read, written, now))
  }

  editNotes(partition: PartitionId, session: SessionName, change: { content: string; revision: number | undefined }, writer: string, now: number) {
    return this.#writer.write(() => editNotes(partition, session, change, writer, now))
  }

  restoreNotes(partition: PartitionId, session: SessionName, revision: number, writer: string, now: number) {
    return this.#writer.write(() => restoreNotes(partition, session, revision, writer, now))
  }

  async deleteNotes(partition: PartitionId, session: SessionName, now: number): Promise<Receipt> {
    return this.#erasures.remember(await this.#writer.write(() => deleteNotes(partition, session, uuidv7(now), now)))
  }

  beginCall(call: NewCall, ceiling: Ceiling, now: number) {
    return this.#writer.write(() => beginCall(call, ceiling, now))
  }

  endCall(id: number, end: CallEnd) {
    return this.#writer.write(() => endCall(id, end))
  }

  dropOutdated(maker: VectorMaker, before: number) {
    return this.#writer.write(() => dropOutdated(maker, before))
  }

  close(): void {
    this.#writer.close()
  }

  #read<Result>(operation: string, program: Program<Result>): Result {
    try {
      return execute(this.#writer.connection, program)
    } catch (error) {
      throw classify(error, this.#file, operation)
    }
  }
}

/** What is left of pages is found by what it says. */
function* thenIndexed<Result>(erasing: Program<Result>, now: number): Program<Result> {
  const result = yield* erasing
  yield* indexPages(now)
  return result
}

/** New words in an old message's place; the parts were those of the old words. */
function replacement({ role, origin, name, externalId, thread, at }: Message, metadata: string | null, content: string): ValidMessage {
  return { role, origin, name: name ?? null, externalId: externalId ?? null, thread: thread ?? null, parts: null, metadata, content, saidAt: at }
}
