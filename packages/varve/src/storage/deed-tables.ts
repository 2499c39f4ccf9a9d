/** A change by hand. It has no words: the texts that it took away are in `deed_text`. */
export interface DeedTable {
  id: number
  /** The id by which it is undone: of a deletion, that of its receipt. */
  uuid: Uint8Array
  /** The partition of the changed things: a derived one, a known one, or the user's own for instructions. */
  partition_id: number
  /** One of storage/deeds/deeds.ts. */
  act: string
  /** The id of the changed thing; empty for none. */
  ref: Uint8Array
  /** The session of a gist, or 0. */
  session_id: number
  /** The revision of a gist that it ended, or 0. */
  place: number
  writer: string
  done_at: number
  undone_at: number | null
}

/** A text that a deed took away. It is erased with any message on which it rests. */
export interface DeedTextTable {
  deed_id: number
  place: number
  /** The kind of thing that it was: one of storage/deeds/deeds.ts. */
  kind: number
  /** The id of the thing; empty for a part. */
  ref: Uint8Array
  /** JSON: all that the thing was besides its words. Numbers, ids and writers. */
  state: string
  hand: string | null
  content: string
}

/** A text of a deed rests on messages [from_seq, to_seq] of a session; [0, 0] stands for the session alone. */
export interface DeedSourceTable {
  session_id: number
  deed_id: number
  place: number
  from_seq: number
  to_seq: number
}
