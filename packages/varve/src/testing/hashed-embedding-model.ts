import type { AiSdkEmbeddingModel } from '../models/ai-sdk/embedding-model-shape.ts'

export interface HashedEmbeddingOptions {
  /** The number of components of a vector. Default 256. */
  readonly dimension?: number
  /** The model's name. Default `hashed`. */
  readonly name?: string
  /** Groups of words with the same meaning: `[['dock', 'jetty'], …]`. */
  readonly synonyms?: readonly (readonly string[])[]
}

/**
 * Makes an embedding model for tests, of the AI SDK's shape, without weights or network. Each word adds to one
 * component; synonyms add to the same one. So texts that share words or synonyms are near each other.
 *
 * @example await openMemory({ store: 'memory:', embeddingModel: hashedEmbeddingModel({ synonyms: [['dock', 'jetty']] })
 * })
 */
export function hashedEmbeddingModel({
  dimension = 256,
  name = 'hashed',
  synonyms = [],
}: HashedEmbeddingOptions = {}): AiSdkEmbeddingModel {
  const meanings = new Map(synonyms.flatMap((words) => words.map((word) => [word.toLowerCase(), words[0]?.toLowerCase() ?? word])))
  const vectorOf = (text: string): number[] => {
    // All texts share one component, so that no vector is without a direction.
    const vector = [0.1, ...Array.from({ length: dimension - 1 }, () => 0)]
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const place = 1 + (hash(meanings.get(word) ?? word) % (dimension - 1))
      vector[place] = (vector[place] ?? 0) + 1
    }
    return vector
  }
  return {
    specificationVersion: 'v4',
    provider: 'varve-testing',
    modelId: name,
    maxEmbeddingsPerCall: 32,
    supportsParallelCalls: true,
    doEmbed: async ({ values }) => ({
      embeddings: values.map(vectorOf),
      usage: { tokens: values.reduce((sum, text) => sum + text.split(/\s+/).length, 0) },
    }),
  }
}

/** Hashes with FNV-1a over UTF-16 code units. */
function hash(word: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193)
  return value >>> 0
}
