export type { TurnMemories, TurnMemory } from '../../turns/turn-memory.ts'
export type { TurnOptions } from '../../turns/turn-options.ts'
export { type AgentRun, type MemoryMiddlewareOptions, type RememberingMiddleware, varveMiddleware } from './memory-middleware.ts'
