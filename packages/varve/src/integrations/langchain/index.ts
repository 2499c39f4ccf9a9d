import type { AgentMiddleware } from 'langchain'
import { type MemoryMiddlewareOptions, MemoryTurns } from './memory-middleware.ts'

export type { AgentRun, AgentTurnMemory, MemoryMiddlewareOptions } from './memory-middleware.ts'

/**
 * Makes a middleware that gives LangChain's agents a memory: before a turn the model reads what fits its question, and both
 * sides are stored. `settled` resolves when nothing waits to be stored: await it before a memory is closed.
 *
 * @example
 * const memory = varveMiddleware({ memory: await openMemory(), scope: { user: 'ada' } })
 * const agent = createAgent({ model, tools, middleware: [memory] })
 */
export function varveMiddleware(options: MemoryMiddlewareOptions): AgentMiddleware & { readonly settled: () => Promise<void> } {
  const turns = new MemoryTurns(options)
  return Object.assign(turns.middleware(), { settled: () => turns.settled() })
}
