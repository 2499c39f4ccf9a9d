import { AgentSession, type AgentSessionOptions } from './session.ts'

export type { TurnMemories, TurnMemory } from '../../turns/turn-memory.ts'
export type { TurnOptions } from '../../turns/turn-options.ts'
export type { ModelInput } from './agent-contexts.ts'
export type { FunctionCallReplacement, HistoryTransaction } from './history-changes.ts'
export type { AgentScope, AgentSession, AgentSessionOptions } from './session.ts'
export type { AgentMemory } from './stored-history.ts'

/**
 * Makes a session of OpenAI's Agents SDK that Varve keeps. `Item` is the SDK's `AgentInputItem`; where the session is given
 * to a run at once, TypeScript finds it.
 *
 * @example
 * const session = varveSession<AgentInputItem>({ memory, scope: { project: 'kiosk', user: 'ada' }, session: 'monday' })
 * await run(agent, 'When do we open?', { session, callModelInputFilter: session.contextFilter })
 */
export function varveSession<Item extends object>(options: AgentSessionOptions): AgentSession<Item> {
  return new AgentSession(options)
}
