import { bankOperations } from '../bank.ts'
import { blockOperations } from '../blocks.ts'
import { documentOperations } from '../documents.ts'
import { factOperations } from '../facts.ts'
import { gistOperations } from '../gists.ts'
import { notesOperations } from '../notes.ts'
import type { Fields, Operation } from '../operation.ts'
import { sessionOperations } from '../sessions.ts'
import { userOperations } from '../user.ts'
import { type AgentTool, agentTool, stopping, type ToolInput } from './agent-tool.ts'
import { given } from './given.ts'
import { fieldSchemas, type MakeCall } from './make-call.ts'

/** The answer of an operation, as a tool shows it: a list has its items and the cursor of its next page. */
export type ToldOutput = Readonly<Record<string, unknown>>

/** A tool that makes the call of one operation. */
export interface OperationTool {
  readonly name: string
  readonly kind: 'read' | 'write'
  readonly tool: AgentTool<ToldOutput>
}

type Offer = (make: MakeCall) => OperationTool

/**
 * Offers an operation as a tool, with some of its fields. What it writes must be made of stored messages alone: no tool here
 * takes words.
 */
function offered<Input extends Fields, Output>(
  operation: Operation<Input, Output>,
  names: readonly string[],
  required: readonly string[] = [],
): Offer {
  return (make) => ({
    name: `memory_${operation.name.replaceAll('.', '_')}`,
    kind: operation.kind,
    tool: agentTool(operation.about, { properties: fieldSchemas(operation, names), required }, async (input: ToolInput, signal) => {
      const chosen = Object.fromEntries(Object.entries(given(input)).filter(([name]) => names.includes(name)))
      return toldOutput(await make(operation, chosen, stopping(signal)))
    }),
  })
}

const paged = ['limit', 'cursor']

/** Operations that an agent may use beside the tools of the rooms. */
const offers: readonly Offer[] = [
  offered(userOperations.messages, ['session', 'limit', 'before', 'tools'], ['session']),
  offered(userOperations.timeline, ['from', 'to', 'order', ...paged]),
  offered(userOperations.profile, []),
  offered(sessionOperations.list, paged),
  offered(sessionOperations.get, ['id'], ['id']),
  offered(gistOperations.get, ['session'], ['session']),
  offered(gistOperations.list, paged),
  offered(gistOperations.recall, ['query', 'limit', 'from', 'to'], ['query']),
  offered(gistOperations.distil, ['session'], ['session']),
  offered(factOperations.around, ['entity', 'hops', ...paged], ['entity']),
  offered(factOperations.history, ['of', ...paged], ['of']),
  offered(bankOperations.render, ['maxTokens']),
  offered(bankOperations.search, ['query', 'limit'], ['query']),
  offered(bankOperations.entries, paged),
  offered(notesOperations.get, ['session'], ['session']),
  offered(notesOperations.list, paged),
  offered(notesOperations.update, ['session'], ['session']),
  offered(documentOperations.revisions, ['name', ...paged], ['name']),
  offered(blockOperations.revisions, ['name', ...paged], ['name']),
]

/** Makes the tools of operations that no other tool makes. @internal */
export function operationTools(make: MakeCall): readonly OperationTool[] {
  return offers.map((offer) => offer(make))
}

function toldOutput(output: unknown): ToldOutput {
  if (Array.isArray(output)) {
    const { cursor, before }: { readonly cursor?: unknown; readonly before?: unknown } = Object(output)
    return { items: [...output], ...given({ cursor, before }) }
  }
  return typeof output === 'object' && output !== null ? { ...output } : { found: output !== undefined, ...given({ value: output }) }
}
