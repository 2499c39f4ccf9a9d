import { CLIENT_CAPABILITIES_META_KEY, McpServer, type ServerContext } from '@modelcontextprotocol/server'
import type { ToolInput } from '../operations/tools/agent-tool.ts'
import { toolsOf } from './all-tools.ts'
import { serverInstructions } from './instructions.ts'
import { shownSchema } from './json-schema.ts'
import type { McpMeans } from './mcp-means.ts'
import { addPrompts } from './prompts.ts'
import { addResources } from './resources.ts'
import { failed, type McpTool, type ToolAnswer } from './tool-record.ts'

/** The time for which a client may keep the lists of tools and prompts, which do not change while a server runs. */
const listsStandMs = 300_000
const lists = { ttlMs: listsStandMs, cacheScope: 'private' } as const
/** What is remembered may be forgotten at any time. */
const never = { ttlMs: 0, cacheScope: 'private' } as const

/** The most values in the arguments of one call, and in a message over HTTP. */
export const mostValues = 10_000

/** The time that a person has to answer a tool's question. The token of the forget tool lasts as long. */
const answerMs = 600_000

/** Makes a server of MCP for the memory of one user. One serves one connection, or one request of HTTP. */
export function mcpServer(means: McpMeans): McpServer {
  const server = new McpServer(
    { name: 'varve', title: 'Varve memory', version: means.version },
    {
      capabilities: { tools: { listChanged: false }, prompts: { listChanged: false }, resources: { listChanged: false } },
      instructions: serverInstructions,
      maxToolInputElements: mostValues,
      inputRequired: { roundTimeoutMs: answerMs },
      cacheHints: {
        ...{ 'tools/list': lists, 'prompts/list': lists, 'resources/templates/list': lists, 'server/discover': lists },
        ...{ 'resources/list': never, 'resources/read': never },
      },
    },
  )
  for (const tool of toolsOf(means)) addTool(server, tool)
  addResources(server, means)
  addPrompts(server, means)
  return server
}

function addTool(server: McpServer, tool: McpTool): void {
  const { name, title, description, inputSchema, output, deed, isIdempotent = false } = tool
  const annotations = {
    ...(deed === 'reads' ? { readOnlyHint: true } : {}),
    // Left out, a hint has the value that the protocol gives it: each costs tokens in every conversation.
    ...(deed === 'reads' ? {} : { destructiveHint: deed === 'erases' }),
    ...(deed !== 'reads' && isIdempotent ? { idempotentHint: true } : {}),
    openWorldHint: false,
  }
  server.registerTool(name, { title, description, inputSchema, outputSchema: shownSchema(output), annotations }, (input, context) =>
    answered(tool, Object(input), context, server),
  )
}

/** Answers a call. An error that is not Varve's own is a defect: a client does not see its words. */
async function answered(tool: McpTool, input: ToolInput, context: ServerContext, server: McpServer): Promise<ToolAnswer> {
  try {
    return await tool.answer(input, { context, asksPerson: asksPerson(context, server) })
  } catch {
    return failed('the memory failed in an unexpected way; nothing is known of whether it was done')
  }
}

/** Tells whether a client can show its person a form. A client of 2025 says so once, one of 2026 with every request. */
function asksPerson({ mcpReq: { envelope } }: ServerContext, { server }: McpServer): boolean {
  const told: unknown = Reflect.get(Object(envelope), CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities()
  const elicitation: unknown = Reflect.get(Object(told), 'elicitation')
  return typeof elicitation === 'object' && elicitation !== null && ('form' in elicitation || !('url' in elicitation))
}
