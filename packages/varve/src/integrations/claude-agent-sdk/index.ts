export { sessionStore, type SessionStoreOptions, type VarveSessionStore } from './session-store.ts'
export type { FoldSummary, TranscriptSummary } from './session-summaries.ts'
export type { TranscriptEntry, TranscriptKey } from './transcript-key.ts'
export type { TranscriptMemory } from './transcript-memory.ts'
