import type { privacyWrites } from '../privacy/writes.ts'
import type { Engine } from '../engine/engine.ts'
import { type Call, calledOn } from '../engine/port.ts'
import type { upkeepReads } from '../upkeep/reads.ts'
import type { UpkeepStore } from '../upkeep/upkeep.ts'
import type { upkeepWrites } from '../upkeep/writes.ts'
import type { upkeepWork } from '../upkeep/work.ts'
import type { embeddingReads } from '../index/reads.ts'
import type { embeddingWrites } from '../index/writes.ts'

/** Gives upkeep its view of an engine. */
export function upkeepStore({ call, longestRestMs }: Pick<Engine, 'call' | 'longestRestMs'>): UpkeepStore {
  const reading: Call = (name, args) => call('read', name, args)
  return {
    read: calledOn<typeof upkeepReads>('upkeep', reading),
    embeddings: calledOn<typeof embeddingReads>('embeddings', reading),
    write: calledOn<typeof embeddingWrites>('embeddings', (name, args) => call('write', name, args)),
    noteRun: calledOn<typeof upkeepWrites>('upkeep', (name, args) => call('write', name, args)).noteRun,
    finishErasures: calledOn<typeof privacyWrites>('privacy', (name, args) => call('write', name, args)).finish,
    work: (signal) => calledOn<typeof upkeepWork>('upkeep', (name, args) => call('distil', name, args, signal)),
    longestRestMs,
  }
}
