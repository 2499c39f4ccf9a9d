export type { TurnMemories, TurnMemory } from '../../turns/turn-memory.ts'
export type { TurnOptions } from '../../turns/turn-options.ts'
export {
  type MastraOptions,
  type VarveInputProcessor,
  type VarveOutputProcessor,
  type VarveProcessors,
  varveProcessors,
} from './varve-processors.ts'
export { mastraToStore } from './mastra-messages.ts'
export type { MastraRun, MastraScope } from './mastra-scope.ts'
export type { MastraMessage } from './mastra-shapes.ts'
export { mastraTools, type MastraTool } from './mastra-tools.ts'
