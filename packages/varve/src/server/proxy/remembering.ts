import { turnContext, type TurnShortage } from '../../turns/turn-context.ts'
import type { LastQuestion } from './conversation.ts'
import { type HeldTurns, turnItems, type KeptContext } from './held-turns.ts'
import type { MemoryPlace } from './injected.ts'
import type { ProxyScope } from './proxy-means.ts'

/** Why a call had less memory than there is. */
export type Degraded = TurnShortage | 'body-unread'

export interface Remembered {
  readonly context: KeptContext | undefined
  readonly isKept: boolean
  readonly degraded: readonly Degraded[]
  /** The mark from before memory was read; absent when it was not. */
  readonly mark?: number
}

export interface Asking {
  readonly scope: ProxyScope
  readonly owner: string
  readonly question: LastQuestion
  /** Where the context would stand. One that is sent again stands where it stood. */
  readonly place: MemoryPlace
  /** The running session, left out where the host keeps the history itself. */
  readonly session: { readonly session?: string; readonly excludeSession?: string }
  readonly maxTokens: number
  readonly deadlineMs: number
}

/**
 * Asks memory, within the deadline. Within a turn with tools, the context of its first call is sent again, so that the
 * bytes before the newest tool result stay the same. Never rejects: a call must not fail because memory does.
 */
export async function remembered(held: HeldTurns, asking: Asking): Promise<Remembered> {
  const { scope, owner, question, maxTokens, deadlineMs } = asking
  const key = JSON.stringify([question.upTo, maxTokens])
  const late = Promise.withResolvers<Remembered>()
  const timer = setTimeout(() => late.resolve(without('memory-late')), deadlineMs)
  try {
    // The memory may not keep to the deadline itself.
    const found = await Promise.race([asked(held, asking, key), late.promise])
    const { mark, context } = found
    if (mark !== undefined && context !== undefined) held.keep(mark, scope.project, owner, key, context)
    return found
  } finally {
    clearTimeout(timer)
  }
}

function without(...degraded: Degraded[]): Remembered {
  return { context: undefined, isKept: false, degraded }
}

async function asked(held: HeldTurns, asking: Asking, key: string): Promise<Remembered> {
  const { scope, owner, question, place, session, maxTokens, deadlineMs } = asking
  try {
    const before = question.isUnderWay ? await held.kept(owner, key) : undefined
    if (before !== undefined) return { context: before, isKept: true, degraded: [] }
    await held.ready()
    const mark = held.mark()
    const { context, degraded } = await turnContext(scope.memory, { query: question.query, maxTokens, deadlineMs, ...session })
    if (context === undefined) return { ...without(...degraded), mark }
    const { id, text, tokens, sections } = context
    return { context: { id, text, place, tokens, items: turnItems(sections) }, isKept: false, degraded, mark }
  } catch {
    // A look for erasures failed: nothing is known to be safe to show.
    return without('memory-failed')
  }
}
