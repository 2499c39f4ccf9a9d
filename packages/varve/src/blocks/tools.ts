import { InvalidOption } from '../errors/invalid-option.ts'
import { type AgentTool, agentTool, stopping, type ToolInput } from '../scope/agent-tool.ts'
import { shown } from '../scope/name.ts'
import type { Block } from './block.ts'

/** What tools do: the calls of a handle on blocks. */
interface BlockCalls {
  list(options: ToolCall): Promise<readonly Block[]>
  set(name: unknown, text: unknown, options: ToolCall): Promise<Block>
  append(name: unknown, text: unknown, options: ToolCall): Promise<Block>
  delete(name: unknown, options: ToolCall): Promise<unknown>
}

/** Whether it is of the session that the tools are for, and how it may be stopped. */
export interface ToolCall {
  readonly inSession: boolean
  readonly signal?: AbortSignal
}

/** What a tool says of a block. */
interface ToldBlock {
  readonly name: string
  readonly scope: Block['scope']
  readonly text?: string
  readonly chars: number
  readonly maxChars: number
  /** That the tools cannot change it. */
  readonly readOnly?: true
}

// A type, not an interface: the AI SDK's ToolSet has an index signature.
/** Tools by which an agent keeps its working memory. */
export type BlockTools = {
  readonly memory_block_list: AgentTool<{ readonly blocks: readonly ToldBlock[] }>
  readonly memory_block_set: AgentTool<ToldBlock>
  readonly memory_block_append: AgentTool<ToldBlock>
  readonly memory_block_delete: AgentTool<{ readonly deleted: string }>
}

/** The tools; with a session, each may write that session's blocks as well, which no other conversation sees. */
export function blockTools(calls: BlockCalls, withSession: boolean): BlockTools {
  const change =
    (what: 'set' | 'append') =>
    (input: ToolInput, signal: AbortSignal | undefined): Promise<ToldBlock> =>
      calls[what](input['name'], input['text'], { inSession: isInSession(input, withSession), ...stopping(signal) }).then((block) =>
        told(block, false),
      )
  const [name, text] = [named('The name of the block.'), { type: 'string', description: 'The text.' }]
  return {
    memory_block_list: tool(
      'List your working memory: named blocks of text that you see in every conversation. Look before you write.',
      {},
      [],
      false,
      async (_input, signal) => {
        const options = stopping(signal)
        const blocks = [
          ...(await calls.list({ inSession: false, ...options })),
          ...(withSession ? await calls.list({ inSession: true, ...options }) : []),
        ]
        return { blocks: blocks.map((block) => told(block, true)) }
      },
    ),
    memory_block_set: tool(
      'Put a text in the place of a block of your working memory; a block that is not there is made. The old text is replaced: ' +
        'give all that the block is to say.',
      { name, text },
      ['name', 'text'],
      withSession,
      change('set'),
    ),
    memory_block_append: tool(
      'Add a line to a block of your working memory; a block that is not there is made.',
      { name, text },
      ['name', 'text'],
      withSession,
      change('append'),
    ),
    memory_block_delete: tool('Erase a block of your working memory for good.', { name }, ['name'], withSession, async (input, signal) => {
      await calls.delete(input['name'], { inSession: isInSession(input, withSession), ...stopping(signal) })
      return { deleted: String(input['name']) }
    }),
  }
}

const scopeProperty = {
  type: 'string',
  enum: ['user', 'session'],
  description: 'user (default): kept for all conversations. session: of this conversation alone.',
}

function tool<Output>(
  description: string,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
  scoped: boolean,
  work: (input: ToolInput, signal: AbortSignal | undefined) => Promise<Output>,
): AgentTool<Output> {
  return agentTool(description, { properties: scoped ? { ...properties, scope: scopeProperty } : properties, required }, work)
}

function isInSession({ scope }: ToolInput, withSession: boolean): boolean {
  const known = withSession ? ['user', 'session'] : ['user']
  if (scope !== undefined && !known.some((one) => one === scope))
    throw new InvalidOption({ option: 'scope', received: shown(scope), expected: known.join(' or ') })
  return scope === 'session'
}

function named(description: string): Readonly<Record<string, unknown>> {
  return { type: 'string', description }
}

function told({ name, scope, text, chars, maxChars, shared }: Block, withText: boolean): ToldBlock {
  return { name, scope, ...(withText ? { text } : {}), chars, maxChars, ...(shared === true ? { readOnly: true } : {}) }
}
