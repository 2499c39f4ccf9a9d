import { assemble, type Assembled } from '../context/assemble.ts'
import type { ContextRequest } from '../context/request.ts'
import { compact, type CompactPlan, type CompactRequest } from '../context/compact/compact.ts'
import { TurnSizes } from '../context/compact/sizes.ts'
import { StoreDamaged } from '../errors/store-damaged.ts'
import { embeddingBacklog, embeddingsDue } from '../index/embedding-work.ts'
import { Segments } from '../index/segments.ts'
import { extractiveNotesWriter } from '../models/extractive/notes/notes-writer.ts'
import { loadTokenizer, type Tokenizer } from '../models/tokenizer.ts'
import type { Check } from '../storage/check.ts'
import { diagnose } from '../storage/sqlite/diagnose.ts'
import type { Recalled } from '../recall/hit.ts'
import type { AskedVector } from '../recall/asked-vector.ts'
import { type QuestionText, questionText } from '../recall/question-text.ts'
import { type FactRecallRequest, recallFacts } from '../recall/fact-hits.ts'
import { recall } from '../recall/recall.ts'
import type { RecallRequest } from '../recall/request.ts'
import { profileOf } from '../privacy/profile.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { previewForget } from '../storage/erase/erasure.ts'
import type { ForgetSelection } from '../storage/erase/forget-selection.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import { type PageRequest, readMessages } from '../storage/log/messages.ts'
import { projectSettings, projects, sharesByDefault, usersOf } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { costs, ledger } from '../storage/log/ledger.ts'
import { type BankLook, dueBanks } from '../storage/derived/banks.ts'
import type { Granularity } from '../bank/granularity.ts'
import { bankStats, correctionFits, listBank, pinFits, renderedBank } from '../bank/bank-of.ts'
import { ShownBanks } from '../bank/shown-banks.ts'
import { Profiles } from '../facts/profiles.ts'
import { notesSettings } from '../notes/settings.ts'
import { factHistory, factsAround, queryFacts } from '../facts/read-facts.ts'
import type { FactRequest } from '../facts/request.ts'
import { documentRevisions, listDocuments, readDocument } from '../documents/read-documents.ts'
import { dueNotes, dueOfSession, listNotes, notesForCompaction, notesRevisions, ownerOfNotes, readNotes, sessionToNote } from '../notes/read-notes.ts'
import { nearDocuments } from '../recall/near-documents.ts'
import { countPendingFacts } from '../storage/pages/page-facts.ts'
import { listBlocks, readBlock, readRevisions } from '../blocks/read-blocks.ts'
import { listGists, pendingMessages, readGist } from '../gists/read-gists.ts'
import { type DueBounds, type DueKind, readingBacklog } from '../storage/derived/reading.ts'
import { failingWork } from '../storage/work.ts'
import { areDocumentsHeld, dueDocuments, type DueScope, dueSession, dueWithin, factsWaiting, notDueWithin } from '../distil/due.ts'
import { sharingOf } from '../storage/bank/sharing.ts'
import { getReceipt, pendingErasures, receipts } from '../storage/erase/receipts.ts'
import { getSession, sessions } from '../storage/log/sessions.ts'
import { classify } from '../storage/sqlite/classify.ts'
import { executeRead } from '../storage/sqlite/execute.ts'
import type { Connection } from '../storage/sqlite/connection.ts'

/** Banks looked at in one go. */
const banksPerLook = 16

/** What the reading thread offers: everything that looks, and nothing that changes. */
export class ReadService {
  readonly #connection: () => Connection
  readonly #file: string
  readonly #key: string
  readonly #segments: Segments
  readonly #banks = new ShownBanks()
  readonly #profiles = new Profiles()
  #tokenizer: Promise<Tokenizer> | undefined
  #sizes: TurnSizes | undefined

  constructor(connection: () => Connection, file: string, key: string, segmentBytes: number) {
    this.#connection = connection
    this.#file = file
    this.#key = key
    this.#segments = new Segments(segmentBytes)
  }

  questionText(partition: PartitionId, query: string, maker: VectorMaker): QuestionText {
    return this.#run('recall', questionText(this.#segments, partition, query, maker))
  }

  recall(partition: PartitionId, request: RecallRequest, asked?: AskedVector): Recalled {
    return this.#run('recall', recall(this.#segments, partition, request, asked))
  }

  async context(partition: PartitionId, request: ContextRequest, asked?: AskedVector): Promise<Assembled> {
    const tokenizer = await this.#exact()
    return this.#run('context', assemble(this.#segments, partition, request, { key: this.#key, tokenizer, asked, banks: this.#banks, profiles: this.#profiles }))
  }

  async compact(partition: PartitionId, request: CompactRequest): Promise<CompactPlan> {
    this.#sizes ??= new TurnSizes(await this.#exact())
    const settings = notesSettings(this.#run('compact', projectSettings(partition.project))['notes'])
    return this.#run('compact', compact(partition, request, { key: this.#key, sizes: this.#sizes, readNotes: notesForCompaction, writer: extractiveNotesWriter, settings }))
  }

  messages(partition: PartitionId, session: SessionName, request: PageRequest) {
    return this.#run('messages', readMessages(partition, session, request))
  }

  sessions(partition: PartitionId, limit: number) {
    return this.#run('sessions', sessions(partition, limit))
  }

  session(partition: PartitionId, session: SessionName) {
    return this.#run('session', getSession(partition, session))
  }

  previewForget(partition: PartitionId, selection: ForgetSelection) {
    return this.#run('forget', previewForget(partition, selection))
  }

  projects() {
    return this.#run('projects', projects())
  }

  projectSettings(name: string) {
    return this.#run('settings', projectSettings(name))
  }

  users(project: string) {
    return this.#run('users', usersOf(project))
  }

  receipt(id: string) {
    return this.#run('receipt', getReceipt(id))
  }

  receipts(limit: number) {
    return this.#run('receipts', receipts(limit))
  }

  pendingErasures() {
    return this.#run('upkeep', pendingErasures())
  }

  embeddingsDue(maker: VectorMaker | undefined, holder: string, now: number, before: number) {
    return this.#run('upkeep', embeddingsDue(maker, holder, now, before))
  }

  embeddingBacklog(maker: VectorMaker | undefined) {
    return this.#run('upkeep', embeddingBacklog(maker))
  }

  dueSessions(kind: DueKind, bounds: DueBounds, only: DueScope | undefined) {
    return this.#run('upkeep', dueWithin(kind, bounds, only))
  }

  sessionsNotDue(bounds: DueBounds, only: DueScope | undefined) {
    return this.#run('upkeep', notDueWithin(bounds, only))
  }

  readingBacklog(layers: number) {
    return this.#run('upkeep', readingBacklog(layers))
  }

  costs(since: number) {
    return this.#run('upkeep', costs(since))
  }

  dueBanks(now: number, look: BankLook) {
    return this.#run('upkeep', dueBanks(now, look, banksPerLook))
  }

  sharesByDefault(partition: PartitionId) {
    return this.#run('settings', sharesByDefault(partition))
  }

  dueSession(partition: PartitionId, session: SessionName, layers: number) {
    return this.#run('distil', dueSession(partition, session, layers))
  }

  sharing(project: string) {
    return this.#run('sharing', sharingOf(project))
  }

  gist(partition: PartitionId, session: SessionName) {
    return this.#run('gists', readGist(partition, session))
  }

  gists(partition: PartitionId, limit: number) {
    return this.#run('gists', listGists(partition, limit))
  }

  queryFacts(partition: PartitionId, request: FactRequest) {
    return this.#run('facts', queryFacts(partition, request))
  }

  factHistory(partition: PartitionId, of: Parameters<typeof factHistory>[1], now: number) {
    return this.#run('facts', factHistory(partition, of, now))
  }

  factsAround(partition: PartitionId, name: string, request: Parameters<typeof factsAround>[2]) {
    return this.#run('facts', factsAround(partition, name, request))
  }

  profile(partition: PartitionId, now: number) {
    return this.#run('profile', profileOf(this.#profiles, partition, now))
  }

  recallFacts(partition: PartitionId, request: FactRecallRequest, asked?: AskedVector) {
    return this.#run('facts', recallFacts(this.#segments, partition, request, asked))
  }

  pendingMessages(partition: PartitionId, session: SessionName | undefined) {
    return this.#run('gists', pendingMessages(partition, session))
  }

  bankEntries(partition: PartitionId, granularity: Granularity | undefined, limit: number) {
    return this.#run('bank', listBank(partition, granularity, limit))
  }

  async bankStats(partition: PartitionId, now: number) {
    const tokenizer = await this.#exact()
    return this.#run('bank', bankStats(this.#banks, partition, now, tokenizer))
  }

  async renderBank(partition: PartitionId, maxTokens: number | undefined, now: number) {
    const tokenizer = await this.#exact()
    return this.#run('bank', renderedBank(this.#banks, partition, { maxTokens, now }, tokenizer))
  }

  async pinFits(partition: PartitionId, id: string) {
    const tokenizer = await this.#exact()
    return this.#run('bank', pinFits(partition, id, tokenizer))
  }

  async correctionFits(partition: PartitionId, id: string, lines: readonly string[]) {
    const tokenizer = await this.#exact()
    return this.#run('bank', correctionFits(partition, id, lines, tokenizer))
  }

  blocks(partition: PartitionId, session: SessionName | undefined) {
    return this.#run('blocks', listBlocks(partition, session))
  }

  block(partition: PartitionId, name: string, session: SessionName | undefined) {
    return this.#run('blocks', readBlock(partition, name, session))
  }

  blockRevisions(partition: PartitionId, name: string, session: SessionName | undefined, limit: number) {
    return this.#run('blocks', readRevisions(partition, name, session, limit))
  }

  documents(partition: PartitionId, limit: number) {
    return this.#run('documents', listDocuments(partition, limit))
  }

  document(partition: PartitionId, name: string, revision: number | undefined) {
    return this.#run('documents', readDocument(partition, name, revision))
  }

  documentRevisions(partition: PartitionId, name: string, limit: number) {
    return this.#run('documents', documentRevisions(partition, name, limit))
  }

  nearDocuments(partition: number, maker: VectorMaker, name: Float32Array, facts: Float32Array) {
    return this.#run('documents', nearDocuments(this.#segments, partition, maker, { name, facts }))
  }

  dueDocuments(now: number, only: DueScope | undefined) {
    return this.#run('upkeep', dueDocuments(now, only))
  }

  areDocumentsHeld(now: number, only: DueScope) {
    return this.#run('upkeep', areDocumentsHeld(now, only))
  }

  factsWaiting(partition: PartitionId) {
    return this.#run('documents', factsWaiting(partition))
  }

  pendingFacts() {
    return this.#run('upkeep', countPendingFacts())
  }

  notes(partition: PartitionId, session: SessionName, revision: number | undefined) {
    return this.#run('notes', readNotes(partition, session, revision))
  }

  notesList(partition: PartitionId, limit: number) {
    return this.#run('notes', listNotes(partition, limit))
  }

  notesRevisions(partition: PartitionId, session: SessionName, limit: number) {
    return this.#run('notes', notesRevisions(partition, session, limit))
  }

  notesDue(partition: PartitionId, session: SessionName, layers: number) {
    return this.#run('notes', dueOfSession(partition, session, layers))
  }

  dueNotes(layers: number, at: { now: number; since: number }, limit: number, only?: DueScope) {
    return this.#run('upkeep', dueNotes(layers, at, limit, only))
  }

  sessionToNote(partition: PartitionId, session: SessionName) {
    return this.#run('notes', sessionToNote(partition, session))
  }

  ownerOfNotes(session: number) {
    return this.#run('notes', ownerOfNotes(session))
  }

  failingWork() {
    return this.#run('upkeep', failingWork())
  }

  ledger(project: string | undefined, from: number, to: number, limit: number) {
    return this.#run('ledger', ledger(project, from, to, limit))
  }

  diagnose(): readonly Check[] {
    return diagnose(this.#connection(), this.#file, this.#segments.bytes)
  }

  close(): void {
    this.#connection().close()
  }

  #exact(): Promise<Tokenizer> {
    this.#tokenizer ??= loadTokenizer()
    return this.#tokenizer
  }

  #run<Result>(operation: string, program: Program<Result>): Result {
    try {
      return executeRead(this.#connection(), program)
    } catch (error) {
      // Stored terms that cannot be read: nothing of ours throws it otherwise.
      if (error instanceof RangeError) throw new StoreDamaged({ store: this.#file, reason: error.message }, { cause: error })
      throw classify(error, this.#file, operation)
    }
  }
}
