import type { Block } from '../../blocks/block.ts'
import { blockName } from '../../blocks/validate.ts'
import { blockOperations } from '../blocks.ts'
import { onlySession, refused, textChecked } from '../fields.ts'
import type { Fields, Operation } from '../operation.ts'
import { parseInput } from '../parse.ts'
import { type AgentTool, agentTool, stopping, type ToolInput } from './agent-tool.ts'
import { fieldSchemas, type MakeCall } from './make-call.ts'

/** A block as a tool shows it. */
interface ToldBlock {
  readonly name: string
  readonly scope: Block['scope']
  readonly text?: string
  readonly chars: number
  readonly maxChars: number
  /** True when the tools cannot change it. */
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

const scopeField = {
  scope: {
    type: 'string',
    enum: ['user', 'session'],
    description: 'user (default): kept for all conversations. session: of this conversation alone.',
  },
}

const toolOptions = {
  input: () => ({ session: onlySession(), writer: textChecked((received) => blockName(received, 'writer')).default('agent') }),
}

/**
 * Makes the tools. With a session, each may also write that session's blocks, which no other conversation sees.
 *
 * @internal
 */
export function blockTools(make: MakeCall, options: object): BlockTools {
  const { session, writer } = parseInput(toolOptions, options).input
  const by = { writer, ...(session === undefined ? {} : { during: session }) }
  const scoped = session === undefined ? {} : scopeField
  const where = (input: ToolInput): { session?: string } =>
    isInSession(input, session !== undefined) && session !== undefined ? { session } : {}
  const change =
    (operation: Operation<Fields, Block>) =>
    async ({ name, text, ...input }: ToolInput, signal: AbortSignal | undefined): Promise<ToldBlock> =>
      told(await make(operation, { name, text, ...by, ...where(input) }, stopping(signal)), false)
  return {
    memory_block_list: agentTool(
      'List your working memory: named blocks of text that you see in every conversation. Look before you write.',
      { properties: {}, required: [] },
      async (_input, signal) => {
        const own = await make(blockOperations.list, {}, stopping(signal))
        const here = session === undefined ? [] : await make(blockOperations.list, { session }, stopping(signal))
        return { blocks: [...own, ...here].map((block) => told(block, true)) }
      },
    ),
    memory_block_set: agentTool(
      'Put a text in the place of a block of your working memory; a block that is not there is made. The old text is replaced: ' +
        'give all that the block is to say.',
      { properties: { ...fieldSchemas(blockOperations.set, ['name', 'text']), ...scoped }, required: ['name', 'text'] },
      change(blockOperations.set),
    ),
    memory_block_append: agentTool(
      'Add a line to a block of your working memory; a block that is not there is made.',
      { properties: { ...fieldSchemas(blockOperations.append, ['name', 'text']), ...scoped }, required: ['name', 'text'] },
      change(blockOperations.append),
    ),
    memory_block_delete: agentTool(
      'Erase a block of your working memory for good.',
      { properties: { ...fieldSchemas(blockOperations.delete, ['name']), ...scoped }, required: ['name'] },
      async ({ name, ...input }, signal) => {
        await make(blockOperations.delete, { name, ...where(input) }, stopping(signal))
        return { deleted: String(name) }
      },
    ),
  }
}

function isInSession({ scope }: ToolInput, withSession: boolean): boolean {
  const known = withSession ? ['user', 'session'] : ['user']
  if (scope !== undefined && !known.some((one) => one === scope)) throw refused('scope', scope, known.join(' or '))
  return scope === 'session'
}

function told({ name, scope, text, chars, maxChars, shared }: Block, withText: boolean): ToldBlock {
  return { name, scope, ...(withText ? { text } : {}), chars, maxChars, ...(shared === true ? { readOnly: true } : {}) }
}
