import { VarveError } from '../../errors/varve-error.ts'

/** What went wrong, for the model to read. */
export interface ToolError {
  readonly error: string
}

/**
 * A tool as the AI SDK takes it (its `tool()` gives back what it gets): put it into `generateText({ tools })`. The schema is one of
 * standardschema.dev with its JSON Schema: nothing of the AI SDK, nor of zod, is loaded for it.
 */
export interface AgentTool<Output> {
  readonly description: string
  readonly inputSchema: ToolSchema
  /** Never throws what Varve throws: the model is told. */
  execute(input: ToolInput, options?: { readonly abortSignal?: AbortSignal | undefined }): Promise<Output | ToolError>
}

/** What a model gives. It is checked where it is used: then the model is told in words what was wrong. */
export type ToolInput = Readonly<Record<string, unknown>>

type JsonSchemaOf = (options: { readonly target: string }) => Record<string, unknown>

interface ToolSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'varve'
    readonly validate: (value: unknown) => { readonly value: ToolInput }
    readonly jsonSchema: { readonly input: JsonSchemaOf; readonly output: JsonSchemaOf }
  }
}

/** The properties of a tool's input, as JSON schema, and which of them it needs. */
export interface ToolShape {
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
}

export function agentTool<Output>(
  description: string,
  { properties, required }: ToolShape,
  work: (input: ToolInput, signal: AbortSignal | undefined) => Promise<Output>,
): AgentTool<Output> {
  return {
    description,
    inputSchema: schemaOf({ type: 'object', properties, required, additionalProperties: false }),
    execute: async (input, options) => {
      try {
        return await work(inputOf(input), options?.abortSignal)
      } catch (error) {
        if (VarveError.is(error)) return { error: error.message }
        throw error
      }
    },
  }
}

function schemaOf(schema: Record<string, unknown>): ToolSchema {
  const json = (): Record<string, unknown> => structuredClone(schema)
  return {
    '~standard': {
      version: 1,
      vendor: 'varve',
      validate: (value) => ({ value: inputOf(value) }),
      jsonSchema: { input: json, output: json },
    },
  }
}

/** What is no object has nothing in it. */
function inputOf(value: unknown): ToolInput {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** How a tool's call may be stopped. */
export function stopping(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
