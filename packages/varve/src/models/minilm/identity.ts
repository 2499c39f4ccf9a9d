import type { EmbeddingModelIdentity } from '../embedding-model.ts'

export const modelName = 'all-MiniLM-L6-v2'

/** Weights of 8 bits. Both runtimes read the same file: their vectors are compared with each other. */
export const identity: EmbeddingModelIdentity = { name: modelName, dimension: 384, quantisation: 'int8' }
