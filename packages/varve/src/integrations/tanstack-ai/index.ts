export type { TurnMemories, TurnMemory } from '../../turns/turn-memory.ts'
export type { TurnOptions } from '../../turns/turn-options.ts'
export { type AdapterMemory, type TanStackOptions, varveAdapter } from './varve-adapter.ts'
export type {
  TanStackFact,
  TanStackReceipt,
  TanStackRecall,
  TanStackScope,
  TanStackTool,
  TanStackTurn,
  VarveAdapter,
} from './tanstack-shapes.ts'
