import type { McpMeans } from './mcp-means.ts'

/** Gives the options of the rooms' tools: the session and the name under which they write. */
export function toolOptions({ session, writer }: McpMeans): { readonly session?: string; readonly writer?: string } {
  return { ...(session === undefined ? {} : { session }), ...(writer === undefined ? {} : { writer }) }
}
