import type { TurnFailed } from './keep-turn.ts'
import { turnQuery } from './turn-query.ts'
import { type TurnAsking, turnContext } from './turn-context.ts'
import type { TurnMemory } from './turn-memory.ts'

/**
 * Asks for a turn's context, as the fenced text that a model reads. Never rejects: it is empty when there is none, after
 * `failed` was told why.
 */
export async function toldText(memory: Pick<TurnMemory, 'context'>, asking: TurnAsking, failed: TurnFailed): Promise<string> {
  const query = turnQuery(asking.query)
  if (query.trim() === '') return ''
  const { context, degraded } = await turnContext(memory, { ...asking, query })
  for (const reason of degraded) if (reason !== 'memory-partial') failed('context', reason)
  return context?.text ?? ''
}
