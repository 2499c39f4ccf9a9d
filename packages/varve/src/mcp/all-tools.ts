import { blockTools } from '../operations/tools/blocks.ts'
import type { AgentTool } from '../operations/tools/agent-tool.ts'
import { documentTools } from '../operations/tools/documents.ts'
import { factTools } from '../operations/tools/facts.ts'
import { instructionTools } from '../operations/tools/instructions.ts'
import { operationTools } from '../operations/tools/operation-tools.ts'
import { fencedText } from './fenced.ts'
import { objectSchema } from './json-schema.ts'
import type { McpMeans } from './mcp-means.ts'
import { usualTools } from './memory-tools.ts'
import { readingRecords } from './reading-tools.ts'
import { toolOptions } from './tool-options.ts'
import { type McpTool, type ToolDeed, toolRecord } from './tool-record.ts'

/** Tools of the rooms that only read, by the last word of their names. */
const reading = /_(?:list|query|read|recollect)$/

/** Lists the tools that a client gets. */
export function toolsOf(means: McpMeans): readonly McpTool[] {
  const tools = [
    ...usualTools(means),
    ...(means.allTools === true ? otherTools(means) : []),
    ...(means.readings === true ? readingRecords(means) : []),
  ]
  return means.readOnly === true ? tools.filter(({ deed }) => deed === 'reads') : tools
}

/** Lists the tools of every room, and those of other operations. None of them erases: memory_forget does, and asks before. */
function otherTools(means: McpMeans): readonly McpTool[] {
  const { make } = means
  const options = toolOptions(means)
  const { memory_block_delete: _, ...blocks } = blockTools(make, options)
  const rooms: Readonly<Record<string, AgentTool<object>>> = {
    ...factTools(make, options),
    ...instructionTools(make, options),
    ...blocks,
    ...documentTools(make, options, false),
  }
  return [
    ...Object.entries(rooms).map(([name, tool]) => plainRecord(means, name, tool, deedOf(name))),
    ...operationTools(make).map(({ name, kind, tool }) => plainRecord(means, name, tool, kind === 'read' ? 'reads' : 'writes')),
  ]
}

function deedOf(name: string): ToolDeed {
  return reading.test(name) ? 'reads' : 'writes'
}

/** Makes the record of a tool whose answer is shown as JSON. */
function plainRecord(means: McpMeans, name: string, tool: AgentTool<object>, deed: ToolDeed): McpTool {
  const [first = '', ...others] = name.replace(/^memory_/, '').split('_')
  return toolRecord(name, tool, {
    title: [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' '),
    ...{ deed, quotes: true },
    ...(deed === 'reads' ? { isIdempotent: true } : {}),
    output: objectSchema({}),
    text: (output) => fencedText(means, JSON.stringify(output)),
  })
}
