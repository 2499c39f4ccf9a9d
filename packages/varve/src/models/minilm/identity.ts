import type { EmbeddingLimits, EmbeddingModelIdentity } from '../embedding-model.ts'
import { maxTextTokens } from './slices.ts'

export const modelName = 'all-MiniLM-L6-v2'

/** Weights of 8 bits. Both runtimes read the same file, so their vectors are compared with each other. */
export const identity: EmbeddingModelIdentity = { name: modelName, dimension: 384, quantisation: 'int8' }

export const limits: EmbeddingLimits = { texts: 256, tokens: 2048, textTokens: maxTextTokens }
