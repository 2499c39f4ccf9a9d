import { assemble, type Assembled } from '../context/assemble.ts'
import type { ContextRequest } from '../context/request.ts'
import { StoreDamaged } from '../errors/store-damaged.ts'
import { embeddingBacklog, embeddingsDue } from '../index/embedding-work.ts'
import { Segments } from '../index/segments.ts'
import { loadTokenizer, type Tokenizer } from '../models/tokenizer.ts'
import type { Check } from '../storage/check.ts'
import { diagnose } from '../storage/sqlite/diagnose.ts'
import type { Recalled } from '../recall/hit.ts'
import type { AskedVector } from '../recall/asked-vector.ts'
import { type QuestionText, questionText } from '../recall/question-text.ts'
import { recall } from '../recall/recall.ts'
import type { RecallRequest } from '../recall/request.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { type ForgetSelection, previewForget } from '../storage/erasure.ts'
import type { VectorMaker } from '../storage/embeddings.ts'
import { type PageRequest, readMessages } from '../storage/messages.ts'
import { projectSettings, projects, usersOf } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { getReceipt, pendingErasures, receipts } from '../storage/receipts.ts'
import { getSession, sessions } from '../storage/sessions.ts'
import { classify } from '../storage/sqlite/classify.ts'
import { execute } from '../storage/sqlite/execute.ts'
import type { Connection } from '../storage/sqlite/connection.ts'

/** What the reading thread offers: everything that looks, and nothing that changes. */
export class ReadService {
  readonly #connection: () => Connection
  readonly #file: string
  readonly #key: string
  readonly #segments: Segments
  #tokenizer: Promise<Tokenizer> | undefined

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
    this.#tokenizer ??= loadTokenizer()
    const tokenizer = await this.#tokenizer
    return this.#run('context', assemble(this.#segments, partition, request, { key: this.#key, tokenizer, asked }))
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

  diagnose(): readonly Check[] {
    return diagnose(this.#connection(), this.#file, this.#segments.bytes)
  }

  close(): void {
    this.#connection().close()
  }

  #run<Result>(operation: string, program: Program<Result>): Result {
    try {
      return execute(this.#connection(), program)
    } catch (error) {
      // Stored terms that cannot be read: nothing of ours throws it otherwise.
      if (error instanceof RangeError) throw new StoreDamaged({ store: this.#file, reason: error.message }, { cause: error })
      throw classify(error, this.#file, operation)
    }
  }
}
