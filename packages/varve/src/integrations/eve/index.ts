export type { TurnMemories, TurnMemory } from '../../turns/turn-memory.ts'
export type { TurnOptions } from '../../turns/turn-options.ts'
export type { EveMessage, EveOperation, EveRecall, EveScope, EveTurn } from './eve-shapes.ts'
export { type EveOptions, type EveToolDraft, type ProviderMemory, varveProvider, type VarveProvider } from './varve-provider.ts'
