/** One statement of a fact. Validity intervals are derived from all statements of one subject and predicate (facts/derive.ts). */
export interface AssertionTable {
  /** The known partition (storage/partitions.ts): it has an index of its own. */
  partition_id: number
  ord: number
  /** The fact's id: the same for all assertions of one subject, predicate and object. */
  fact: Uint8Array
  /** 0: it holds, 1: it ends, 2: it never held. */
  says: number
  /** Words as they were said; the subject is empty for the partition's own user. */
  subject: string
  predicate: string
  object: string
  /** Keys for comparing: folded, with merged names as one. */
  subject_key: string
  predicate_key: string
  object_key: string
  /** In a correction: the key of the object that it replaces. */
  instead_key: string | null
  /**
   * Null stands for the time of saying, or in a correction for the start of the corrected fact; null `valid_until`
   * means until further notice. In an end, `valid_until` is the time of the end.
   */
  valid_from: number | null
  valid_until: number | null
  said_at: number
  recorded_at: number
  /** The time since when a new reading of the same messages no longer states it. */
  withdrawn_at: number | null
  confidence: number
  /** 1 when its writer takes the predicate for single-valued. */
  single: number
  phrase: string | null
  when_from: number | null
  when_to: number | null
  /** JSON: ids of facts. */
  depends_on: string
  writer: string
  /** The session that it was read from; 0 for a statement added by hand. */
  session_id: number
  /** 1 when a named speaker says it of another person, 2 when the partition's own user does, 3 for an agent's note without a source. */
  of_other: number
  /** The session in which an agent noted it; 0 for none. It goes with that session. */
  noted_in: number
  /** 1 when it holds for a while only, as in "this week only"; 2 for an event, which happened once and ends no state. */
  passing: number
  /** 0 while it waits for its comparison with the other statements about its subject. */
  compared: number
}

/** The statement \`ord\` ends the earlier statement \`ended\`, which said it in other words. */
export interface AssertionEndTable {
  partition_id: number
  ended: number
  ord: number
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

/** A named piece of working memory in its present revision. */
export interface BlockTable {
  id: number
  uuid: Uint8Array
  /** The partition of its user, or the project's own. */
  partition_id: number
  /** 0 for a block of no session. */
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

/** One revision of a block and its writer; the newest counts. */
export interface BlockRevisionTable {
  block_id: number
  revision: number
  content: string
  writer: string
  written_at: number
  /** The session in which a tool wrote it, and its messages so far; 0 for none. */
  session_id: number
  from_seq: number
  to_seq: number
}

/** One statement of an instruction. The time in which it stands is derived from all statements (instructions/derive.ts). */
export interface InstructionTable {
  uuid: Uint8Array
  /** The partition of its user. */
  partition_id: number
  /** Its message, and the characters [starts, ends) of it; all 0 for an instruction that was added by hand. */
  session_id: number
  seq: number
  starts: number
  ends: number
  said_at: number
  recorded_at: number
  /** The time since which a person's text stands in its place. */
  edited_at: number | null
  /** The time at which a person ended it by hand. */
  withdrawn_at: number | null
  /** 1 when it only takes back earlier ones. */
  takes_back: number
  /** 0 until it was compared with the partition's other statements. */
  compared: number
  provisional: number
  writer: string
  /** The words as they were said. */
  content: string
  /** A person's text in their place. */
  hand: string | null
  /** JSON: the ids of the earlier statements that it ends. */
  ended: string
  /** The session in which an agent noted it; 0 for none. It goes with that session. */
  noted_in: number
}
