import type { Generated } from 'kysely'

/** The tables, as both engines have them. One word a column, the words of the design; times are UTC milliseconds. */
export interface Schema {
  meta: { key: string; value: string }
  schema_migration: { version: number; name: string; checksum: string; applied_at: number }
  project: { id: number; name: string; settings: string; created_at: number }
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
}

export interface SessionTable {
  id: number
  partition_id: number
  external_id: string
  name: string | null
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
