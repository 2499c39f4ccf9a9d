/** A page in its present revision: a document, or the notes of a session. */
export interface PageTable {
  id: number
  uuid: Uint8Array
  /** The partition of its user, or the project's own. */
  partition_id: number
  /** 0 a document, 1 notes. */
  kind: number
  /** The session of notes; 0 for a document. */
  session_id: number
  /** A document's subject, and the subject folded; both empty for notes. */
  name: string
  name_key: string
  max_chars: number
  revision: number
  description: string
  content: string
  created_at: number
  updated_at: number
  /** In notes: the last message taken in, and the tokens and tool calls of the session's main line at that time. */
  noted_seq: number
  noted_tokens: number
  noted_calls: number
  /** 0 when its passages must be made anew for the index. */
  indexed: number
}

/** One revision of a page and its writer; the newest counts. */
export interface PageRevisionTable {
  page_id: number
  revision: number
  description: string
  /** The revision whose writer gave the description; 0 when it is made of the content. */
  described_by: number
  /** Null once the text is dropped. The row stays, because later revisions have lines of it. */
  content: string | null
  /** JSON: a list of [revision, lines], in the order of the lines: the revision that wrote so many lines. */
  authors: string
  writer: string
  written_at: number
  /** In notes: the first message that its writer read; 0 for none. */
  read_from: number
  /** JSON: a list of [session, from, to]: the messages on which its own lines rest. */
  spans: string
}

/** A statement about a subject in a message, read for documents. */
export interface PageFactTable {
  id: number
  partition_id: number
  session_id: number
  seq: number
  /** JSON: places of other messages whose words it uses. */
  also: string
  /** The subject as it was named, and folded. */
  subject: string
  subject_key: string
  fact: string
  said_at: number
  writer: string
  /**
   * The document that holds it, and the revision that worked it in: 0 when the document said it already. Both are 0
   * while it waits. They are -1 and 0 once its document was deleted by hand, and -2 and 0 while its subject has too few
   * facts for a document.
   */
  page_id: number
  revision: number
}
