import { VarveError } from './varve-error.ts'

/** The count of named users stops here: a warning needs no exact number above it. */
export const mostCountedUsers = 1_000

/** An anonymous handle is used in a project that has named users. */
export class IsolationWarning extends VarveError {
  readonly code = 'ISOLATION_WARNING'
  readonly project: string
  /** The number of named users; 1,000 stands for 1,000 or more. */
  readonly namedUsers: number

  constructor(facts: { project: string; namedUsers: number }, options?: ErrorOptions) {
    const users = facts.namedUsers < mostCountedUsers ? String(facts.namedUsers) : `${mostCountedUsers.toLocaleString('en')} or more`
    super(
      `project ${JSON.stringify(facts.project)} has ${users} named user(s), and this handle has none: it sees the ` +
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
