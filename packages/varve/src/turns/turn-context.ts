import { VarveError } from '../errors/varve-error.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { inTime } from './in-time.ts'
import type { TurnMemory } from './turn-memory.ts'

/** Why a turn had less memory than there is. */
export type TurnShortage = 'memory-late' | 'memory-failed' | 'memory-partial'

type Context = Awaited<ReturnType<UserMemory['context']>>

/** The fields of `context`, with a deadline. */
export type TurnAsking = Omit<Parameters<UserMemory['context']>[0], 'signal'> & { readonly deadlineMs: number }

export interface TurnContext {
  /** Absent when memory has nothing to show, was late, or failed. */
  readonly context?: Context
  readonly degraded: readonly TurnShortage[]
  /** Why memory gave no answer: present where the call rejected. */
  readonly error?: unknown
}

/** Asks for a turn's context within its deadline. Never rejects: a turn must not fail because memory does. */
export async function turnContext(memory: Pick<TurnMemory, 'context'>, asking: TurnAsking): Promise<TurnContext> {
  try {
    const context = await inTime('context', asking.deadlineMs, () => memory.context(asking))
    if (context.degraded.some((reason) => reason.startsWith('context failed: '))) return { degraded: ['memory-failed'] }
    const degraded: TurnShortage[] = context.degraded.length === 0 ? [] : ['memory-partial']
    return context.text === '' ? { degraded } : { context, degraded }
  } catch (error) {
    return { degraded: [VarveError.is(error) && error.code === 'DEADLINE_EXCEEDED' ? 'memory-late' : 'memory-failed'], error }
  }
}
