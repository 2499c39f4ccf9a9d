import type { CallerKey } from '../keys/caller-key.ts'
import type { AnyOperation } from '../operations/operation.ts'
import type { Route } from './routes.ts'

/** Who makes a request: its key, narrowed to the user whom a gateway named. */
export interface Caller {
  readonly key: CallerKey
}

/** Whose memory a request is about. Both are absent for the store as a whole; `~` is the anonymous user. */
export interface Whose {
  readonly project?: string
  readonly user?: string
}

/** What a caller did, for the audit: ids alone. */
export interface CallerAct {
  readonly caller: Caller
  readonly operation: Pick<AnyOperation, 'name' | 'kind'>
  readonly whose: Whose
  readonly status: number
  readonly requestId: string
  readonly fields: object
  readonly output: unknown
}

/** Decides who may enter and what they may do. */
export interface Doorkeeper {
  /** Rejects with Unauthenticated or RateLimited. */
  admit(request: Request): Promise<Caller>
  /** Throws Forbidden. It is asked before the body is read, and before the store is. */
  allow(caller: Caller, route: Route, whose: Whose): void
  /** Gives the fields that the operation gets, or throws Forbidden for words that the caller may not claim. */
  claimed(caller: Caller, route: Route, whose: Whose, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** Notes an act. Resolves once it is stored where it has to be. */
  note(act: CallerAct): Promise<void>
}
