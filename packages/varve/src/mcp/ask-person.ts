import { acceptedContent, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server'
import type { ToolCall } from './tool-record.ts'

/** A question to the person at a client, which is answered by yes or no. */
interface Question {
  /** The name of the question, and that of its one field. */
  readonly name: string
  readonly field: string
  /** The words beside the field. */
  readonly title: string
}

/** Gives the person's answer. Undefined where the client cannot ask, or did not yet. */
export function personsAnswer({ context, asksPerson }: ToolCall, { name, field }: Question): boolean | undefined {
  const { inputResponses } = context.mcpReq
  if (!asksPerson || inputResponses === undefined || !Object.hasOwn(inputResponses, name)) return undefined
  return acceptedContent(inputResponses, name)?.[field] === true
}

/** Asks the person. The state comes back with the answer, by way of the client. */
export function askPerson({ name, field, title }: Question, message: string, requestState: string): InputRequiredResult {
  const requestedSchema = {
    type: 'object' as const,
    properties: { [field]: { type: 'boolean' as const, title, default: false } },
    required: [field],
  }
  return inputRequired({ inputRequests: { [name]: inputRequired.elicit({ message, requestedSchema }) }, requestState })
}
