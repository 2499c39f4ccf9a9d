import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { quotedAs } from './fenced.ts'
import type { AgentTool, ToolError, ToolInput } from '../operations/tools/agent-tool.ts'

/** How a tool acts on memory. `erases`: what is gone does not come back. */
export type ToolDeed = 'reads' | 'writes' | 'erases'

/** An answer of a tool, as a client gets it. */
export type ToolAnswer = CallToolResult | InputRequiredResult

/** The call of a tool: its context, and what the client at the other end can do. */
export interface ToolCall {
  readonly context: ServerContext
  /** Whether the client can ask its person a question. */
  readonly asksPerson: boolean
}

/** A tool as a server of MCP offers it. */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: AgentTool<unknown>['inputSchema']
  /** The JSON schema of its answer. */
  readonly output: Readonly<Record<string, unknown>>
  readonly deed: ToolDeed
  /** The same call again changes nothing more. */
  readonly isIdempotent?: true
  answer(input: ToolInput, call: ToolCall): Promise<ToolAnswer>
}

/** What a record says of a tool beside the tool itself. `Output` is the tool's answer. */
export interface ToolNotes<Output> extends Pick<McpTool, 'title' | 'output' | 'deed' | 'isIdempotent'> {
  /** True where the answer holds remembered words: its data says that they are quoted. */
  readonly quotes: boolean
  /** Gives the answer as text, for clients that show their model nothing else. */
  readonly text: (output: Output) => string | Promise<string>
}

/** The most characters of an answer: some 50,000 tokens. */
export const mostAnswered = 200_000

/** Makes the record of a tool. */
export function toolRecord<Output extends object>(name: string, tool: AgentTool<Output>, notes: ToolNotes<Output>): McpTool {
  const { description, inputSchema } = tool
  const { text, quotes, ...shown } = notes
  return {
    ...{ name, description, inputSchema },
    ...shown,
    answer: async (input, { context }) => answerOf(await tool.execute(input, { abortSignal: context.mcpReq.signal }), text, quotes),
  }
}

/** Makes the answer of a tool: its text, and its data, which has no fence and says first whether it quotes remembered words. */
export async function answerOf<Output extends object>(
  output: Output | ToolError,
  text: ToolNotes<Output>['text'],
  quotes: boolean,
): Promise<CallToolResult> {
  if (isError(output)) return failed(output.error)
  const shown = await text(output)
  const structuredContent: Record<string, unknown> = { ...(quotes ? { quoted: quotedAs } : {}), ...output }
  if (shown.length + JSON.stringify(structuredContent).length > 2 * mostAnswered)
    return failed(`the answer has over ${mostAnswered} characters: ask for less of it, with a smaller limit or another question`)
  return { content: [{ type: 'text', text: shown }], structuredContent }
}

export function failed(error: string): CallToolResult {
  return { content: [{ type: 'text', text: error }], isError: true }
}

export function isError(output: object): output is ToolError {
  return 'error' in output && typeof output.error === 'string' && Object.keys(output).length === 1
}
