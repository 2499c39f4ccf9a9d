import type { MakeCall } from '../operations/tools/make-call.ts'

/** What a server of MCP needs: the calls of one user, and what its client may use of them. */
export interface McpMeans {
  /** Makes a call of an operation on the memory of one user. Everything that a client asks goes through it. */
  readonly make: MakeCall
  /** Gives the store's mark for a content's fence. Absent where the store is a server's. */
  readonly markOf?: (content: string) => Promise<string>
  /** Leaves out the tools that write. */
  readonly readOnly?: boolean
  /** Adds the tools of every room to the usual five. */
  readonly allTools?: boolean
  /** Adds the tools by which the client's own model reads what is due. */
  readonly readings?: boolean
  /** The session of the agent: what it writes goes with it, and its own talk is left out of contexts. */
  readonly session?: string
  /** The name under which the agent writes. Default: agent. */
  readonly writer?: string
  /** The version of Varve. */
  readonly version: string
}
