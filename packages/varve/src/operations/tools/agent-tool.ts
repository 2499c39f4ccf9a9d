import { VarveError } from '../../errors/varve-error.ts'
import { messageWithoutPlace } from '../../errors/without-place.ts'
import { defusedIn, defusedLines } from '../../messages/defused.ts'
import { checkInput } from './check-input.ts'

/** An error in words, for the model to read. */
export interface ToolError {
  readonly error: string
}

/**
 * A tool in the form of the AI SDK, whose `tool()` gives it back unchanged: put it into `generateText({ tools })`. The
 * schema is a Standard Schema (standardschema.dev) with its JSON Schema. It loads neither the AI SDK nor zod.
 */
export interface AgentTool<Output> {
  readonly description: string
  readonly inputSchema: ToolSchema
  /**
   * Gives Varve's own errors to the model as ToolError, and throws all others. Texts in the answer are defused, names
   * too: tokens of chat templates, Varve's fences and unseen signs are shown otherwise than they are stored.
   */
  execute(input: ToolInput, options?: { readonly abortSignal?: AbortSignal | undefined }): Promise<Output | ToolError>
}

/** The input that a model gives. It is checked where it is used, so that the model gets the error in words. */
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
  /** Defuses the answer. A context is defused already, and has a fence that must stay. */
  harmless: (output: Output) => Output = defusedIn,
): AgentTool<Output> {
  return {
    description,
    inputSchema: schemaOf({ type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false }),
    execute: (input, options) =>
      answeredInWords(async () => {
        const own = inputOf(input)
        checkInput({ properties, required }, own)
        return harmless(await work(own, options?.abortSignal))
      }),
  }
}

/** Does a work. Gives an error of Varve's own in words, and throws any other. */
export async function answeredInWords<Output>(work: () => Promise<Output>): Promise<Output | ToolError> {
  try {
    return await work()
  } catch (error) {
    if (VarveError.is(error)) return { error: defusedLines(messageWithoutPlace(error)) }
    throw error
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

/** Gives the input of a call; a value other than an object counts as empty. */
function inputOf(value: unknown): ToolInput {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The name and the session of the agent that writes. */
export interface ToolWriter {
  readonly writer: string
  readonly during?: string
}

/** Gives the options that stop a tool's call. */
export function stopping(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
