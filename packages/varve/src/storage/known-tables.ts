/** One statement of a fact. Intervals are derived from all that are made of one subject and predicate (facts/derive.ts). */
export interface AssertionTable {
  /** The partition of what is known (storage/partitions.ts): it has an index of its own. */
  partition_id: number
  ord: number
  /** The fact's id: the same for all assertions of one subject, predicate and object. */
  fact: Uint8Array
  /** 0 it holds, 1 it ends, 2 it never did. */
  says: number
  /** As they were said; the subject is empty for the partition's own user. */
  subject: string
  predicate: string
  object: string
  /** As they are compared: folded, and merged names as one. */
  subject_key: string
  predicate_key: string
  object_key: string
  /** Of a correction: the object (its key) in whose place it comes. */
  instead_key: string | null
  /**
   * Null: since it was said, or of a correction since what it corrects; until further notice. Of an end,
   * `valid_until` is when it ended.
   */
  valid_from: number | null
  valid_until: number | null
  said_at: number
  recorded_at: number
  /** Since when a reading of the same messages does not say it any more. */
  withdrawn_at: number | null
  confidence: number
  /** Whether its writer takes the predicate for one that has a single object at a time. */
  single: number
  phrase: string | null
  when_from: number | null
  when_to: number | null
  /** JSON: ids of facts. */
  depends_on: string
  writer: string
  /** The session that it was read from; 0 for what was added by hand. */
  session_id: number
}

/** Characters [starts, ends) of a message on which an assertion rests. */
export interface AssertionSourceTable {
  session_id: number
  seq: number
  partition_id: number
  ord: number
  starts: number
  ends: number
}

/** A named piece of working memory as it stands. */
export interface BlockTable {
  id: number
  uuid: Uint8Array
  /** The partition of its user, or what the project shares. */
  partition_id: number
  /** 0 when it is of no session. */
  session_id: number
  name: string
  /** Its place among those of its scope, from 1. */
  place: number
  max_chars: number
  revision: number
  content: string
  created_at: number
  updated_at: number
}

/** What a block said, and who wrote it; the newest is what stands. */
export interface BlockRevisionTable {
  block_id: number
  revision: number
  content: string
  writer: string
  written_at: number
  /** Where a tool wrote it: the session, and its messages so far. 0 for none. */
  session_id: number
  from_seq: number
  to_seq: number
}
