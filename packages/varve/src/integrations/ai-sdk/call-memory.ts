import type { UserMemory } from '../../memory/user-memory.ts'
import { inTime } from '../../turns/in-time.ts'
import type { TurnFailed } from '../../turns/keep-turn.ts'
import { type TurnContext, turnContext } from '../../turns/turn-context.ts'
import type { CheckedScope } from './call-scope.ts'
import type { KnownTurn } from './known-turns.ts'
import type { PromptTalk } from './read-prompt.ts'

/** The part of a user's memory that calls need. A handle of the library has it, and one of `varve/client`. */
export type CallMemory = Pick<UserMemory, 'context' | 'append' | 'contexts'>

/** How memory is asked. */
export interface MemoryAsking {
  readonly maxTokens: number
  readonly deadlineMs: number
  readonly tiers?: Parameters<UserMemory['context']>[0]['tiers']
}

/** What a call reads of memory. */
export interface CallContext {
  readonly text: string
  /** The context; absent when that of the turn's first call was read again. */
  readonly context?: TurnContext['context']
}

/**
 * Gives the text that a call reads, within the deadline: memory is asked once a turn. A later call of the turn reads the context
 * of the first again, made anew from its id: the same bytes, unless something in it was forgotten meanwhile. Then memory is
 * asked again. Never rejects: `failed` is told.
 */
export async function callContext(
  memory: CallMemory,
  scope: CheckedScope,
  talk: PromptTalk,
  turn: KnownTurn,
  asked: MemoryAsking,
  failed: TurnFailed,
): Promise<CallContext | undefined> {
  const { question, hasHistory } = talk
  if (!scope.reads || question === undefined || turn.context === null) return undefined
  const start = performance.now()
  const shownBefore = turn.context === undefined ? undefined : await textAgain(memory, turn.context, asked.deadlineMs)
  if (shownBefore !== undefined) return { text: shownBefore }
  const { session } = scope
  const isHosts = hasHistory || scope.isHostsHistory
  const { context, degraded } = await turnContext(memory, {
    ...asked,
    query: question.query,
    deadlineMs: Math.max(1, Math.ceil(asked.deadlineMs - (performance.now() - start))),
    ...(session === undefined ? {} : isHosts ? { excludeSession: session } : { session }),
  })
  for (const shortage of degraded) if (shortage !== 'memory-partial') failed('context', shortage)
  turn.context = context?.id ?? null
  return context === undefined ? undefined : { text: context.text, context }
}

async function textAgain(memory: CallMemory, id: string, deadlineMs: number): Promise<string | undefined> {
  try {
    const { text, isSame } = await inTime('contexts.get', deadlineMs, () => memory.contexts.get(id, { deadlineMs }))
    return isSame ? text : undefined
  } catch {
    // Its record may be gone, or memory late: then it is asked anew.
    return undefined
  }
}
