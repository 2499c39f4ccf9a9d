import type { UserMemory } from '../../memory/user-memory.ts'

/** The part of a user's memory that transcripts need. A handle of the library has it, and one of `varve/client`. */
export type TranscriptMemory = Pick<UserMemory, 'append' | 'messages' | 'forget' | 'changes'> & {
  readonly sessions: Pick<UserMemory['sessions'], 'ensure' | 'get' | 'list' | 'delete'>
}

export type StoredSession = Awaited<ReturnType<UserMemory['sessions']['get']>>
export type ErasureReceipt = Awaited<ReturnType<UserMemory['sessions']['delete']>>
