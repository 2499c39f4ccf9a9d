import type { AgentMiddleware } from 'langchain'
import { type MemoryMiddlewareOptions, MemoryTurns } from './memory-middleware.ts'

export type { TurnMemories, TurnMemory } from '../../turns/turn-memory.ts'
export type { TurnOptions } from '../../turns/turn-options.ts'
export type { AgentRun, MemoryMiddlewareOptions } from './memory-middleware.ts'

/** The middleware of a memory. */
export interface RememberingMiddleware extends AgentMiddleware {
  /** Resolves when nothing waits to be stored: await it before a memory is closed. */
  readonly settled: () => Promise<void>
  /** How often memory gave nothing or could not store, by what it was to do and why: `context memory-late`. */
  readonly failures: ReadonlyMap<string, number>
}

/**
 * Makes a middleware that gives LangChain's agents a memory: before a turn the model reads what fits its question, and both
 * sides are stored.
 *
 * @example
 * const memory = varveMiddleware({ memory: await openMemory(), scope: { user: 'ada' } })
 * const agent = createAgent({ model, tools, middleware: [memory] })
 */
export function varveMiddleware(options: MemoryMiddlewareOptions): RememberingMiddleware {
  const turns = new MemoryTurns(options)
  return Object.assign(turns.middleware(), { settled: () => turns.door.settled(), failures: turns.door.failures.counts })
}
