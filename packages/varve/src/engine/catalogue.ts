/** The read calls of a store, by room. A room is loaded when it is first called. */
export const reads = {
  projects: async () => (await import('../projects/reads.ts')).projectReads,
  log: async () => (await import('../log/reads.ts')).logReads,
  recall: async () => (await import('../recall/reads.ts')).recallReads,
  context: async () => (await import('../context/reads.ts')).contextReads,
  blocks: async () => (await import('../blocks/reads.ts')).blockReads,
  gists: async () => (await import('../gists/reads.ts')).gistReads,
  facts: async () => (await import('../facts/reads.ts')).factReads,
  instructions: async () => (await import('../instructions/reads.ts')).instructionReads,
  documents: async () => (await import('../documents/reads.ts')).documentReads,
  notes: async () => (await import('../notes/reads.ts')).notesReads,
  bank: async () => (await import('../bank/reads.ts')).bankReads,
  privacy: async () => (await import('../privacy/reads.ts')).privacyReads,
  embeddings: async () => (await import('../index/reads.ts')).embeddingReads,
  distil: async () => (await import('../distil/reads.ts')).distilReads,
  upkeep: async () => (await import('../upkeep/reads.ts')).upkeepReads,
  transfer: async () => (await import('../transfer/reads.ts')).transferReads,
  callers: async () => (await import('../callers/reads.ts')).callerReads,
}

/** The write calls of a store, by room. Each returns when its change is durable. */
export const writes = {
  projects: async () => (await import('../projects/writes.ts')).projectWrites,
  log: async () => (await import('../log/writes.ts')).logWrites,
  blocks: async () => (await import('../blocks/writes.ts')).blockWrites,
  gists: async () => (await import('../gists/writes.ts')).gistWrites,
  facts: async () => (await import('../facts/writes.ts')).factWrites,
  instructions: async () => (await import('../instructions/writes.ts')).instructionWrites,
  documents: async () => (await import('../documents/writes.ts')).documentWrites,
  notes: async () => (await import('../notes/writes.ts')).notesWrites,
  bank: async () => (await import('../bank/writes.ts')).bankWrites,
  privacy: async () => (await import('../privacy/writes.ts')).privacyWrites,
  distil: async () => (await import('../distil/writes.ts')).distilWrites,
  embeddings: async () => (await import('../index/writes.ts')).embeddingWrites,
  upkeep: async () => (await import('../upkeep/writes.ts')).upkeepWrites,
  transfer: async () => (await import('../transfer/writes.ts')).transferWrites,
  callers: async () => (await import('../callers/writes.ts')).callerWrites,
}

/** The calls that write layers, by room: long work that reads much. */
export const works = { upkeep: async () => (await import('../upkeep/work.ts')).upkeepWork }

export type Reads = typeof reads
export type Writes = typeof writes
export type Works = typeof works
