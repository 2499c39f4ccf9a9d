import type { UserMemory } from '../../packages/varve/src/index.ts'

/** Brings a session's stored notes up to date before it is compacted. Until the handle has notes, what goes is written down by compaction itself. */
export async function updateNotes(_ada: UserMemory, _session: string): Promise<void> {
  await Promise.resolve()
}
