import type { Generated } from 'kysely'

/** The key of a caller of the server. Its secret is stored hashed. */
export interface ApiKeyTable {
  id: Generated<number>
  uuid: Uint8Array
  /** SHA-256 of the whole key. */
  digest: Uint8Array
  name: string
  /** The project that it reaches; null for any. */
  project: string | null
  /** The user that it reaches, `~` for the anonymous user; null for any of the project. */
  owner: string | null
  /** `read`, `write` or `admin`. */
  access: string
  /** JSON: the origins that its caller may claim for messages; null for any. */
  origins: string | null
  /** 1 when its caller names the user by a header at each request. */
  impersonate: number
  /** The most requests of a minute; null for the server's own bound. */
  per_minute: number | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  used_at: number | null
}

/** What a caller did. Names are read from the project and partition as they are now; a deleted one leaves a number. */
export interface AuditTable {
  id: Generated<number>
  at: number
  /** 0 for a caller without a key. */
  key_id: number
  /** 0 for the store as a whole, or a project or partition that does not exist. */
  project_id: number
  partition_id: number
  /** `read`, `write`, `share`, `forget` or `keys`. */
  act: string
  operation: string
  /** The status of HTTP. */
  status: number
  /** JSON: ids of Varve's own, such as a receipt's. */
  items: string
  request: Uint8Array
}

/** What happened in a project, in the order of storing. */
export interface JournalTable {
  id: Generated<number>
  project_id: number
  /** 0 for the project as a whole. */
  partition_id: number
  /** 0 for the partition as a whole. */
  session_id: number
  kind: number
  /** The first and the last ordinal of its messages; 0 for none. */
  first_ord: number
  last_ord: number
  /** The id of the message, receipt or item that it is about; empty for none. */
  ref: Uint8Array
  count: number
  at: number
}

/** The messages that an append with an idempotency key stored. */
export interface AppendKeyTable {
  partition_id: number
  /** A hash of the key. */
  digest: Uint8Array
  session_id: number
  /** A hash of the batch: another batch under the same key is refused. */
  request: Uint8Array
  /** JSON: the place in the session of each message, below 0 for a duplicate; null for one that was left out. */
  ords: string
  recorded_at: number
}
