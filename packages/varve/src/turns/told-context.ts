import type { TurnFailed } from './keep-turn.ts'
import { type TurnAsking, type TurnContext, turnContext } from './turn-context.ts'
import type { TurnMemory } from './turn-memory.ts'
import { turnQuery } from './turn-query.ts'

/**
 * Asks for a turn's context by a person's words, whatever they are. Never rejects: undefined when there is none, after
 * `failed` was told why.
 */
export async function toldContext(
  memory: Pick<TurnMemory, 'context'>,
  asking: TurnAsking,
  failed: TurnFailed,
): Promise<TurnContext['context']> {
  const query = turnQuery(asking.query)
  if (query.trim() === '') return undefined
  const { context, degraded } = await turnContext(memory, { ...asking, query })
  for (const reason of degraded) if (reason !== 'memory-partial') failed('context', reason)
  return context
}
