import type { Origin } from '../messages/message.ts'

/** What a key lets its caller do, the least first: `admin` also looks after a project, or the whole store. */
export const accesses = ['read', 'write', 'admin'] as const

export type Access = (typeof accesses)[number]

/** The partitions that a key reaches. */
export interface KeyReach {
  /** Absent: any project. */
  readonly project?: string
  /** A user, or `~` for the anonymous user. Absent: any user. */
  readonly user?: string
  /** Whether the caller must name the user at each request, as a gateway does for its own users. */
  readonly impersonate: boolean
}

/** The rights of a key. */
export interface KeyRights extends KeyReach {
  readonly access: Access
  /** The origins that its caller may claim for messages. Absent: any. */
  readonly origins?: readonly Origin[]
  /** The most requests of a minute. Absent: the server's own bound. */
  readonly perMinute?: number
}

/** A key of a caller of the server. Its secret is not kept. */
export interface CallerKey extends KeyRights {
  readonly id: string
  /** Absent: it has none, or it was revoked. */
  readonly name?: string
  /** UTC milliseconds. */
  readonly createdAt: number
  readonly expiresAt?: number
  /** Its last use, to the minute. */
  readonly usedAt?: number
  readonly revokedAt?: number
}

/** A key that was just made: its text is given this once. */
export interface NewCallerKey extends CallerKey {
  readonly key: string
}
