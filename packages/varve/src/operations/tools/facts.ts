import { agentName } from '../../documents/validate.ts'
import type { Fact } from '../../facts/fact.ts'
import { factOperations } from '../facts.ts'
import { onlySession, textChecked } from '../fields.ts'
import { parseInput } from '../parse.ts'
import { type AgentTool, agentTool, stopping } from './agent-tool.ts'
import { fieldSchemas, type MakeCall } from './make-call.ts'

/** A fact as a tool shows it. Times are ISO 8601. */
interface ToldFact {
  readonly id: string
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly validFrom: string
  readonly validUntil?: string
  /** Who wrote it: `person`, an agent, or what read it from messages. */
  readonly writer: string
  /** True where the user said otherwise: it ends nothing, and is not shown as current. */
  readonly unverified?: true
}

// A type, not an interface: the AI SDK's ToolSet has an index signature.
/** Tools by which an agent reads and keeps facts. */
export type FactTools = {
  readonly memory_fact_list: AgentTool<{ readonly facts: readonly ToldFact[] }>
  readonly memory_fact_query: AgentTool<{ readonly facts: readonly ToldFact[] }>
  readonly memory_fact_add: AgentTool<ToldFact>
  readonly memory_fact_correct: AgentTool<ToldFact>
  readonly memory_fact_retract: AgentTool<ToldFact>
}

const { list, query, add, correct, retract } = factOperations

const toolOptions = { input: () => ({ session: onlySession(), writer: textChecked(agentName).default('agent') }) }

/**
 * Makes the tools, which write under the name of an agent. They name no message as a source: what an agent adds is never
 * taken for a person's words, ends nothing that a person said, and takes nothing of it back.
 *
 * @internal
 */
export function factTools(make: MakeCall, options: object): FactTools {
  const { session, writer } = parseInput(toolOptions, options).input
  const by = { writer, ...(session === undefined ? {} : { during: session }) }
  return {
    memory_fact_list: agentTool(
      'List what you know: facts of the user and of others that hold now, the last said first.',
      { properties: fieldSchemas(list, ['subject', 'limit']), required: [] },
      async ({ subject, limit }, signal) => ({ facts: (await make(list, given({ subject, limit }), stopping(signal))).map(told) }),
    ),
    memory_fact_query: agentTool(
      'Find facts by subject, predicate and object, also as they were at another time.',
      { properties: fieldSchemas(query, ['subject', 'predicate', 'object', 'validAt', 'limit']), required: [] },
      async ({ subject, predicate, object, validAt, limit }, signal) => ({
        facts: (await make(query, given({ subject, predicate, object, validAt, limit }), stopping(signal))).map(told),
      }),
    ),
    memory_fact_add: agentTool(
      'Add a fact in your own name. It is kept as your note, and not as words of the user. Where the user said otherwise it is ' +
        'unverified and ends nothing: ask the user, whose own answer counts.',
      { properties: fieldSchemas(add, ['subject', 'predicate', 'object', 'validFrom', 'validUntil']), required: ['predicate', 'object'] },
      async ({ subject, predicate, object, validFrom, validUntil }, signal) =>
        told(await make(add, { ...given({ subject, predicate, object, validFrom, validUntil }), ...by }, stopping(signal))),
    ),
    memory_fact_correct: agentTool(
      'Correct a fact that an agent noted and that was never true. What the user said, only the user can correct, by saying so. ' +
        'For something that changed, add a new fact.',
      { properties: fieldSchemas(correct, ['id', 'object', 'validFrom', 'validUntil']), required: ['id'] },
      async ({ id, object, validFrom, validUntil }, signal) =>
        told(await make(correct, { ...given({ id, object, validFrom, validUntil }), ...by }, stopping(signal))),
    ),
    memory_fact_retract: agentTool(
      'Take back a fact that an agent noted: it was never true; with validUntil, it was true until then. Its history stays. What ' +
        'the user said, only the user can take back, by saying so.',
      { properties: fieldSchemas(retract, ['id', 'validUntil']), required: ['id'] },
      async ({ id, validUntil }, signal) => told(await make(retract, { ...given({ id, validUntil }), writer }, stopping(signal))),
    ),
  }
}

/** Leaves out the fields that a model did not give. */
function given(input: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null))
}

function told({ id, subject, predicate, object, validFrom, validUntil, writer, unverified }: Fact): ToldFact {
  const until = validUntil === undefined ? {} : { validUntil: new Date(validUntil).toISOString() }
  const doubt = unverified === undefined ? {} : { unverified }
  return { id, subject, predicate, object, validFrom: new Date(validFrom).toISOString(), ...until, writer, ...doubt }
}
