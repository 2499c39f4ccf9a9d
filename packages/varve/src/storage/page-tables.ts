/** A page as it stands: a document, or the notes of a session. */
export interface PageTable {
  id: number
  uuid: Uint8Array
  /** The partition of its user, or what the project shares. */
  partition_id: number
  /** 0 a document, 1 notes. */
  kind: number
  /** Of notes: their session. 0 for a document. */
  session_id: number
  /** A document's subject, and the same folded; both empty for notes. */
  name: string
  name_key: string
  max_chars: number
  revision: number
  description: string
  content: string
  created_at: number
  updated_at: number
  /** Of notes: the last message that they take in, and what the session's main line had come to then (tokens, tool calls). */
  noted_seq: number
  noted_tokens: number
  noted_calls: number
  /** 0 when its passages are to be made anew for the index. */
  indexed: number
}

/** What a page said, and who wrote it; the newest is what stands. */
export interface PageRevisionTable {
  page_id: number
  revision: number
  description: string
  /** The revision whose writer gave the description; 0 where it is made of the content. */
  described_by: number
  /** Null once it is let go: then it is kept for what later ones took from it. */
  content: string | null
  /** JSON: [revision, lines] in a row: which revision wrote so many lines. */
  authors: string
  writer: string
  written_at: number
  /** Of notes: the first message that its writer read; 0 where none was. */
  read_from: number
  /** JSON: [session, from, to]: what the lines that it wrote rest on. */
  spans: string
}

/** What a message says of a subject, read for documents. */
export interface PageFactTable {
  id: number
  partition_id: number
  session_id: number
  seq: number
  /** JSON: places of other messages whose words it takes. */
  also: string
  /** As it was named, and the same folded. */
  subject: string
  subject_key: string
  fact: string
  said_at: number
  writer: string
  /**
   * The document that it was worked into, and the revision that did so, 0 where that said it already; both 0 while it
   * waits, -1 and 0 once its document was deleted by hand.
   */
  page_id: number
  revision: number
}
