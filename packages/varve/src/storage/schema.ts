import type { Generated } from 'kysely'
import type { ApiKeyTable, AppendKeyTable, AuditTable, JournalTable } from './door-tables.ts'
import type { DeedSourceTable, DeedTable, DeedTextTable } from './deed-tables.ts'
import type { PageFactTable, PageRevisionTable, PageTable } from './page-tables.ts'
import type {
  AssertionEndTable,
  AssertionSourceTable,
  AssertionTable,
  BlockRevisionTable,
  BlockTable,
  InstructionTable,
} from './known-tables.ts'

/** The tables, as both engines have them. A column's name is one word of the design; times are UTC milliseconds. */
export interface Schema {
  meta: { key: string; value: string }
  schema_migration: { version: number; name: string; checksum: string; applied_at: number }
  project: ProjectTable
  partition: PartitionTable
  session: SessionTable
  message: MessageTable
  /** The present ordinal of a replaced message: its id still gives its first one (ids/message-id.ts). */
  message_moved: { partition_id: number; uuid: Uint8Array; ord: number }
  message_terms: { partition_id: number; ord: number; session_id: number; seq: number; said_at: number; body: Uint8Array; traits: number }
  tombstone: { partition_id: number; epoch: number; ord: number }
  /** Keyed hashes of the external ids of forgotten messages (storage/log/forgotten-ids.ts). */
  forgotten_id: { owner: Uint8Array; ord: number; digest: Uint8Array }
  /** The keys of hashes that came with an import (storage/log/forgotten-ids.ts). */
  forgotten_key: { owner: Uint8Array; secret: Uint8Array; up_to: number }
  /** Whose erasures a receipt is about: a keyed hash, as in `forgotten_id`. */
  receipt_owner: { receipt: Uint8Array; owner: Uint8Array }
  import: ImportTable
  import_lines: ImportLinesTable
  /** Where an import put what it refers to by numbers of its own. */
  import_place: { import_id: number; kind: number; theirs: number; ours: number }
  context_record: ContextRecordTable
  receipt: ReceiptTable
  embedding_model: { id: Generated<number>; name: string; dimension: number; quantisation: string; created_at: number }
  embedding: Omit<EmbeddingTable, 'id'> & { id: Generated<number> }
  /** A vector as int8, for the index: 1 to 255 a component, so that a body has no zero byte (storage/vectors.ts). */
  message_code: { id: number; ord: number; scale: number; body: Uint8Array }
  message_vector: VectorTable
  part: Omit<PartTable, 'id'> & { id: Generated<number> }
  item: ItemTable
  work: WorkTable
  ledger: Omit<LedgerTable, 'id'> & { id: Generated<number> }
  upkeep_run: Omit<UpkeepRunTable, 'id'> & { id: Generated<number> }
  assertion: AssertionTable
  assertion_source: AssertionSourceTable
  assertion_end: AssertionEndTable
  /** Names that were merged by hand: a statement about one is about the other. */
  entity: { partition_id: number; name_key: string; entity_key: string }
  instruction: InstructionTable
  block: Omit<BlockTable, 'id'> & { id: Generated<number> }
  block_revision: BlockRevisionTable
  page: Omit<PageTable, 'id'> & { id: Generated<number> }
  page_revision: PageRevisionTable
  /** The pages that rest on messages of a session. */
  page_source: { session_id: number; page_id: number }
  page_fact: Omit<PageFactTable, 'id'> & { id: Generated<number> }
  deed: Omit<DeedTable, 'id'> & { id: Generated<number> }
  deed_text: DeedTextTable
  deed_source: DeedSourceTable
  api_key: ApiKeyTable
  audit: AuditTable
  journal: JournalTable
  append_key: AppendKeyTable
}

export interface ProjectTable {
  id: number
  name: string
  settings: string
  created_at: number
  /** Bits (storage/layers.ts) of the layers that the project's settings name, and of those that they switch on. */
  layers_set: number
  layers_on: number
  /** Sessions that began since then feed the shared bank; null while it is off. */
  sharing_since: number | null
  /** Assistants' answers that were said since then are shared too, and whose choice that was; null while they are not. */
  answers_since: number | null
  answers_by: string | null
}

/** A partition's row, which is also its state: `seq` is the last ordinal given out, `epoch` rises with every erasure. */
export interface PartitionTable {
  id: number
  project_id: number
  owner_kind: number
  owner: string
  seq: number
  epoch: number
  messages: number
  term_bytes: number
  created_at: number
  /** 1 when sessions without a setting of their own feed the project's shared bank. */
  share: number
  /** The time of its last turn at distilling. */
  distilled_at: number
}

export interface SessionTable {
  id: number
  partition_id: number
  external_id: string
  name: string | null
  /** 0: private, 1: shared, 2: its partition's setting. */
  share: number
  metadata: string | null
  language: string
  language_votes: string
  seq: number
  epoch: number
  messages: number
  created_at: number
  first_said_at: number | null
  last_said_at: number | null
  last_recorded_at: number
  /** The last place that was read, the epoch at that time, the bits of the layers read, and those to be written again. */
  read_seq: number
  read_epoch: number
  read_layers: number
  provisional: number
  /** Bits of the layers that the session names itself, and of those that it switches on. */
  layers_set: number
  layers_on: number
  /** In its main line of talk: all tokens and tool calls ever recorded, and 1 when the assistant's last message calls no tool. */
  main_tokens: number
  main_calls: number
  main_pause: number
  /** The first place that feeds the shared bank, where the owner shares the session by name; 0: the project's switch decides. */
  shared_from: number
}

export interface MessageTable {
  partition_id: number
  ord: number
  session_id: number
  seq: number
  uuid: Uint8Array
  external_id: string | null
  role: string
  origin: string
  name: string | null
  thread: string | null
  content: string
  parts: string | null
  metadata: string | null
  recalled: string | null
  said_at: number
  recorded_at: number
  tokens: number
}

export interface ContextRecordTable {
  id: number
  uuid: Uint8Array
  partition_id: number
  /** The caller's name of the session: a context may be asked for before the session's first message. '' for none. */
  session: string
  created_at: number
  items: string
  shingles: Uint8Array
  /** JSON: the record from which it can be shown again (storage/log/past-contexts.ts), without any words. */
  shown: string | null
}

/** An import: its lines wait until all are there and, if another store made them, until somebody accepts them. */
export interface ImportTable {
  id: Generated<number>
  uuid: Uint8Array
  partition_id: number
  /** The id that its maker gave it. */
  bundle: Uint8Array
  /** JSON: its first line. */
  header: string
  /** 0 while lines come, 1 while it waits to be accepted, 2 once it is being applied. */
  state: number
  /** 0: somebody's, 1: of a trusted key, 2: of this store; 3: changed since it was made. */
  trust: number
  lines: number
  bytes: number
  /** The number of lines that were applied. */
  applied: number
  created_at: number
  /** JSON: counts of its lines by kind, and of what was done with them. */
  counts: string
}

/** Some lines of an import, as they came. */
export interface ImportLinesTable {
  import_id: number
  /** The number of the first of them, from 1. */
  first: number
  lines: number
  body: string
}

export interface ReceiptTable {
  id: number
  uuid: Uint8Array
  counts: string
  physical: string
  created_at: number
  done_at: number | null
  attempts: number
  reason: string | null
  lease_holder: string | null
  lease_until: number
  /** JSON: what was erased, its names as keyed hashes (storage/erase/erases.ts); null from an older Varve. */
  erased: string | null
  /** JSON: signatures of the store's key over the receipt as it is now. */
  signatures: string | null
}

/** The progress of a model's embedding of a partition. */
export interface EmbeddingTable {
  id: number
  partition_id: number
  model_id: number
  /** The last number given to a vector. */
  vector_seq: number
  /** The partition's `seq` when nothing was left to embed; 0 while there is work. */
  seen_seq: number
  /** Ordinals that need no more work: JSON of [from, to] pairs, ascending, apart from each other. */
  done: string
  /** The time of its last turn. */
  claimed_at: number
  lease_holder: string | null
  lease_until: number
  /** Failures since the last success. The next attempt is not before `due_at`. */
  attempts: number
  due_at: number
  reason: string | null
}

/** A passage of a message and its vector: f32, little endian; empty when the model refused the text. */
export interface VectorTable {
  id: number
  partition_id: number
  ord: number
  passage: number
  begins: number
  ends: number
  body: Uint8Array
}

/** A writer's text about at most 40 messages of one sitting, for one layer. */
export interface PartTable {
  id: number
  partition_id: number
  session_id: number
  layer: number
  from_seq: number
  to_seq: number
  messages: number
  /** The local day: YYYY-MM-DD. */
  sitting: string
  first_at: number
  last_at: number
  /** One sentence a line; null when a person took it out. It comes back only when it is provisional too (storage/parts.ts). */
  content: string | null
  /** JSON: for each line, the places (seq) of its source messages. */
  sources: string
  writer: string
  provisional: number
  written_at: number
}

/** A gist or a bank entry. A change gives it a new ordinal, as a replaced message gets one: the index follows ordinals. */
export interface ItemTable {
  /** The derived partition (storage/partitions.ts): it has an index of its own. */
  partition_id: number
  ord: number
  uuid: Uint8Array
  /**
   * Its number in storage/kinds.ts: 0 for a gist, 1 for a bank entry.
   *
   * The words of kind 2 are the message's own. The id of kind 3 is the block's.
   */
  kind: number
  /** The rung of a bank entry: 0 for a conversation. */
  rung: number
  period: string
  /** The item's session; 0 for a digest. */
  session_id: number
  /**
   * The partition of its session, its page or its block. PostgreSQL alone keeps it in the row: on SQLite the queries of
   * items.ts tell it.
   */
  home_id?: number | null | undefined
  /** A sentence or bullet a line. */
  content: string
  /** JSON: the sources of each line: places (seq) in its session, or ordinals of entries for a digest. */
  sources: string
  /**
   * JSON: [from, to] places in its session. For a digest that a person corrected: [ordinal, messages] of each child
   * that the person's words stand for.
   */
  spans: string
  /** JSON: its source parts (their ids), or a digest's children ([ordinal, id] of each). */
  made_of: string
  /** The ordinal of the digest that covers it; 0 for none. */
  covered_by: number
  /** A person's text in its place, and the last message that this text stands for. For a message: its place in its session. */
  hand: string | null
  hand_seq: number
  pinned: number
  messages: number
  conversations: number
  first_at: number
  said_at: number
  recorded_at: number
  tokens: number
  writer: string
  provisional: number
  /** The page of a passage. */
  page_id: number
}

/** A lease on a piece of work, and its failures. There is a row only where there is one of these. */
export interface WorkTable {
  /**
   * 0: a session to distil (its id), 1: a bank to digest (its derived partition), 2: notes of a session, 3: documents
   * of a partition.
   */
  kind: number
  ref: number
  partition_id: number
  lease_holder: string | null
  lease_until: number
  attempts: number
  due_at: number
  /** For a bank: the sum of its partition's `seq` and `epoch` when nothing was due. Both only rise, and either makes it due again. */
  seen_seq: number
  reason: string | null
}

/** A request to a language model. */
export interface LedgerTable {
  id: number
  project_id: number
  task: string
  /** Bits of the layers that the request was for. */
  layers: number
  model: string
  began_at: number
  ms: number
  input_tokens: number
  output_tokens: number
  /** The outcome (models/language-model.ts), or `pending`. */
  outcome: string
  /** The run of upkeep that made it (`upkeep_run.run`); null for a call that a caller asked for. */
  run: Uint8Array | null
  /** Input tokens that the provider read from its cache, and wrote to it; null where it does not tell. */
  cache_read_tokens: number | null
  cache_write_tokens: number | null
}

/** What a run of upkeep did for one project. */
export interface UpkeepRunTable {
  id: number
  /** The run's id: one in all rows of a run. */
  run: Uint8Array
  /** 0 for work of no project, such as erasures. */
  project_id: number
  began_at: number
  ended_at: number
  ms: number
  /** 1 for `upkeep.run()`, 0 for the background. */
  asked: number
  calls: number
  input_tokens: number
  output_tokens: number
  /** JSON: for each kind of work, its counts and the newest reasons of failures (storage/log/runs.ts). */
  work: string
}
