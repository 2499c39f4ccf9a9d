import { VarveError } from '../../errors/varve-error.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import type { LastQuestion } from './conversation.ts'
import { type HeldTurns, turnItems, type KeptContext } from './held-turns.ts'
import type { ProxyScope } from './proxy-means.ts'

/** Why a call had less memory than there is. */
export type Degraded = 'memory-late' | 'memory-failed' | 'memory-partial' | 'body-unread'

export interface Remembered {
  readonly context: KeptContext | undefined
  readonly isKept: boolean
  readonly degraded: readonly Degraded[]
}

type ContextOptions = Parameters<UserMemory['context']>[0]
type Context = Awaited<ReturnType<UserMemory['context']>>

export interface Asking {
  readonly scope: ProxyScope
  readonly owner: string
  readonly question: LastQuestion
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
  const { scope, owner, question, session, maxTokens, deadlineMs } = asking
  const key = JSON.stringify([question.upTo, maxTokens])
  const before = question.isUnderWay ? held.kept(owner, key) : undefined
  if (before !== undefined) return { context: before, isKept: true, degraded: [] }
  const mark = held.mark()
  const answer = await inTime(scope.memory, { query: question.query, maxTokens, deadlineMs, ...session }, deadlineMs)
  if (typeof answer === 'string') return { context: undefined, isKept: false, degraded: [answer] }
  if (answer.degraded.some((reason) => reason.startsWith('context failed: ')))
    return { context: undefined, isKept: false, degraded: ['memory-failed'] }
  const degraded: Degraded[] = answer.degraded.length === 0 ? [] : ['memory-partial']
  if (answer.text === '') return { context: undefined, isKept: false, degraded }
  const context: KeptContext = { id: answer.id, text: answer.text, tokens: answer.tokens, items: turnItems(answer.sections) }
  held.keep(mark, scope.project, owner, key, context)
  return { context, isKept: false, degraded }
}

/** Waits for a context until the deadline, also when the memory does not keep to it. */
async function inTime(memory: ProxyScope['memory'], options: ContextOptions, deadlineMs: number): Promise<Context | Degraded> {
  const { promise: late, resolve } = Promise.withResolvers<Degraded>()
  const timer = setTimeout(() => resolve('memory-late'), deadlineMs)
  try {
    return await Promise.race([asked(memory, options), late])
  } finally {
    clearTimeout(timer)
  }
}

async function asked(memory: ProxyScope['memory'], options: ContextOptions): Promise<Context | Degraded> {
  try {
    return await memory.context(options)
  } catch (error) {
    return VarveError.is(error) && error.code === 'DEADLINE_EXCEEDED' ? 'memory-late' : 'memory-failed'
  }
}
