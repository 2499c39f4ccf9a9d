import { InvalidOption } from '../errors/invalid-option.ts'
import { VarveError } from '../errors/varve-error.ts'
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

/** What went wrong, for the model to read. */
interface ToolError {
  readonly error: string
}

/**
 * A tool as the AI SDK takes it (its `tool()` gives back what it gets): put it into `generateText({ tools })`. The schema is one of
 * standardschema.dev with its JSON Schema: nothing of the AI SDK, nor of zod, is loaded for it.
 */
export interface BlockTool<Output> {
  readonly description: string
  readonly inputSchema: ToolSchema
  /** Never throws what Varve throws: the model is told. */
  execute(input: ToolInput, options?: { readonly abortSignal?: AbortSignal | undefined }): Promise<Output | ToolError>
}

/** What a model gives. It is checked where it is used: then the model is told in words what was wrong. */
type ToolInput = Readonly<Record<string, unknown>>

type JsonSchemaOf = (options: { readonly target: string }) => Record<string, unknown>

interface ToolSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'varve'
    readonly validate: (value: unknown) => { readonly value: ToolInput }
    readonly jsonSchema: { readonly input: JsonSchemaOf; readonly output: JsonSchemaOf }
  }
}

// A type, not an interface: the AI SDK's ToolSet has an index signature.
/** Tools by which an agent keeps its working memory. */
export type BlockTools = {
  readonly memory_block_list: BlockTool<{ readonly blocks: readonly ToldBlock[] }>
  readonly memory_block_set: BlockTool<ToldBlock>
  readonly memory_block_append: BlockTool<ToldBlock>
  readonly memory_block_delete: BlockTool<{ readonly deleted: string }>
}

/** The tools; with a session, each may write that session's blocks as well, which no other conversation sees. */
export function blockTools(calls: BlockCalls, withSession: boolean): BlockTools {
  const change = (what: 'set' | 'append') => (input: ToolInput, signal: AbortSignal | undefined): Promise<ToldBlock> =>
    calls[what](input['name'], input['text'], { inSession: isInSession(input, withSession), ...stopping(signal) }).then((block) => told(block, false))
  const [name, text] = [named('The name of the block.'), { type: 'string', description: 'The text.' }]
  return {
    memory_block_list: tool('List your working memory: named blocks of text that you see in every conversation. Look before you write.', {}, [], false, async (_input, signal) => {
      const options = stopping(signal)
      const blocks = [...(await calls.list({ inSession: false, ...options })), ...(withSession ? await calls.list({ inSession: true, ...options }) : [])]
      return { blocks: blocks.map((block) => told(block, true)) }
    }),
    memory_block_set: tool('Put a text in the place of a block of your working memory; a block that is not there is made. The old text is replaced: give all that the block is to say.', { name, text }, ['name', 'text'], withSession, change('set')),
    memory_block_append: tool('Add a line to a block of your working memory; a block that is not there is made.', { name, text }, ['name', 'text'], withSession, change('append')),
    memory_block_delete: tool('Erase a block of your working memory for good.', { name }, ['name'], withSession, async (input, signal) => {
      await calls.delete(input['name'], { inSession: isInSession(input, withSession), ...stopping(signal) })
      return { deleted: String(input['name']) }
    }),
  }
}

const scopeProperty = { type: 'string', enum: ['user', 'session'], description: 'user (default): kept for all conversations. session: of this conversation alone.' }

function tool<Output>(
  description: string, properties: Readonly<Record<string, unknown>>, required: readonly string[], scoped: boolean, work: (input: ToolInput, signal: AbortSignal | undefined) => Promise<Output>,
): BlockTool<Output> {
  return {
    description,
    inputSchema: schemaOf({ type: 'object', properties: scoped ? { ...properties, scope: scopeProperty } : properties, required, additionalProperties: false }),
    execute: async (input, options) => {
      try {
        return await work(inputOf(input), options?.abortSignal)
      } catch (error) {
        if (error instanceof VarveError) return { error: error.message }
        throw error
      }
    },
  }
}

function schemaOf(schema: Record<string, unknown>): ToolSchema {
  const json = (): Record<string, unknown> => structuredClone(schema)
  return { '~standard': { version: 1, vendor: 'varve', validate: (value) => ({ value: inputOf(value) }), jsonSchema: { input: json, output: json } } }
}

/** What is no object has nothing in it. */
function inputOf(value: unknown): ToolInput {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function isInSession({ scope }: ToolInput, withSession: boolean): boolean {
  const known = withSession ? ['user', 'session'] : ['user']
  if (scope !== undefined && !known.some((one) => one === scope)) throw new InvalidOption({ option: 'scope', received: shown(scope), expected: known.join(' or ') })
  return scope === 'session'
}

function named(description: string): Readonly<Record<string, unknown>> {
  return { type: 'string', description }
}

function stopping(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

function told({ name, scope, text, chars, maxChars, shared }: Block, withText: boolean): ToldBlock {
  return { name, scope, ...(withText ? { text } : {}), chars, maxChars, ...(shared === true ? { readOnly: true } : {}) }
}
