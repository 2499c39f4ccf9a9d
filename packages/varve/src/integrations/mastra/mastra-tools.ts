import type { AgentTool } from '../../operations/tools/agent-tool.ts'

/** A tool as Mastra takes it: it has an id. */
export type MastraTool = AgentTool<unknown> & { readonly id: string }

/**
 * Gives tools of Varve in the form that an agent of Mastra takes. They are bound to one user: give them to an agent of that
 * user, or with `toolsets` of a call.
 *
 * @example new Agent({ id, name, instructions, model, tools: mastraTools(ada.tools()) })
 */
export function mastraTools(tools: Readonly<Record<string, AgentTool<unknown>>>): Record<string, MastraTool> {
  return Object.fromEntries(Object.entries(tools).map(([id, tool]) => [id, { ...tool, id }]))
}
