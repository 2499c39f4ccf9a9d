import { VarveError } from './varve-error.ts'

/** An anonymous handle is used in a project that has named users. */
export class IsolationWarning extends VarveError {
  readonly code = 'ISOLATION_WARNING'
  readonly project: string
  readonly namedUsers: number

  constructor(facts: { project: string; namedUsers: number }, options?: ErrorOptions) {
    super(
      `project ${JSON.stringify(facts.project)} has ${facts.namedUsers} named user(s), and this handle has none: it sees the ` +
        `anonymous partition only. Pass { user } or set isolation: "silent".`,
      options,
    )
    this.project = facts.project
    this.namedUsers = facts.namedUsers
  }

  get isRetryable(): boolean {
    return false
  }
}
