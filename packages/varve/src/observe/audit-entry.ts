/** The kinds of deeds that the audit tells apart. */
export const auditActs = ['read', 'write', 'share', 'forget', 'keys'] as const

export type AuditAct = (typeof auditActs)[number]

/** The most ids of one entry: a batch may have thousands of messages. */
export const mostAuditItems = 20

/** What a caller did, before it is stored. It holds ids and Varve's own words, and no content. */
export interface AuditNote {
  /** UTC milliseconds. */
  readonly at: number
  /** The id of the caller's key; absent for a caller without one. */
  readonly key?: string | undefined
  /** Absent for the store as a whole. */
  readonly project?: string | undefined
  /** A user, or `~` for the anonymous user; absent for the project as a whole. */
  readonly user?: string | undefined
  readonly act: AuditAct
  /** The name of the operation's record. */
  readonly operation: string
  /** The status of HTTP. */
  readonly status: number
  /** Ids that Varve made, such as a receipt's. Others are left out. */
  readonly items?: readonly string[] | undefined
  /** The id that the server gave the request: a uuid. */
  readonly request: string
}

/** What a caller did. Names are those of now: a deleted user or project has none any more. */
export interface AuditEntry {
  /** UTC milliseconds. */
  readonly at: number
  /** The id of the caller's key, and its name. */
  readonly key?: string
  readonly keyName?: string
  readonly project?: string
  /** A user, or `~` for the anonymous user. */
  readonly user?: string
  readonly act: AuditAct
  readonly operation: string
  readonly status: number
  readonly items: readonly string[]
  readonly request: string
}
