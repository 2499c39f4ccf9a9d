import type { Generated } from 'kysely'
import type { PageFactTable, PageRevisionTable, PageTable } from './page-tables.ts'
import type { AssertionSourceTable, AssertionTable, BlockRevisionTable, BlockTable } from './known-tables.ts'

/** The tables, as both engines have them. One word a column, the words of the design; times are UTC milliseconds. */
export interface Schema {
  meta: { key: string; value: string }
  schema_migration: { version: number; name: string; checksum: string; applied_at: number }
  project: ProjectTable
  partition: PartitionTable
  session: SessionTable
  message: MessageTable
  /** Where a replaced message stands: its id still tells its first ordinal (ids/message-id.ts). */
  message_moved: { partition_id: number; uuid: Uint8Array; ord: number }
  message_terms: { partition_id: number; ord: number; session_id: number; seq: number; said_at: number; body: Uint8Array; traits: number }
  tombstone: { partition_id: number; epoch: number; ord: number }
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
  assertion: AssertionTable
  assertion_source: AssertionSourceTable
  /** Names that were merged by hand: what is said of one is said of the other. */
  entity: { partition_id: number; name_key: string; entity_key: string }
  block: Omit<BlockTable, 'id'> & { id: Generated<number> }
  block_revision: BlockRevisionTable
  page: Omit<PageTable, 'id'> & { id: Generated<number> }
  page_revision: PageRevisionTable
  /** Which pages rest on messages of a session. */
  page_source: { session_id: number; page_id: number }
  page_fact: Omit<PageFactTable, 'id'> & { id: Generated<number> }
}

export interface ProjectTable {
  id: number
  name: string
  settings: string
  created_at: number
  /** Bits (storage/layers.ts) of the layers that the project's settings name, and of those that they switch on. */
  layers_set: number
  layers_on: number
  /** Sessions begun since then feed the shared bank; null while it is off. */
  sharing_since: number | null
}

/** A partition's row is also its state: `seq` is the last ordinal given out, `epoch` rises with every erasure. */
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
  /** Whether sessions feed what the project shares when nothing is said about one. */
  share: number
  /** When it last had its turn at being distilled. */
  distilled_at: number
}

export interface SessionTable {
  id: number
  partition_id: number
  external_id: string
  name: string | null
  /** 0 private, 1 shared, 2 as its partition has it. */
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
  /** How far it was read, as of which epoch, for which layers (bits), and which of them are to be written again. */
  read_seq: number
  read_epoch: number
  read_layers: number
  provisional: number
  /** Bits of the layers that it names itself, and of those that it switches on. */
  layers_set: number
  layers_on: number
  /**
   * Of its main line of talk: tokens and tool calls that were ever recorded, and whether the assistant's last message
   * in it calls no tool.
   */
  main_tokens: number
  main_calls: number
  main_pause: number
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
  /** The caller's name of the session: a context may be asked for before the session's first message. */
  session: string
  created_at: number
  items: string
  shingles: Uint8Array
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
}

/** How far a partition is embedded by a model. */
export interface EmbeddingTable {
  id: number
  partition_id: number
  model_id: number
  /** The last number given to a vector. */
  vector_seq: number
  /** The partition's `seq` when nothing was left to embed; 0 while something is. */
  seen_seq: number
  /** Ordinals that need no more work: JSON of [from, to] pairs, ascending, apart from each other. */
  done: string
  /** When it last had its turn. */
  claimed_at: number
  lease_holder: string | null
  lease_until: number
  /** Failures since the last success; the next try is not before `due_at`. */
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

/** What a writer made of at most 40 messages of one sitting, for one layer. */
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
  /** A sentence a line; null when it was taken out by hand, and is not to come back unless it is provisional too (storage/parts.ts). */
  content: string | null
  /** JSON: for each line, places (seq) of the messages that it rests on. */
  sources: string
  writer: string
  provisional: number
  written_at: number
}

/** A gist or a bank entry. What changes gets a new ordinal, as a replaced message does: the index follows ordinals. */
export interface ItemTable {
  /** The partition of what is derived (storage/partitions.ts): it has an index of its own. */
  partition_id: number
  ord: number
  uuid: Uint8Array
  /**
   * 0 gist, 1 bank, 2 a message of a session that its project shares (its words are the message's own), 3 a block
   * (its id is the block's), 4 a passage of a document, 5 one of a session's notes.
   */
  kind: number
  /** Of a bank entry: place of its granularity, 0 for a conversation. */
  rung: number
  period: string
  /** The session that it is of; 0 for a digest. */
  session_id: number
  /** A sentence or bullet a line. */
  content: string
  /** JSON: for each line what it rests on: places (seq) in its session; of a digest, ordinals of entries. */
  sources: string
  /**
   * JSON: [from, to] places in its session; of a digest that a person corrected, [ordinal, messages] of each child
   * that the person's words stand for.
   */
  spans: string
  /** JSON: the parts (their ids), or a digest's children ([ordinal, id] of each), that it was made of. */
  made_of: string
  /** The ordinal of the digest that covers it; 0 for none. */
  covered_by: number
  /** What a person wrote in its place, and up to which message that stands for what was said; of a message, its place in its session. */
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
  /** Of a passage: its page. */
  page_id: number
}

/** Who works on what, and what failed: a row only where there is something to say. */
export interface WorkTable {
  /**
   * 0 a session to be distilled (its id), 1 a bank to be digested (its partition of derived items), 2 a session's
   * notes, 3 the documents of a partition.
   */
  kind: number
  ref: number
  partition_id: number
  lease_holder: string | null
  lease_until: number
  attempts: number
  due_at: number
  /** Of a bank: its partition's `seq` and `epoch`, added, when nothing was due. Both only rise: either makes it due once more. */
  seen_seq: number
  reason: string | null
}

/** A request to a language model. */
export interface LedgerTable {
  id: number
  project_id: number
  task: string
  /** Bits of the layers that it was for. */
  layers: number
  model: string
  began_at: number
  ms: number
  input_tokens: number
  output_tokens: number
  /** How it ended (models/language-model.ts), or `pending`. */
  outcome: string
}
